"""Cutting between the parts of a structured text: each part stays whole while it fits, whatever its kind."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from chunking import graphemes
from chunking.cutting import Cutter
from chunking.document import Span
from chunking.fitting import Fit
from chunking.levels import LINES, WORDS, Break, Known, Level


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text, and the parts of that.

    ``leads`` marks one that says what comes next, such as a heading: no chunk ends after it while the two fit together.
    """

    start: int
    end: int
    children: tuple["Block", ...] = ()
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """The breaks of a level inside ``regions`` alone, which are in order and apart."""

    level: Level
    regions: Sequence[Span]

    def last(self, text: str, low: int, high: int) -> Break | None:
        for position in range(bisect_left(self.regions, high, key=_start) - 1, -1, -1):
            region = self.regions[position]
            if region.end <= low:
                return None
            if found := self.level.last(text, max(low, region.start), min(high, region.end - 1)):
                return found
        return None

    def starts(self, text: str, low: int, high: int) -> Iterator[int]:
        for position in range(bisect_left(self.regions, low, key=_end), len(self.regions)):
            region = self.regions[position]
            if region.start >= high:
                return
            yield from self.level.starts(text, max(low, region.start + 1), min(high, region.end))


def _start(span: Span) -> int:
    return span.start


def _end(span: Span) -> int:
    return span.end


@dataclass
class _Found:
    """Where a text may be cut: between blocks, by depth; after a leading block, if nothing else is left; inside leaves."""

    between: dict[int, list[Break]] = field(default_factory=dict)
    after_leading: list[Break] = field(default_factory=list)
    leaves: list[Span] = field(default_factory=list)


def cut_blocks(blocks: Sequence[Block], fit: Fit, finer: Sequence[Level], indented: bool = False) -> list[Span]:
    """The chunks of the region that ``blocks`` cover without gaps (blanks apart), trimmed, in order.

    A chunk takes as many whole blocks as fit. A block that doesn't fit alone is cut between its children, one without
    children by the levels ``finer``.
    """
    if not blocks:
        return []
    found = _Found()
    _walk(blocks, fit, 0, found)
    own = [Known(found.between[depth]) for depth in sorted(found.between)]
    inside = [Within(level, found.leaves) for level in finer] if found.leaves else []
    last_resort = ((Known(found.after_leading),), (LINES, WORDS))
    cutter = Cutter(fit, (*own, *inside), (), last_resort=last_resort, indented=indented)
    start = blocks[0].start
    if start and fit.text[start - 1].isspace() and not graphemes.is_boundary(fit.text, start, start - 1):
        start -= 1  # a parser takes a blank for no part of a block, even when it carries a combining mark
    return cutter.cut(Span(start, blocks[-1].end))


def _walk(blocks: Sequence[Block], fit: Fit, depth: int, found: _Found) -> None:
    for position, block in enumerate(blocks):
        if position:
            before = blocks[position - 1]
            gap = Break(before.start + len(fit.text[before.start : block.start].rstrip()), block.start)
            (found.after_leading if before.leads else found.between.setdefault(depth, [])).append(gap)
        if fit.holds(block.start, block.end):
            continue
        if block.children:
            _walk(block.children, fit, depth + 1, found)
        else:
            found.leaves.append(Span(block.start, block.end))


def inside(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """Those of ``blocks``, which are in order and apart, that lie in ``[start, end)``."""
    first = bisect_left(blocks, start, key=lambda block: block.start)
    after = bisect_right(blocks, end, key=lambda block: block.end)
    return blocks[first:after]


def covering(blocks: Sequence[Block], region: Span, text: str) -> tuple[Block, ...]:
    """Those of ``blocks`` that lie in ``region``, with leaves for what is between them."""
    return without_gaps(inside(blocks, *region), region, text)


def without_gaps(blocks: Sequence[Block], region: Span, text: str) -> tuple[Block, ...]:
    """``blocks`` with leaves for the visible text between them, so that they cover ``region``; children likewise."""
    filled, place = list[Block](), region.start
    for block in blocks:
        if text[place : block.start].strip():
            filled.append(Block(place, block.start))
        start = max(block.start, place)
        children = without_gaps(block.children, Span(start, block.end), text) if block.children else ()
        filled.append(replace(block, start=start, children=children))
        place = max(place, block.end)
    if text[place : region.end].strip():
        filled.append(Block(place, region.end))
    return tuple(filled)
