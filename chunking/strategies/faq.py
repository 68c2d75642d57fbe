"""One question with its answer to a chunk."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal

from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.markdown import parse_markdown
from chunking.outline import Detail, Outline, Repeat, no_detail, outline_of
from chunking.questions import Pair, find_pairs
from chunking.reading.kinds import MARKDOWN
from chunking.strategies.registry import Piece, Strategy, register
from chunking.tables import ELLIPSIS

UNANSWERED = "unanswered"


@register("faq")
@dataclass(frozen=True, slots=True)
class Faq(Strategy):
    """A question stays with its answer while the two fit; later parts of a longer answer have the question in their header,
    and ``part`` in their metadata. What stands between the pairs are chunks of their own.

    Args:
        embed: ``pair``, or the question's words alone, for a pair that is one chunk.
        language: ISO 639-1 code for the sentence ends.
    """

    embed: Literal["pair", "question"] = "pair"
    language: str = "en"

    @property
    def merges(self) -> bool:
        return False

    def outline(self, text: Text) -> Outline:
        pairs = find_pairs(text)
        asked = {(pair.start, pair.end): pair.question for pair in pairs if self.embed == "question"}
        return Outline(
            outline_of(text).sections,
            repeats=tuple(_repeat(text.text, pair) for pair in pairs if pair.answer),
            rendered=asked,
            detail=partial(_detail, text.text, pairs) if pairs else no_detail,
        )

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        pieces = list[Piece]()
        for group in _groups(text):
            spans = cut_blocks(group, fit, finer)
            pieces += [Piece(*span, metadata=_part(place, len(spans))) for place, span in enumerate(spans, start=1)]
        return pieces


def _part(place: int, parts: int) -> dict[str, str]:
    return {"part": f"{place} of {parts}"} if parts > 1 else {}


def _groups(text: Text) -> Iterator[tuple[Block, ...]]:
    """Each pair, and what stands between two."""
    pairs = find_pairs(text)
    inner = parse_markdown(text.text).blocks if text.content_type == MARKDOWN else ()
    by_start = {pair.start: pair for pair in pairs}
    edges = sorted({0, len(text.text), *by_start, *(pair.end for pair in pairs)})
    for start, end in pairwise(edges):
        if not text.text[start:end].strip():
            continue
        region, pair = Span(start, end), by_start.get(start)
        question = (Block(*pair.asked, leads=True),) if pair else ()
        begin = pair.asked.end if pair else start
        first = bisect_left(inner, begin, key=lambda block: block.start)
        after = bisect_right(inner, end, key=lambda block: block.end)
        blocks = (*question, *inner[first:after])
        filled = without_gaps(blocks, region, text.text)
        yield (Block(start, end, filled),) if pair and len(filled) > 1 else filled


def _repeat(text: str, pair: Pair) -> Repeat:
    """The question, for every chunk that begins behind it."""
    asked = text[pair.asked.start : pair.asked.end]
    return Repeat(pair.asked.end, pair.end, asked, "\n\n", partial(_shorter, asked))


def _shorter(asked: str) -> Iterator[str]:
    words = asked.split()
    yield from (" ".join(words[:kept]) + ELLIPSIS for kept in range(len(words) - 1, 0, -1))


def _detail(text: str, pairs: tuple[Pair, ...], start: int, end: int) -> Detail:
    """The pair that a chunk is of."""
    found = bisect_right(pairs, start, key=lambda pair: pair.start) - 1
    pair = pairs[found] if found >= 0 else None
    if pair is None or start >= pair.end:
        return Detail()
    answer = text[max(start, pair.answer.start) : end].strip() if pair.answer else ""
    known = {"question": pair.question} | ({"answer": answer} if answer else {})
    return Detail(metadata=known, flags=() if pair.answer else (UNANSWERED,))
