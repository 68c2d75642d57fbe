"""Files and records as documents, as a worker does it: bytes or text in, text or the reason why there is none out."""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from chunking import Document, read_text
from chunking.document import Text
from chunking.errors import NotTextError
from chunking.outline import outline_of
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
BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
CONTROLS = frozenset(map(chr, range(32))) - set("\t\n\v\f\r\x1b")
MOST_CONTROLS = 0.001


def decode(data: bytes, encoding: str) -> str:
    """The text of ``data``; a byte order mark wins over ``encoding``.

    Raises:
        NotTextError: a byte doesn't belong to the encoding, or more than one character in a thousand is a control code.
    """
    encoding = next((name for mark, name in BOMS.items() if data.startswith(mark)), encoding)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + len(data) - len(error.object)  # utf-8-sig counts from behind the mark
        raise NotTextError(f"not {encoding} text: byte 0x{data[at]:02x} at {at}; if it is text, set ingest.encoding") from error
    controls = sum(text.count(control) for control in CONTROLS)
    if controls > MOST_CONTROLS * len(text) and controls:
        raise NotTextError(f"not text: {controls} control codes in {len(text)} characters")
    return text


def parse_rows(rows: Iterable[Row], encoding: str) -> Iterator[Row]:
    """For each file (``doc_id, path, content``; without ``content`` the path is read) or record (``DOCUMENT_COLUMNS``
    without the hash) one row of ``PARSED``."""
    for row in rows:
        parsed = dict.fromkeys(PARSED.names) | {"doc_id": row["doc_id"], "metadata": []}
        try:
            document = document_of(row) if "text" in row else _document_of_file(row, encoding)
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


def _document_of_file(row: Row, encoding: str) -> Document:
    data = row.get("content")
    return Document(row["doc_id"], decode(Path(row["path"]).read_bytes() if data is None else data, encoding), uri=row["doc_id"])


def _title(text: Text, document: Document) -> str | None:
    """A Markdown text's first heading, else the file's name."""
    paths = outline_of(text).sections.paths if text.content_type == MARKDOWN else ()
    return next((path[0] for path in paths if path), Path(document.uri).name if document.uri else None)


def with_texts(files_df: "DataFrame", encoding: str) -> "DataFrame":
    """One row of ``PARSED`` for each row of ``files_df``, files or records."""

    def load() -> RowFunction:
        return lambda rows: parse_rows(rows, encoding)

    return map_rows(files_df, load, PARSED)
