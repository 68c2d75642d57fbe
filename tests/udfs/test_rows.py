"""Rows as a worker sees them: each document in comes out once, and one that fails is a row with its reason."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Chunk, Chunker, ChunkingConfig, Document, build_chunker
from chunking.errors import DocumentError
from chunking.strategies import Embed, strategies
from tests.data.locate_questions import DOCUMENTS, handbook_document
from tests.fakes import OrdinalEncoder, TableEncoder, letter_counts, spec_of
from tests.generators import texts
from udfs.chunk import CHUNKED, chunk_rows, sentence_vectors
from udfs.embed_rows import EMBEDDED, embed_rows
from udfs.parse import PARSED, parse_rows
from udfs.rows import Row, failure

CHUNKER = build_chunker(ChunkingConfig(tokenizer="words", chunk_size=4, min_chunk_size=0))


@dataclass
class Refusing:
    """A chunker that raises for one document."""

    error: Exception = field(default_factory=lambda: ValueError("boom"))

    def chunk(self, document: Document, embed: Embed | None = None) -> list[Chunk]:
        if document.doc_id == "bad":
            raise self.error
        return CHUNKER.chunk(document)


def documents(**texts: str | None) -> Iterator[Row]:
    return iter([{"doc_id": key, "doc_hash": f"#{key}", "text": text} for key, text in texts.items()])


def chunked(rows: Iterable[Row], chunker: object = CHUNKER) -> dict[str, Row]:
    """By document, as they arrive behind Arrow."""
    done = pa.RecordBatch.from_pylist(list(chunk_rows(rows, cast("Chunker", chunker))), schema=CHUNKED)
    return {row["doc_id"]: row for row in done.to_pylist()}


def to_embed(**chunks: list[tuple[int, int, str]]) -> Iterator[Row]:
    """Documents ``t1 t2 t3 t4`` with chunks of ``(start, end, embed_text)``."""
    for doc_id, found in chunks.items():
        rows = [
            {"chunk_id": f"{doc_id}{i}", "start": start, "end": end, "embed_text": text, "embed_hash": f"h{i}"}
            for i, (start, end, text) in enumerate(found)
        ]
        yield {"doc_id": doc_id, "doc_hash": f"#{doc_id}", "text": "t1 t2 t3 t4", "chunks": rows}


def embedded(rows: Iterable[Row], encoder: Any) -> dict[str, Row]:
    done = pa.RecordBatch.from_pylist(list(embed_rows(rows, encoder)), schema=EMBEDDED)
    return {row["doc_id"]: row for row in done.to_pylist()}


def vectors(row: Row) -> list[list[float]]:
    return [vector["embedding"] for vector in row["vectors"]]


@pytest.mark.parametrize(
    "error, transient",
    [
        (ValueError("boom"), False),
        (DocumentError("boom"), False),
        (RecursionError("boom"), False),
        (KeyError("boom"), False),
        (ZeroDivisionError("boom"), False),
        (MemoryError("boom"), True),
    ],
)
def test_a_document_that_fails_is_a_row_between_the_others(error: Exception, transient: bool) -> None:
    """SPK-02."""
    done = chunked(documents(a="one", bad="two", z="three"), Refusing(error))
    assert list(done) == ["a", "bad", "z"]
    assert [[chunk["text"] for chunk in done[key]["chunks"]] for key in "az"] == [["one"], ["three"]]
    assert done["a"]["error_class"] is None
    assert done["bad"]["error_class"] == type(error).__name__
    assert "boom" in done["bad"]["message"]
    assert (done["bad"]["transient"], done["bad"]["chunks"], done["bad"]["doc_hash"]) == (transient, [], "#bad")


def test_a_bug_is_no_document_s_failure() -> None:
    with pytest.raises(AttributeError):
        chunked(documents(bad="two"), Refusing(AttributeError("bug")))


def test_texts_without_text_have_no_chunks() -> None:
    """SPK-01."""
    done = chunked(documents(n=None, e="", w=" \n ", ok="fine"))
    assert {key: len(row["chunks"]) for key, row in done.items()} == {"n": 0, "e": 0, "w": 0, "ok": 1}
    assert not any(row["error_class"] for row in done.values())


def test_a_topic_ends_where_the_model_says() -> None:
    """The encoder's vectors reach the strategy; a sentence without a token in its vocabulary is like no other."""
    config = ChunkingConfig.model_validate(
        {
            "strategy": "semantic",
            "tokenizer": "words",
            "chunk_size": 20,
            "min_chunk_size": 0,
            "semantic": {"threshold": 0.5, "window": 0},
        }
    )
    table = {"Cats": (1, 0), "purr.": (1, 0), "Cars": (0, 1), "honk.": (0, 1), "stop.": (0, 1)}
    row = {"doc_id": "d", "doc_hash": "h", "text": "Cats purr. Cats purr. Cars honk. Cars stop."}
    (done,) = chunk_rows([row], build_chunker(config), sentence_vectors(TableEncoder(table)))
    assert [chunk["text"] for chunk in done["chunks"]] == ["Cats purr. Cats purr.", "Cars honk. Cars stop."]
    assert sentence_vectors(OrdinalEncoder())(["t3", "none", "t3"])[1].tolist() == [0, 0]


