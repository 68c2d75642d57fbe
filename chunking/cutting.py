"""The one algorithm that cuts: from each start, as many whole pieces as fit, at the best break within reach."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from chunking import graphemes
from chunking.document import Span
from chunking.errors import TooLargeError
from chunking.fitting import Fit
from chunking.levels import LOOK_AHEAD, WORDS, Level, Pattern

_VISIBLE = re.compile(r"\S")
# Scripts that are written without blanks between words: Thai, Lao, Burmese, Khmer, kana, ideographs.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]")


def skip_blanks(text: str, start: int, end: int) -> int:
    """The first non-blank place in ``[start, end)``, or ``end``; a blank that carries a combining mark isn't skipped."""
    visible = _VISIBLE.search(text, start, end)
    stripped = visible.start() if visible else end
    return stripped if graphemes.is_boundary(text, stripped, start) else stripped - 1


def trim_end(text: str, start: int, end: int) -> int:
    """``end`` without the blanks before it."""
    while end > start and text[end - 1].isspace():
        begin = max(end - 256, start)
        end = begin + len(text[begin:end].rstrip())
    return end


@dataclass(frozen=True)
class Cutter:
    """Cuts ``region`` of a text.

    A break at a coarser level is taken when it leaves the chunk at least half full; else a finer one is, down to words;
    a grapheme boundary comes last.

    Args:
        own: the strategy's levels, coarse to fine.
        finer: the next finer rules, for what ``own`` can't cut.
        last_resort: levels for where none of those has a break, group after group.
        dropped: separators to leave out at the edges of chunks, like blanks.
        cap: an end that a chunk from ``start`` must not pass, whatever fits.
        indented: a chunk that starts on a line of its own keeps the blanks before its first word.
        restarts: where the next chunk may start so that it overlaps ``[start, end)``, most overlap first;
            None: by tokens.
    """

    fit: Fit
    own: Sequence[Level]
    finer: Sequence[Level] = (WORDS,)
    last_resort: Sequence[Sequence[Level]] = ()
    dropped: Sequence[Pattern] = ()
    cap: Callable[[int], int] | None = None
    restarts: Callable[[int, int], Iterator[int]] | None = None
    indented: bool = False
    text: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.fit.text)

    def cut(self, region: Span) -> list[Span]:
        """The chunks of ``region``, trimmed, in order; starts and ends both strictly increase."""
        return [span for part in self.fit.regions(region) for span in self._cut(part)]

    def _cut(self, region: Span) -> list[Span]:
        spans: list[Span] = []
        stop = self._trim(*region)
        start = self._skip(region.start, stop)
        end = self._first_end(start, stop) if start < stop else stop
        while start < stop:
            chunk = Span(start, end)
            if not self.text[start].isspace() or not self.text[start:end].isspace():  # a blank cut off its combining mark
                spans.append(chunk)
            after = self._skip(end, stop)
            if after >= stop:
                break
            start, end = self._next(chunk, after, stop)
        return spans

    def _skip(self, start: int, stop: int) -> int:
        """The first place from ``start`` that is neither blank nor a dropped separator."""
        place = skip_blanks(self.text, start, stop)
        while self.dropped and (after := max(level.after(self.text, place, stop) for level in self.dropped)) > place:
            place = skip_blanks(self.text, after, stop)
        return self._with_indent(start, place) if self.indented and place < stop else place

    def _with_indent(self, start: int, place: int) -> int:
        """The start of the line whose first word is at ``place``, if not before ``start``, and if a chunk takes it."""
        begin = place
        while begin > start and self.text[begin - 1] in " \t":
            begin -= 1
        on_its_own = begin == 0 or self.text[begin - 1] in "\n\r\f\x85\u2028\u2029"
        return begin if on_its_own and graphemes.is_boundary(self.text, begin, 0) and self.fit.fits(begin, place + 1) else place

    def _trim(self, start: int, end: int) -> int:
        """``end`` without the blanks and dropped separators before it."""
        end = trim_end(self.text, start, end)
        while self.dropped and (before := min(level.before(self.text, start, end) for level in self.dropped)) < end:
            end = trim_end(self.text, start, before)
        return end

    def _first_end(self, start: int, stop: int) -> int:
        """The end of a chunk from ``start`` that overlaps none."""
        return self._take_whole(start, start, stop) or self._take_within(start, start, stop) or self._take_cluster(start, stop)

    def _next(self, chunk: Span, after: int, stop: int) -> Span:
        """The next chunk, overlapping ``chunk`` where there is room."""
        return self._next_overlapping(chunk, after, stop) or Span(after, self._first_end(after, stop))

    def _next_overlapping(self, chunk: Span, after: int, stop: int) -> Span | None:
        if not (self.fit.overlap or self.restarts):
            return None
        for start in self._overlaps(chunk):
            if end := self._take_whole(start, chunk.end, stop):
                return Span(start, end)
        for start in self._grapheme_overlaps(chunk, after):
            if end := self._take_whole(start, chunk.end, stop) or self._take_within(start, chunk.end, stop):
                return Span(start, end)
        return None

    def _overlaps(self, chunk: Span) -> Iterator[int]:
        """Where the next chunk may start inside ``chunk``, most overlap first."""
        for place in self.restarts(*chunk) if self.restarts else self._token_overlaps(chunk):
            start = self._skip(place, chunk.end)
            if (
                chunk.start < start < chunk.end
                and self._is_light(start, chunk)
                and graphemes.is_boundary(self.text, start, chunk.start)
            ):
                yield start

    def _is_light(self, start: int, chunk: Span) -> bool:
        return not self.fit.overlap or self.fit.count(start, chunk.end) <= self.fit.overlap

    def _token_overlaps(self, chunk: Span) -> Iterator[int]:
        """Starts of pieces within the overlap, of the coarsest level that gives at least half of it."""
        low = self._lowest_overlap(chunk)
        starts: Iterator[int] = iter(())
        for level in (*self.own, *self.finer):
            within = level.starts(self.text, low, chunk.end)
            if (first := next(within, None)) is not None:
                starts = chain((first,), within)
                if first <= (low + chunk.end) // 2:
                    break
        return starts

    def _grapheme_overlaps(self, chunk: Span, after: int) -> Iterator[int]:
        """Where no blank parts words, at this edge or in this script, whole clusters are the pieces that overlap."""
        if not self.fit.overlap or self.restarts:
            return
        low = self._lowest_overlap(chunk)
        if after > chunk.end and not _UNSPACED.search(self.text, low, chunk.end):
            return
        begin = graphemes.last_boundary(self.text, chunk.start, low)
        for start in chain((begin,), graphemes.boundaries(self.text, begin, chunk.end - 1)):
            if start >= low and not self.text[start].isspace() and self._is_light(start, chunk):
                yield start

    def _lowest_overlap(self, chunk: Span) -> int:
        return max(self.fit.sizing.back(chunk.end, self.fit.overlap), chunk.start + 1)

    def _high(self, start: int, stop: int) -> int:
        high = min(self.fit.reach(start), stop)
        return min(high, self.cap(start)) if self.cap else high

    def _take_whole(self, start: int, low: int, stop: int) -> int | None:
        """The end of a chunk from ``start`` at a break after ``low``, without cutting a piece by graphemes."""
        high = self._high(start, stop)
        if high >= stop and self.fit.fits(start, stop):
            return stop
        while high > low:
            end = self._choose(start, low, high)
            if end is None:
                return None
            whole = graphemes.is_boundary(self.text, end, start)
            shorter = self.fit.excess(start, end) if whole else end - 1
            if whole and not shorter:
                return end
            high = min(shorter, end - 1)
        return None

    def _choose(self, start: int, low: int, high: int) -> int | None:
        middle = max(low, (start + high) // 2)
        for group in (self.own, self.finer, *self.last_resort):
            for level in group:
                if (found := level.last(self.text, middle, high)) and (end := self._trim(start, found.end)) > low:
                    return end
            early = [self._trim(start, found.end) for level in group if (found := level.last(self.text, low, middle))]
            if early and max(early) > low:
                return max(early)
        return None

    def _take_within(self, start: int, low: int, stop: int) -> int | None:
        """The end of a chunk from ``start`` at the last grapheme boundary after ``low`` that fits."""
        high = self._high(start, stop)
        while high > low:
            end = self._trim(start, graphemes.last_boundary(self.text, start, high))
            if end <= low:
                return None
            shorter = self.fit.excess(start, end)
            if not shorter:
                return end
            high = min(shorter, end - 1)
        return None

    def _take_cluster(self, start: int, stop: int) -> int:
        """One cluster is over the reach: whole if it fits after all, else cut between code points."""
        limit = min(self._high(start, stop) + LOOK_AHEAD, stop)
        end = next(graphemes.boundaries(self.text, start, limit), limit)
        while shorter := self.fit.excess(start, end):
            if end == start + 1:
                raise TooLargeError(
                    f"the code point U+{ord(self.text[start]):04X} at {start} alone is over the limit "
                    f"(chunk_size {self.fit.size}); raise chunk_size or max_embed_tokens"
                )
            end = max(start + 1, min(shorter, end - 1))
        return end
