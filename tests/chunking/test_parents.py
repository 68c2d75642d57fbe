"""Parents: larger spans of the same document, cut first by the same rules."""

import pytest
from pydantic import ValidationError

from chunking import ChunkingConfig, Document, chunk_document

TEXT = "# A\n\nOne two three. Four five six.\n\nSeven eight nine ten.\n\n# B\n\nEleven twelve.\n\nThirteen fourteen fifteen.\n"


def test_chunks_come_first_and_name_the_parent_they_lie_in() -> None:
    config = ChunkingConfig(strategy="markdown", tokenizer="words", chunk_size=6, min_chunk_size=0, parent_chunk_size=14)
    found = chunk_document(Document("d", TEXT, content_type="text/markdown"), config)
    chunks, parents = ([chunk for chunk in found if chunk.kind == kind] for kind in ("chunk", "parent"))

    assert found == chunks + parents
    assert [parent.text[:3] for parent in parents] == ["# A", "# B"]
    assert [parent.section_path for parent in parents] == [("A",), ("B",)]
    assert [chunk.parent_id for chunk in chunks] == [parents[0].chunk_id] * 3 + [parents[1].chunk_id] * 2
    assert all(parent.parent_id is None for parent in parents)


def test_overlap_ends_at_the_parent() -> None:
    config = ChunkingConfig(
        tokenizer="words", chunk_size=4, chunk_overlap=2, min_chunk_size=0, parent_chunk_size=8, allow_high_overlap=True
    )
    found = chunk_document(Document("d", " ".join(f"w{i}" for i in range(16))), config)
    spans = [(chunk.kind, chunk.text.split()[0], chunk.text.split()[-1]) for chunk in found]
    assert spans == [
        ("chunk", "w0", "w3"), ("chunk", "w2", "w5"), ("chunk", "w4", "w7"),
        ("chunk", "w8", "w11"), ("chunk", "w10", "w13"), ("chunk", "w12", "w15"),
        ("parent", "w0", "w7"), ("parent", "w8", "w15"),
    ]  # fmt: skip


def test_units_asked_for_one_by_one_have_parents_of_many() -> None:
    config = ChunkingConfig(
        strategy="sentence",
        tokenizer="words",
        chunk_size=8,
        min_chunk_size=0,
        parent_chunk_size=20,
        sentence={"max_sentences": 1},
    )
    found = chunk_document(Document("d", "One. Two. Three. Four."), config)
    assert [chunk.text for chunk in found] == ["One.", "Two.", "Three.", "Four.", "One. Two. Three. Four."]


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"chunk_size": 64, "parent_chunk_size": 64}, "parent_chunk_size 64 must be over chunk_size 64"),
        ({"strategy": "whole", "parent_chunk_size": 999}, "has no use with strategy whole"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ChunkingConfig.model_validate(settings)
