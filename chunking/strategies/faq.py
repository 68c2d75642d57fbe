"""One question with its answer to a chunk."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from chunking.blocks import Block, covering, cut_blocks, inside, without_gaps
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.markdown import parse_markdown
from chunking.outline import Detail, Outline, Repeat, blocks_of, nested_repeats, no_detail, outline_of, repeats_of, tables_of
from chunking.questions import Pair, find_pairs, find_terms
from chunking.reading.kinds import MARKDOWN
from chunking.strategies.registry import Piece, Strategy, register
from chunking.tables import ELLIPSIS

_UNDERLINE = re.compile(r"\n[ \t]*(?:=+|-+)[ \t]*$")
UNANSWERED = "unanswered"


@register("faq")
@dataclass(frozen=True, slots=True)
class Faq(Strategy):
    """A question stays with its answer while the two fit, and with headings right above it unless those cut it; later parts of a
    longer answer have the question in their header, and ``part`` in their metadata. What else stands between the pairs are
    chunks of their own. A Markdown text that asks nothing is read as terms in bold with their explanations.

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
        pairs, tables = _pairs(text), tables_of(text)
        questions = tuple(_repeat(text.text, pair) for pair in pairs if pair.answer)
        return Outline(
            outline_of(text).sections,
            tables,
            nested_repeats(questions, repeats_of(text.text, tables)),
            rendered=dict(_asked(text, pairs)) if self.embed == "question" else {},
            detail=partial(_detail, text.text, pairs) if pairs else no_detail,
        )

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        pieces = list[Piece]()
        for group, pair in _groups(text, fit):
            spans = cut_blocks(group, fit, finer)
            parts = len(spans) if pair else 1
            pieces += [Piece(*span, metadata=_part(place, parts)) for place, span in enumerate(spans, start=1)]
        return pieces


def _pairs(text: Text) -> tuple[Pair, ...]:
    return find_pairs(text) or (tuple(find_terms(text.text)) if text.content_type == MARKDOWN else ())


def _part(place: int, parts: int) -> dict[str, str]:
    return {"part": f"{place} of {parts}"} if parts > 1 else {}


def _groups(text: Text, fit: Fit) -> Iterator[tuple[tuple[Block, ...], Pair | None]]:
    """Each pair, with headings right above it unless it fits only without, and what else stands between two."""
    inner = blocks_of(text)
    pairs, place = _pairs(text), 0
    for pair, low in zip(pairs, (0, *(pair.end for pair in pairs)), strict=False):
        above = _heads(text, low, pair.start)
        start = above if fit.holds(above, pair.end) or not fit.holds(pair.start, pair.end) else pair.start
        if text.text[place:start].strip():
            yield covering(inner, Span(place, start), text.text), None
        heads = (Block(start, pair.start, leads=True),) if start < pair.start else ()
        blocks = (*heads, Block(*pair.asked, leads=True), *inside(inner, pair.asked.end, pair.end))
        filled = without_gaps(blocks, Span(start, pair.end), text.text)
        yield (Block(start, pair.end, filled),) if len(filled) > 1 else filled, pair
        place = pair.end
    if text.text[place:].strip():
        yield covering(inner, Span(place, len(text.text)), text.text), None


def _heads(text: Text, low: int, end: int) -> int:
    """Where the headings of a Markdown text begin that stand right before ``end`` and behind ``low``."""
    headings = parse_markdown(text.text).headings if text.content_type == MARKDOWN else ()
    place = bisect_left(headings, end, key=lambda heading: heading.start) - 1
    while place >= 0 and headings[place].start >= low and not text.text[headings[place].end : end].strip():
        end = headings[place].start
        place -= 1
    return end


def _asked(text: Text, pairs: tuple[Pair, ...]) -> Iterator[tuple[tuple[int, int], str]]:
    """The words of each question by the spans that its pair can have: with the headings right above it, or without."""
    for pair, low in zip(pairs, (0, *(pair.end for pair in pairs)), strict=False):
        yield (pair.start, pair.end), pair.question
        yield (_heads(text, low, pair.start), pair.end), pair.question


def _repeat(text: str, pair: Pair) -> Repeat:
    """The question, without a line under it, for every chunk that begins behind it."""
    asked = _UNDERLINE.sub("", text[pair.asked.start : pair.asked.end])
    return Repeat(pair.asked.end, pair.end, asked, "\n\n", partial(_shorter, asked))


def _shorter(asked: str) -> Iterator[str]:
    words = asked.split()
    yield from (" ".join(words[:kept]) + ELLIPSIS for kept in range(len(words) - 1, 0, -1))


def _detail(text: str, pairs: tuple[Pair, ...], start: int, end: int) -> Detail:
    """The pair that a chunk is of."""
    found = bisect_right(pairs, start, key=lambda pair: pair.end)
    pair = pairs[found] if found < len(pairs) and pairs[found].start < end else None
    if pair is None:
        return Detail()
    answer = text[max(start, pair.answer.start) : end].strip() if pair.answer else ""
    known = {"question": pair.question} | ({"answer": answer} if answer else {})
    return Detail(metadata=known, flags=() if pair.answer else (UNANSWERED,))
