"""The rows that pass between Spark and the workers, as Arrow schemas: the one place where their columns are named."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chunking.document import Cue, Document, Layout
from chunking.errors import DocumentError
from chunking.reading import repair

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BATCH_ROWS = 64
TEXTS = pa.list_(pa.string())
CHUNK = pa.schema(
    [
        pa.field("chunk_id", pa.string()),
        pa.field("doc_id", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("index", pa.int32()),
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("text", pa.string()),
        pa.field("header", pa.string()),
        pa.field("embed_text", pa.string()),
        pa.field("token_count", pa.int32()),
        pa.field("strategy", pa.string()),
        pa.field("section_path", TEXTS),
        pa.field("parent_id", pa.string()),
        pa.field("page_start", pa.int32()),
        pa.field("page_end", pa.int32()),
        pa.field("speakers", TEXTS),
        pa.field("time_start", pa.float64()),
        pa.field("time_end", pa.float64()),
        pa.field("symbol", pa.string()),
        pa.field("references", TEXTS),
        pa.field("flags", TEXTS),
        pa.field("metadata", pa.map_(pa.string(), pa.string())),
    ]
)
VECTOR = pa.schema(
    [
        pa.field("chunk_id", pa.string()),
        pa.field("embedding", pa.list_(pa.float32())),
        pa.field("embed_hash", pa.string()),
    ]
)
FAILURE = pa.schema(
    [
        pa.field("error_class", pa.string()),
        pa.field("message", pa.string()),
        pa.field("transient", pa.bool_()),
    ]
)
DOCUMENT_COLUMNS = ("doc_id", "doc_hash", "text", "title", "uri", "content_type", "layout", "metadata")
CUE = pa.struct(
    [
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("speaker", pa.string()),
        pa.field("time_start", pa.float64()),
        pa.field("time_end", pa.float64()),
    ]
)
LAYOUT = pa.struct([pa.field("pages", pa.list_(pa.int32())), pa.field("cues", pa.list_(CUE))])

Row = dict[str, Any]
RowFunction = Callable[[Iterable[Row]], Iterator[Row]]
FAULTS = (DocumentError, ValueError, ArithmeticError, LookupError, MemoryError, RecursionError)
"""What one document can do to the code that works on it; anything else is a bug, and raises."""
NO_FAILURE: Row = {"error_class": None, "message": None, "transient": None}


def document_of(row: Mapping[str, Any]) -> Document:
    """The document of a row with ``DOCUMENT_COLUMNS``, without the bytes it may have been read from."""
    return Document(
        doc_id=row["doc_id"],
        text=row["text"],
        title=row.get("title"),
        uri=row.get("uri"),
        content_type=row.get("content_type"),
        metadata=dict(row.get("metadata") or ()),
        layout=layout_of(row.get("layout")),
    )


def layout_of(row: Mapping[str, Any] | None) -> Layout | None:
    """The layout of a row of ``LAYOUT``."""
    if row is None:
        return None
    return Layout(tuple(row["pages"] or ()), tuple(Cue(**cue) for cue in row["cues"] or ()))


def layout_row(layout: Layout) -> Row:
    """A layout as a row of ``LAYOUT``."""
    return {"pages": list(layout.pages), "cues": [asdict(cue) for cue in layout.cues]}


def failure(error: Exception) -> Row:
    """What the quarantine holds of an error."""
    transient = isinstance(error, MemoryError) or (isinstance(error, DocumentError) and error.transient)
    message = repair(str(error)[:2000] or repr(error))
    return {"error_class": type(error).__name__, "message": message, "transient": transient}


def map_rows(rows_df: "DataFrame", load: Callable[[], RowFunction], schema: pa.Schema) -> "DataFrame":
    """Send the rows of ``rows_df`` through the function that ``load`` gives, called once a task; rows of ``schema`` come out."""
    from pyspark.sql.pandas.types import from_arrow_schema

    def on_worker(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        done = load()(row for batch in batches for row in batch.to_pylist())
        while ready := list(islice(done, BATCH_ROWS)):
            yield pa.RecordBatch.from_pylist(ready, schema=schema)

    return rows_df.mapInArrow(on_worker, from_arrow_schema(schema))
