"""The strategy that fits a text, and why."""

import pytest
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, chunk_document
from chunking.strategies import strategies
from tests.chunking.cut import uncovered
from tests.chunking.test_code import SOURCES, TANK
from tests.chunking.test_faq import BUTTON
from tests.chunking.test_legal import AGREEMENT
from tests.chunking.test_transcript import BUDGET
from tests.generators import texts

MARKDOWN = "# Guide\n\nSee [here](https://x.y) and *there*.\n\n## Use\n\n- one\n- two\n\n```sh\nmake\n```\n"
PROSE = "The tide was out and the boats lay on their sides in the mud. Nobody spoke for a while, and the rain went on. " * 5
TURNS = "\n".join(f"{'Ana' if i % 2 else 'Ben'}: I said {i}, and I meant it." for i in range(8))
TABLE = "name,price,stock\n" + "".join(f"rope {i},{i}.50,{i * 7}\n" for i in range(40))


def cut(text: str, uri: str | None = None, content_type: str | None = None) -> list[Chunk]:
    return chunk_document(
        Document("d", text, uri=uri, content_type=content_type), ChunkingConfig(strategy="auto", min_chunk_size=0)
    )


@pytest.mark.parametrize(
    "text, uri, strategy, why",
    [
        (MARKDOWN, "a.md", "markdown", "content type text/markdown"),
        ("<h1>A</h1><p>b</p>", "a.html", "markdown", "content type text/markdown"),
        (TANK, "a.py", "code", "content type text/x-python"),
        (TABLE, "a.csv", "table", "content type text/csv"),
        ("question,answer\nWhy?,So.\n", "a.csv", "faq", "columns of questions and answers"),
        (BUDGET, "a.vtt", "transcript", "3 cues in its layout"),
        ("one\ftwo", "a.txt", "pdf", "2 pages"),
        (BUTTON, "a.md", "faq", "3 questions with answers"),
        (AGREEMENT, "a.txt", "legal", "15 numbered clauses"),
        ("key: value\n", "a.yaml", "recursive", "nothing known of application/yaml but its words"),
    ],
)
def test_by_name_and_form(text: str, uri: str, strategy: str, why: str) -> None:
    chunks = cut(text, uri)
    assert {(chunk.strategy, chunk.metadata["auto"]) for chunk in chunks} == {(strategy, why)}


@pytest.mark.parametrize(
    "text, strategy",
    [(MARKDOWN, "markdown"), (PROSE, "recursive"), (TURNS, "transcript"), (BUTTON, "faq"), (AGREEMENT, "legal"), (TABLE, "table"),
     (TANK * 4, "code"), (SOURCES["go"][0] * 9, "code")],
)  # fmt: skip
def test_by_looks(text: str, strategy: str) -> None:
    assert {chunk.strategy for chunk in cut(text)} == {strategy}


def test_code_without_a_name_is_parsed_in_its_language() -> None:
    assert [chunk.symbol for chunk in cut(TANK * 4)] == [None]
    (chunk,) = cut(TANK * 4)
    assert chunk.metadata["symbols"].startswith("Tank")


def test_its_version_holds_all_blocks() -> None:
    one, other = (ChunkingConfig.model_validate({"strategy": "auto", "faq": {"embed": embed}}) for embed in ("pair", "question"))
    assert one.chunk_settings() != other.chunk_settings()
    assert set(one.chunk_settings()) >= strategies().keys() - {"auto"}


@given(text=texts(12))
def test_any_text(text: str) -> None:
    text = text.replace("\0", "")
    chunks = cut(text)
    assert not uncovered(text, chunks)
    assert all(chunk.strategy in strategies() and chunk.metadata["auto"] for chunk in chunks)
