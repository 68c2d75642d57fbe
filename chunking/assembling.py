"""Pieces become chunks: text, header, counts, place, flags and id."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from chunking.document import Chunk, Document, Layout, Text
from chunking.fitting import Fit
from chunking.headers import SHORTENED, Headers
from chunking.places import place_of
from chunking.strategies import Piece
from chunking.versions import chunk_id

SMALL = "under_min_chunk_size"


@dataclass(frozen=True, slots=True)
class Naming:
    """What the chunks of one kind have in common."""

    version: str
    kind: Literal["chunk", "parent"]
    strategy: str
    smallest: int


def assemble(document: Document, text: Text, pieces: list[Piece], fit: Fit, headers: Headers, naming: Naming) -> list[Chunk]:
    """The chunks of ``pieces``, which are in order."""
    outline = headers.outline
    layout = outline.layout or text.layout
    repeats = Counter[str]()
    chunks = []
    for index, piece in enumerate(pieces):
        chunk = _chunk(document, text, layout, piece, fit, headers, naming)
        name = chunk_id(naming.version, document.doc_id, naming.kind, chunk.embed_text, repeats[chunk.embed_text])
        chunks.append(replace(chunk, chunk_id=name, index=index))
        repeats[chunk.embed_text] += 1
    return chunks


def _chunk(document: Document, text: Text, layout: Layout, piece: Piece, fit: Fit, headers: Headers, naming: Naming) -> Chunk:
    start, end = piece.start, piece.end
    outline, header, rendered = headers.outline, headers.of(start, end), headers.rendered(start, end)
    detail = outline.detail(start, end)
    body = text.text[start:end]
    token_count = fit.count(start, end) if piece.token_count is None else piece.token_count
    shortened = header.shortened or outline.head_is_cut(start, end)
    return Chunk(
        chunk_id="",
        doc_id=document.doc_id,
        kind=naming.kind,
        index=0,
        start=start,
        end=end,
        text=body,
        header=header.text,
        embed_text=header.lead + (body if rendered is None else rendered),
        token_count=token_count,
        strategy=naming.strategy,
        section_path=outline.sections.common(start, end),
        symbol=detail.symbol,
        references=detail.references,
        flags=(
            *text.flags, *piece.flags, *detail.flags,
            *((SHORTENED,) if shortened else ()), *((SMALL,) if token_count < naming.smallest else ()),
        ),
        metadata={
            **document.metadata, **outline.table_metadata(start, end), **detail.metadata, **piece.metadata,
        },
        **place_of(layout, start, end)._asdict(),
    )  # fmt: skip