@given(contents=st.lists(texts(8), max_size=4), strategy=st.sampled_from(sorted(strategies())))
def test_documents_never_mix(contents: list[str], strategy: str) -> None:
    """Beside others a document has the chunks that it has alone: overlap, merging and parents end with it."""
    config = ChunkingConfig(strategy=strategy, tokenizer="words", chunk_size=6, chunk_overlap=1, min_chunk_size=2,
                            parent_chunk_size=None if strategy == "whole" else 20)  # fmt: skip
    chunker = build_chunker(config)
    rows = [{"doc_id": f"d{i}", "doc_hash": "h", "text": text} for i, text in enumerate(contents)]
    together = list(chunk_rows(rows, chunker, letter_counts))
    alone = [done for row in rows for done in chunk_rows([row], chunker, letter_counts)]
    assert together == alone
    for done in together:
        assert all(chunk["doc_id"] == done["doc_id"] for chunk in done["chunks"])
        parents = {chunk["chunk_id"] for chunk in done["chunks"] if chunk["kind"] == "parent"}
        assert all(chunk["parent_id"] in parents for chunk in done["chunks"] if chunk["kind"] == "chunk" and parents)


def test_a_nul_is_repaired_and_flagged() -> None:
    (chunk,) = chunked(documents(a="a\0b"))["a"]["chunks"]
    assert (chunk["text"], chunk["flags"]) == ("a\ufffdb", ["repaired"])


def test_a_document_keeps_what_it_came_with() -> None:
    row = {
        "doc_id": "a", "doc_hash": "#", "text": "# Top\n\none two", "title": "T", "uri": "a.md", "content_type": "text/markdown",
        "layout": {"pages": [0, 7], "cues": None}, "metadata": [("k", "v")],
    }  # fmt: skip
    done = chunked([row])["a"]
    assert done["tokens"] == sum(chunk["token_count"] for chunk in done["chunks"]) > 0
    last = done["chunks"][-1]
    assert (last["section_path"], last["page_end"]) == (["Top"], 2)


def test_a_failure_without_a_message_or_with_a_broken_one_can_be_stored() -> None:
    assert failure(MemoryError())["message"] == "MemoryError()"
    assert failure(ValueError("odd \ud83d\0"))["message"] == "odd \ufffd\ufffd"
    assert len(failure(ValueError("x" * 9000))["message"]) == 2000


def test_late_rows_come_back_in_order_with_their_chunks() -> None:
    done = embedded(to_embed(a=[(0, 5, ""), (6, 11, "")], b=[(3, 8, "")]), OrdinalEncoder())
    assert {key: vectors(row) for key, row in done.items()} == {"a": [[1.5, 1], [3.5, 1]], "b": [[2.5, 1]]}
    assert [(v["chunk_id"], v["embed_hash"]) for v in done["a"]["vectors"]] == [("a0", "h0"), ("a1", "h1")]


@pytest.mark.parametrize("fault", [{"text": "no token"}, {"text": None}, {"doc_id": ""}])
def test_a_late_document_that_cannot_be_read_or_pooled_fails_alone(fault: Row) -> None:
    before, bad, after = to_embed(a=[(0, 5, "")], bad=[(0, 5, "")], z=[(6, 11, "")])
    done = list(embed_rows(iter([before, bad | fault, after]), OrdinalEncoder()))
    assert [row["error_class"] is None for row in done] == [True, False, True]
    assert [np.array(vectors(row)).tolist() for row in (done[0], done[2])] == [[[1.5, 1]], [[3.5, 1]]]


@pytest.mark.parametrize("mode", ["late", "naive"])
def test_a_vector_that_is_not_finite_names_its_chunk(mode: str) -> None:
    """EMB-08."""
    table = {"t1": [1.0, 2.0], "t2": [np.inf, 1.0], "t3": [3.0, 1.0], "t4": [1.0, 1.0]}
    rows = to_embed(a=[(0, 2, "t1"), (3, 5, "t2")], z=[(6, 8, "t3")])
    encoder = TableEncoder(table, spec_of(mode=mode))
    done = embedded((row | {"text": "t3 t3 t3"} if row["doc_id"] == "z" else row for row in rows), encoder)
    assert done["a"]["error_class"] == "EmbeddingError"
    assert done["a"]["message"].startswith("chunk a1: ")
    assert "NaN or infinity" in done["a"]["message"]
    assert (done["a"]["vectors"], vectors(done["z"])) == ([], [[3, 1]])


def test_one_bad_chunk_fails_its_naive_document_by_name() -> None:
    rows = to_embed(a=[(0, 2, "t1")], bad=[(0, 2, "t1"), (3, 5, "..."), (6, 8, "t3")], z=[(3, 5, "t4")])
    done = embedded(rows, OrdinalEncoder(spec_of(mode="naive", pooling="cls")))
    assert done["bad"]["message"].startswith("chunk bad1: the text has no token")
    assert not done["bad"]["vectors"]
    assert [vectors(done[key]) for key in "az"] == [[[1000, 1]], [[1000, 1]]]


