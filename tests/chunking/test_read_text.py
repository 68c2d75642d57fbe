"""The text that spans refer to: untouched, but for what no encoder takes."""

import pytest

from chunking import ChunkingConfig, Document, Layout, chunk_document, read_text
from chunking.errors import NotTextError
from chunking.reading import content_type_of


@pytest.mark.parametrize("text", ["", "a\r\nb\r\n", "\ufeffBOM", "tab\t\x0b", "é e\u0301", "<b>bold</b> &amp;", "👩\u200d👧"])
def test_text_is_its_own_text(text: str) -> None:
    read = read_text(Document("d", text))
    assert read.text == text
    assert read.flags == ()


@pytest.mark.parametrize("broken", [chr(0xD83D), chr(0xDC00), "\0"])
def test_what_no_encoder_takes_is_replaced_one_for_one(broken: str) -> None:
    read = read_text(Document("d", f"a{broken}b"))
    assert read.text == "a\ufffdb"
    assert read.flags == ("repaired",)


def test_a_replacement_character_of_its_own_is_no_repair() -> None:
    assert read_text(Document("d", "a\ufffdb")).flags == ()


@pytest.mark.parametrize(
    "content_type, uri, expected",
    [
        (None, None, "text/plain"),
        (None, "guide/a.md", "text/markdown"),
        ("text/plain", "guide/a.MD", "text/markdown"),
        ("text/plain; charset=utf-8", "a.txt", "text/plain"),
        ("Text/HTML; charset=utf-8", "a.md", "text/html"),
        (None, "src/a.py", "text/x-python"),
        (None, "a.html", "text/html"),
        (None, "README", "text/plain"),
        (None, "a.unheardof", "text/plain"),
    ],
)
def test_the_kind_is_the_content_type_else_the_extension(content_type: str | None, uri: str | None, expected: str) -> None:
    assert content_type_of(content_type, uri) == expected


def test_form_feeds_part_pages() -> None:
    assert read_text(Document("d", "one\ftwo\f")).layout.pages == (0, 4, 8)
    assert read_text(Document("d", "one")).layout.pages == ()


def test_a_given_layout_wins() -> None:
    assert read_text(Document("d", "one\ftwo", layout=Layout(pages=(0,)))).layout.pages == (0,)


def test_bytes_without_a_reader_are_refused_by_kind() -> None:
    with pytest.raises(NotTextError, match="application/zip"):
        read_text(Document("d", data=b"PK", uri="a.zip"))


def test_a_document_needs_an_id() -> None:
    with pytest.raises(ValueError, match="doc_id"):
        Document("")


def test_a_document_passes_its_metadata_on() -> None:
    """Every chunk carries it; an id that can't be encoded is no obstacle."""
    document = Document("d\ud800", "One.\n\nTwo.", metadata={"team": "docs"})
    chunks = chunk_document(document, ChunkingConfig(chunk_size=2, min_chunk_size=0))
    assert [chunk.metadata for chunk in chunks] == [{"team": "docs"}] * 2
    assert len({chunk.chunk_id for chunk in chunks}) == 2
