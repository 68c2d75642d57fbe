"""Files and records as documents, as a worker does it: bytes or text in, text or the reason why there is none out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from chunking import Document, read_text
from chunking.document import Text
from chunking.outline import outline_of
from chunking.reading.decoding import with_bytes
from chunking.reading.kinds import MARKDOWN, content_type_of
from chunking.reading.registry import reader_of
from udfs.rows import FAILURE, FAULTS, LAYOUT, NO_FAILURE, Row, RowFunction, document_of, failure, layout_row, map_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PARSED = pa.schema(
    [
        pa.field("doc_id", pa.string()),
        pa.field("text", pa.string()),
        pa.field("title", pa.string()),
        pa.field("uri", pa.string()),
        pa.field("content_type", pa.string()),
        pa.field("source_type", pa.string()),
        pa.field("layout", LAYOUT),
        pa.field("metadata", pa.map_(pa.string(), pa.string())),
        *FAILURE,
    ]
)


def parse_rows(rows: Iterable[Row], encoding: str) -> Iterator[Row]:
    """For each file (``doc_id, path`` or ``data``) or record (``DOCUMENT_COLUMNS`` without the hash; its text, or its
    ``data`` as bytes) one row of ``PARSED``."""
    for row in rows:
        parsed = dict.fromkeys(PARSED.names) | {"doc_id": row["doc_id"], "metadata": []}
        try:
            document = _document_of(row, encoding)
            read = read_text(document)
            source_type = content_type_of(document.content_type, document.uri)
            parsed |= {
                "uri": document.uri,
                "text": None if document.text is None and document.data is None else read.text,
                "title": read.title or _title(read, document),
                "content_type": read.content_type,
                "source_type": source_type,
                "layout": layout_row(read.layout) if document.layout or reader_of(source_type) else None,
                "metadata": sorted(document.metadata.items()),
                **NO_FAILURE,
            }
        except (*FAULTS, OSError) as error:
            parsed |= failure(error)
        yield parsed


def _document_of(row: Row, encoding: str) -> Document:
    document = document_of(row) if "text" in row else Document(row["doc_id"], uri=row["doc_id"])
    data = row.get("data")
    if data is None and "path" in row:
        data = Path(row["path"]).read_bytes()
    if data is None or document.text is not None:
        return document
    return with_bytes(document, data, encoding)


def _title(text: Text, document: Document) -> str | None:
    """A Markdown text's first heading, else the file's name."""
    paths = outline_of(text).sections.paths if text.content_type == MARKDOWN else ()
    return next((path[0] for path in paths if path), Path(document.uri).name if document.uri else None)


def with_texts(files_df: "DataFrame", encoding: str) -> "DataFrame":
    """One row of ``PARSED`` for each row of ``files_df``, files or records."""

    def load() -> RowFunction:
        return lambda rows: parse_rows(rows, encoding)

    return map_rows(files_df, load, PARSED)
