"""``cut``: a text and settings to chunks, with nothing merged and any overlap allowed unless a test asks for it."""

from collections.abc import Sequence
from typing import Any

from chunking import Chunk, ChunkingConfig, Document, chunk_document


def cut(text: str, title: str | None = None, content_type: str | None = None, **settings: Any) -> list[Chunk]:
    """The chunks of one document ``d``."""
    config = ChunkingConfig(**{"min_chunk_size": 0, "allow_high_overlap": True, **settings})
    return chunk_document(Document("d", text, title=title, content_type=content_type), config)


def spans_of(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Where the chunks stand, as plain pairs."""
    return [(chunk.start, chunk.end) for chunk in chunks]


def texts_of(chunks: Sequence[Chunk]) -> list[str]:
    """What the chunks say."""
    return [chunk.text for chunk in chunks]


def uncovered(text: str, chunks: Sequence[Chunk]) -> str:
    """The non-blank characters of ``text`` that stand in no chunk."""
    covered = {position for chunk in chunks for position in range(chunk.start, chunk.end)}
    return "".join(char for position, char in enumerate(text) if position not in covered and not char.isspace())
