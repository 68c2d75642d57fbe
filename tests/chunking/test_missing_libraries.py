"""Readers and grammars are extras: without them a document fails alone, and says what to install."""

import sys

import pytest

from chunking import ChunkingConfig, Document, chunk_document, read_text
from chunking.errors import MissingLibraryError
from chunking.grammars import load_parser


@pytest.mark.parametrize(
    "library, uri",
    [("selectolax.lexbor", "a.html"), ("mammoth", "a.docx"), ("pypdfium2", "a.pdf"), ("webvtt", "a.vtt")],
)
def test_a_reader_that_is_not_installed(library: str, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'sparkchunk\[documents\]'") as caught:
        read_text(Document("d", data=b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi.", uri=uri))
    assert caught.value.transient


def test_a_grammar_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    load_parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_ruby", None)
    with pytest.raises(MissingLibraryError, match="strategy code needs tree_sitter_ruby"):
        chunk_document(Document("d", "class A\nend", uri="a.rb"), ChunkingConfig(strategy="code"))


def test_without_the_model_that_tells_kinds_apart_marks_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunking import choosing

    choosing._model.cache_clear()
    monkeypatch.setitem(sys.modules, "magika", None)
    (chunk,) = chunk_document(
        Document("d", "# A\n\n## B\n\n```\nx\n```\n"), ChunkingConfig(strategy="auto", min_chunk_size=0, chunk_size=512)
    )[:1]
    assert chunk.strategy == "markdown"
    choosing._model.cache_clear()
