"""Where a text may be cut, by level: blank lines, lines, sentences, clause marks, words, graphemes, or the user's own."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from chunking import graphemes
from chunking.document import Span
from chunking.sentences import Segmenter

LOOK_AHEAD = 64
FIRST_WINDOW = 160


class Break(NamedTuple):
    """The piece on the left ends at ``end``, the one on the right starts at ``start``; only blanks lie between,
    or a separator that the user wants dropped."""

    end: int
    start: int


class Level(Protocol):
    """One kind of boundary."""

    def all(self, text: str, low: int, high: int) -> Iterator[Break]:
        """The breaks whose left piece ends in ``(low, high]``, in order."""

    def last(self, text: str, low: int, high: int) -> Break | None:
        """The last of them."""


def _last_by_windows(level: Level, text: str, low: int, high: int) -> Break | None:
    """Look in a short window before ``high`` first: most of the time the break is there."""
    width, edge = FIRST_WINDOW, high
    while edge > low:
        begin = max(low, high - width)
        found: Break | None = None
        for found in level.all(text, begin, edge):  # noqa: B007 - the last one is wanted
            pass
        if found:
            return found
        width, edge = width * 8, begin
    return None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Separators that match a regular expression; they stay with the piece on their left unless ``drop``."""

    regex: re.Pattern[str]
    drop: bool = False

    def all(self, text: str, low: int, high: int) -> Iterator[Break]:
        for match in self.regex.finditer(text, low, min(high + LOOK_AHEAD, len(text))):
            start, end = match.span()
            if start > high:
                return
            left = start if self.drop else start + len(match.group().rstrip())
            if left > low and text[left - 1].isspace():
                left = low + len(text[low:left].rstrip())
            if low < left <= high and end < len(text):
                yield Break(left, end)

    def last(self, text: str, low: int, high: int) -> Break | None:
        return _last_by_windows(self, text, low, high)

    def after(self, text: str, start: int, stop: int) -> int:
        """The end of a separator at ``start``, or ``start`` if there is none."""
        match = self.regex.match(text, start, stop)
        return match.end() if match and graphemes.is_boundary(text, match.end(), start) else start

    def before(self, text: str, start: int, end: int) -> int:
        """The start of a separator that ends at ``end``, or ``end`` if there is none."""
        for match in self.regex.finditer(text, max(start, end - LOOK_AHEAD), end):
            if match.end() == end and graphemes.is_boundary(text, match.start(), start):
                return match.start()
        return end


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentence ends, found by a segmenter only around the place where a cut is wanted."""

    segment: Segmenter

    def all(self, text: str, low: int, high: int) -> Iterator[Break]:
        for sentence in self.segment(text[low : high + LOOK_AHEAD])[:-1]:
            start = low + sentence.end
            left = start - (sentence.end - sentence.start - len(text[low + sentence.start : start].rstrip()))
            if low < left <= high:
                yield Break(left, start)

    def last(self, text: str, low: int, high: int) -> Break | None:
        return _last_by_windows(self, text, low, high)


@dataclass(frozen=True, slots=True)
class Known:
    """Boundaries that are known beforehand: the edges of gapless pieces of the whole text."""

    breaks: Sequence[Break]

    @classmethod
    def between(cls, text: str, pieces: Sequence[Span]) -> "Known":
        """The edges between ``pieces``, blanks before an edge left out."""
        return cls([Break(start + len(text[start:end].rstrip()), end) for start, end in pieces[:-1]])

    def all(self, text: str, low: int, high: int) -> Iterator[Break]:
        for position in range(bisect_right(self.breaks, low, key=_end), bisect_right(self.breaks, high, key=_end)):
            yield self.breaks[position]

    def last(self, text: str, low: int, high: int) -> Break | None:
        position = bisect_right(self.breaks, high, key=_end) - 1
        return self.breaks[position] if position >= 0 and self.breaks[position].end > low else None


def _end(pair: Break) -> int:
    return pair.end


BLANK_LINES = Pattern(re.compile(r"\n[ \t\r\f]*\n\s*"))
LINES = Pattern(re.compile(r"[\n\r\f\x85\u2028\u2029]\s*"))
CLAUSES = Pattern(re.compile(r"[,;:\u2013\u2014)\]]\s+|[\u3001\uff0c\uff1b\uff1a]\s*"))
WORDS = Pattern(re.compile(r"\s+"))
