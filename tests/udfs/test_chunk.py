"""Chunking by topic on a worker, with a real encoder."""

from pathlib import Path

import numpy as np
import pytest

from chunking import ChunkingConfig, build_chunker
from chunking.errors import NoDirectionError
from tests.fakes import TableEncoder, spec_of
from tests.udfs.tiny import TEXT
from udfs.chunk import chunk_rows, sentence_vectors
from udfs.embed import naive_vectors
from udfs.models import EmbeddingConfig, load_encoder, resolve_spec
from udfs.rows import Row

WORDS = TEXT.replace(",", "").replace(":", "").replace(".", "").split()
SENTENCES = [" ".join(WORDS[i % 23 : i % 23 + 3 + i % 7]).capitalize() + "." for i in range(40)]
ROWS: list[Row] = [
    {"doc_id": "prose", "doc_hash": "h", "text": " ".join(SENTENCES)},
    {"doc_id": "long", "doc_hash": "h", "text": f"{' '.join(WORDS * 8)}. {' '.join(SENTENCES[:9])}"},
    {"doc_id": "endless", "doc_hash": "h", "text": " ".join(WORDS * 30)},
    {"doc_id": "lines", "doc_hash": "h", "text": "\n".join(WORDS)},
]


def chunked(model: Path, batch_tokens: int, **block: float) -> list[Row]:
    config = ChunkingConfig.model_validate(
        {"strategy": "semantic", "tokenizer": "words", "chunk_size": 300, "min_chunk_size": 4, "semantic": block}
    )
    tiny = EmbeddingConfig(model=str(model), device="cpu", batch_tokens=batch_tokens)
    return list(chunk_rows(ROWS, build_chunker(config), sentence_vectors(load_encoder(resolve_spec(tiny)))))


@pytest.mark.parametrize("block", [{}, {"threshold": 0.9}, {"deviations": 0.5, "window": 0}])
def test_batches_move_no_boundary(words_model: Path, block: dict[str, float]) -> None:
    """A few sentences at a time, more, or all at once; sentences over the model's window included."""
    few, more, all_at_once = (chunked(words_model, size, **block) for size in (64, 500, 100_000))
    assert few == more == all_at_once
    assert not any(row["error_class"] for row in few)
    assert sum(len(row["chunks"]) for row in few) > len(ROWS)


def test_a_text_without_direction_has_zeros() -> None:
    """A state of zeros can't be scaled to length 1, and is no failure; what isn't finite fails its document."""
    encoder = TableEncoder({"zero.": (0, 0), "one.": (1, 0), "broken.": (np.nan, 0)}, spec_of(normalize=True))
    assert isinstance(next(naive_vectors(["zero."], encoder)), NoDirectionError)
    assert sentence_vectors(encoder)(["zero.", "one."]).tolist() == [[0, 0], [1, 0]]

    chunker = build_chunker(ChunkingConfig(strategy="semantic", tokenizer="words", chunk_size=9, min_chunk_size=0))
    rows = [{"doc_id": name, "doc_hash": "h", "text": f"one. {name}. one."} for name in ("broken", "zero")]
    broken, zero = chunk_rows(rows, chunker, sentence_vectors(encoder))
    assert (broken["error_class"], broken["message"]) == ("EmbeddingError", "vector 0 holds NaN or infinity")
    assert (zero["error_class"], len(zero["chunks"])) == (None, 1)