def test_a_naive_document_out_of_memory_is_tried_again_later() -> None:
    rows = to_embed(bad=[(0, 2, "t1 t2 t3 t4")], z=[(3, 5, "t4")])
    done = embedded(rows, OrdinalEncoder(spec_of(mode="naive"), memory=4))
    assert (done["bad"]["error_class"], done["bad"]["transient"]) == ("OutOfMemoryError", True)
    assert done["bad"]["message"] == "chunk bad0: 6 positions are over 4"
    assert len(done["z"]["vectors"]) == 1


@pytest.mark.parametrize("mode", ["late", "naive"])
def test_a_document_without_chunks_and_no_documents_are_fine(mode: str) -> None:
    done = embedded(to_embed(a=[], b=[(0, 2, "t1")]), OrdinalEncoder(spec_of(mode=mode)))
    assert {key: len(row["vectors"]) for key, row in done.items()} == {"a": 0, "b": 1}
    assert not embedded(iter(()), OrdinalEncoder(spec_of(mode=mode)))


def parsed(**contents: bytes) -> dict[str, Row]:
    rows = ({"doc_id": key.replace("_", "."), "path": "unused", "data": data} for key, data in contents.items())
    done = pa.RecordBatch.from_pylist(list(parse_rows(rows, "auto")), schema=PARSED)
    return {row["doc_id"]: row for row in done.to_pylist()}


def test_files_become_documents_with_titles() -> None:
    done = parsed(a_md=b"intro\n\n## The *way*\n\n# Top\n", b_md=b"no heading", c_txt=b"# not Markdown", d_py=b"x = 1")
    assert {key: row["title"] for key, row in done.items()} == {
        "a.md": "The way",
        "b.md": "b.md",
        "c.txt": "c.txt",
        "d.py": "d.py",
    }
    assert {key: row["content_type"] for key, row in done.items()} == {
        "a.md": "text/markdown", "b.md": "text/markdown", "c.txt": "text/plain", "d.py": "text/x-python",
    }  # fmt: skip
    assert done["a.md"]["text"] == "intro\n\n## The *way*\n\n# Top\n"


def test_what_the_bytes_show_wins_over_the_name() -> None:
    done = parsed(
        page=b"<!doctype html><title>A page</title><p>Text.", clip_txt=b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi.\n"
    )
    assert [row["source_type"] for row in done.values()] == ["text/html", "text/vtt"]


def test_a_guessed_encoding_is_told() -> None:
    text = "Größere Änderungen müssen überprüft werden, daß nichts verlorengeht. Schöne Grüße aus Köln."
    done = parsed(a_txt=text.encode("cp1252"), b_txt=text.encode())
    assert [row["text"] for row in done.values()] == [text, text]
    assert [row["metadata"] for row in done.values()] == [[("encoding", "cp1250")], []]


def test_a_file_that_is_no_text_is_a_row_between_the_others() -> None:
    done = parsed(a_txt=b"one", bad_txt=b"\xff\xfe\xff", z_txt=b"three")
    assert [row["text"] for row in done.values()] == ["one", None, "three"]
    assert (done["bad.txt"]["error_class"], done["bad.txt"]["transient"]) == ("NotTextError", False)


@pytest.mark.parametrize("strategy", ["auto", "pdf"])
def test_a_stored_document_is_cut_as_its_file_is(strategy: str) -> None:
    """Whatever a file was converted from, the type of what is stored decides, not the ending of its name."""
    chunker = build_chunker(ChunkingConfig(strategy=strategy, chunk_size=64, header="title_and_section"))
    paths = sorted(path for path in DOCUMENTS.rglob("*") if path.is_file())
    names = {path.relative_to(DOCUMENTS).as_posix(): path for path in paths}
    stored = parse_rows(({"doc_id": name, "path": str(path)} for name, path in names.items()), "auto")
    rows = chunk_rows((row | {"doc_hash": ""} for row in stored), chunker)
    for row in rows:
        direct = chunker.chunk(handbook_document(row["doc_id"]))
        assert [(c["start"], c["end"], c["strategy"]) for c in row["chunks"]] == [(c.start, c.end, c.strategy) for c in direct]


def test_a_file_is_read_from_its_path_and_a_missing_one_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    rows = [{"doc_id": name, "path": str(tmp_path / name)} for name in ("a.txt", "gone.txt")]
    there, gone = parse_rows(rows, "utf-8")
    assert there["text"] == "one"
    assert gone["error_class"] == "FileNotFoundError"


def test_a_file_whose_markup_cannot_be_read_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("udfs.parse.outline_of", refuse)
    done = parsed(a_txt=b"one", bad_md=b"# Deep")
    assert (done["a.txt"]["text"], done["bad.md"]["error_class"]) == ("one", "RecursionError")
