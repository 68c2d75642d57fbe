"""What fits into one chunk of one text: the size in the sizing tokenizer, and the room in the embedder."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Protocol

from chunking.document import Span
from chunking.tokenizers.tokens import Tokenizer, Tokens


class Leads(Protocol):
    """What stands before a chunk's text when it is embedded."""

    def lead(self, start: int, end: int) -> str:
        """Before the chunk ``[start, end)``, its joiner included; empty for nothing. Before an empty one: the least."""

    def rendered(self, start: int, end: int) -> str | None:
        """What is embedded in place of the text of the chunk ``[start, end)``, if anything."""

    def unit_end(self, start: int) -> int:
        """The end of the row around ``start``, for which alone a lead is shortened; ``start`` where there is none."""


class Gauge:
    """Counts slices of one text in one tokenizer; the text is encoded once, when that is first needed."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self._tokenizer = tokenizer
        self._text = text
        self._tokens: Tokens | None = None
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def tokens(self) -> Tokens:
        """The tokens of the whole text."""
        if self._tokens is None:
            self._tokens = self._tokenizer.spans(self._text)
        return self._tokens

    @property
    def encoded(self) -> bool:
        """Whether the text was encoded already."""
        return self._tokens is not None

    def count(self, start: int, end: int) -> int:
        """Tokens of the slice encoded on its own."""
        key = (start, end)
        if key not in self._counts:
            self._counts[key] = self._tokenizer.count_slice(self._text, self.tokens, start, end)
        return self._counts[key]

    def count_text(self, text: str) -> int:
        """Tokens of another text."""
        return self._tokenizer.count(text)

    def count_with(self, lead: str, start: int, end: int) -> int:
        """Tokens of the slice with ``lead`` before it, encoded together."""
        if lead or not self.encoded:
            return self._tokenizer.count(lead + self._text[start:end])
        return self.count(start, end)

    def reach(self, start: int, room: int) -> int:
        """The end of the longest slice from ``start`` that holds at most ``room`` of the text's own tokens."""
        tokens = self.tokens
        after = int(tokens.ends.searchsorted(start, "right")) + room
        return int(tokens.starts[after]) if after < len(tokens) else len(self._text)

    def back(self, end: int, room: int) -> int:
        """The start of the longest slice up to ``end`` that holds at most ``room`` of the text's own tokens."""
        first = int(self.tokens.starts.searchsorted(end)) - room
        return int(self.tokens.starts[first]) if first > 0 else 0


class Fit:
    """The two hard limits on one text; the tighter one wins, chunk by chunk.

    Args:
        sizing: counts ``size``; a chunk's text is within it.
        embed: counts ``room``, what the embedder takes; a chunk's lead and text are within it. None: no limit.
        walls: places that no chunk crosses: where parents start.
    """

    def __init__(
        self,
        text: str,
        sizing: Gauge,
        size: int,
        overlap: int = 0,
        embed: Gauge | None = None,
        room: int = 0,
        leads: Leads | None = None,
        walls: tuple[int, ...] = (),
    ) -> None:
        self.text = text
        self.sizing = sizing
        self.size = size
        self.overlap = overlap
        self._embed = embed
        self._room = room
        self._leads = leads
        self._walls = walls

    def regions(self, span: Span) -> Iterator[Span]:
        """``span`` in parts between the walls."""
        inside = self._walls[bisect_right(self._walls, span.start) : bisect_left(self._walls, span.end)]
        yield from (Span(start, end) for start, end in pairwise((span.start, *inside, span.end)))

    def _wall(self, start: int, end: int) -> int:
        """The first wall inside ``[start, end)``, or ``end``."""
        found = bisect_right(self._walls, start)
        return min(self._walls[found], end) if found < len(self._walls) else end

    def count(self, start: int, end: int) -> int:
        """Tokens of the sizing tokenizer in the slice, encoded on its own."""
        return self.sizing.count(start, end)

    def reach(self, start: int) -> int:
        """About how far a chunk from ``start`` can go; ``excess`` is the exact test."""
        high = self._wall(start, self.sizing.reach(start, self.size))
        return high if self._embed is None else min(high, self._embed_reach(start, high))

    def excess(self, start: int, end: int, sized: bool = True) -> int:
        """0 if the slice fits; else an end before which a shorter one may fit, always smaller than ``end``.

        ``sized=False`` leaves the sizing limit to the caller and tests the embedder's alone.
        """
        if self._walls and (wall := self._wall(start, end)) < end:
            return wall
        if sized and (over := self.count(start, end) - self.size) > 0:
            return self._shorter(self.sizing, start, end, over)
        if self._embed is not None:
            over = self._embedded(self._embed, start, end) - self._room
            if over > 0:
                return self._shorter(self._embed, start, end, over)
        return 0

    def fits(self, start: int, end: int) -> bool:
        """Whether the slice is within both limits."""
        return self.excess(start, end) == 0

    def holds(self, start: int, end: int) -> bool:
        """Whether the slice fits and a chunk from ``start`` is sure to reach its end."""
        return self.fits(start, end) and self.reach(start) >= end

    def _embed_reach(self, start: int, high: int) -> int:
        """Encoding by the embedder's tokenizer is slow, so its tokens are asked for only once something didn't fit."""
        if self._embed is None or not self._embed.encoded:
            return high
        lead = self._lead(start, start)
        room = self._room - (self._embed.count_with(lead, start, start) if lead else 0)
        return self._embed.reach(start, max(room, 1))

    def _embedded(self, embed: Gauge, start: int, end: int) -> int:
        rendered = self._leads.rendered(start, end) if self._leads else None
        lead = self._lead(start, end)
        return embed.count_with(lead, start, end) if rendered is None else embed.count_text(lead + rendered)

    def _lead(self, start: int, end: int) -> str:
        return self._leads.lead(start, end) if self._leads else ""

    def _shorter(self, gauge: Gauge, start: int, end: int, over: int) -> int:
        tokens = gauge.tokens
        last = int(tokens.starts.searchsorted(end)) - over
        shorter = int(tokens.starts[max(last, 0)]) if len(tokens) else end
        unit_end = self._leads.unit_end(start) if self._leads else start
        return max(start + 1, (start + end) // 2, min(end - 1, max(shorter, unit_end)))
