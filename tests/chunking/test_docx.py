"""DOCX as Markdown, and what can't be read named."""

import io

import pytest
from docx import Document as Word

from chunking import ChunkingConfig, Document, chunk_document, read_text
from chunking.errors import DocumentError, NotReadableError
from chunking.reading.kinds import DOCX
from tests.chunking.cut import uncovered


def letter() -> bytes:
    word = Word()
    word.core_properties.title = "Travel  rules"
    word.add_heading("Travel", 1)
    word.add_paragraph("Book by ").add_run("rail").bold = True
    word.add_heading("Hotels", 2)
    for line in ("Under 120 EUR", "With breakfast"):
        word.add_paragraph(line, style="List Bullet")
    word.add_paragraph("First ask", style="List Number")
    table = word.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, (("City", "Limit"), ("Rome", "140 | 150"), ("Oslo", "180")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    buffer = io.BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def test_headings_lists_and_tables() -> None:
    text = read_text(Document("d", data=letter(), uri="rules.docx"))
    assert (text.title, text.content_type) == ("Travel rules", "text/markdown")
    assert text.text.split("\n") == [
        "# Travel", "", "Book by rail", "", "## Hotels", "", "- Under 120 EUR", "- With breakfast", "1. First ask", "",
        "| City | Limit |", "| --- | --- |", "| Rome | 140 \\| 150 |", "| Oslo | 180 |",
    ]  # fmt: skip
    chunks = chunk_document(
        Document("d", data=letter(), content_type=DOCX), ChunkingConfig(strategy="markdown", min_chunk_size=0)
    )
    assert [chunk.section_path for chunk in chunks] == [("Travel",), ("Travel", "Hotels")]


def test_a_stored_text_with_its_layout_is_not_converted_again() -> None:
    stored = read_text(Document("d", data=letter(), content_type=DOCX))
    again = Document("d", stored.text, content_type=stored.content_type, layout=stored.layout)
    assert read_text(again).text == stored.text


@pytest.mark.parametrize(
    "data, message",
    [(b"", "damaged"), (b"PK\x03\x04", "damaged"), (b"plain", "damaged"), (b"\xd0\xcf\x11\xe0" + b"\0" * 99, "encrypted")],
)
def test_what_is_no_docx_is_named(data: bytes, message: str) -> None:
    with pytest.raises(NotReadableError, match=f"DOCX: {message}"):
        read_text(Document("d", data=data, content_type=DOCX))


def test_a_file_that_breaks_off() -> None:
    data = letter()
    for place in range(50):
        cut = data[: len(data) * place // 50]
        try:
            text = read_text(Document("d", data=cut, content_type=DOCX)).text
        except DocumentError:
            continue
        assert not uncovered(text, chunk_document(Document("d", data=cut, content_type=DOCX), ChunkingConfig()))
