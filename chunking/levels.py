"""Where a text may be cut, by level: blank lines, lines, sentences, clause marks, words, graphemes, or the user's own."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from chunking import graphemes
from chunking.document import Span
from chunking.sentences import Segmenter, load_segmenter

LOOK_AHEAD = 64
LOOK_BACK = 16
FIRST_WINDOW = 160


class Break(NamedTuple):
    """The piece on the left ends at ``end``, the one on the right starts at ``start``; only blanks lie between,
    or a separator that the user wants dropped."""

    end: int
    start: int


class Level(Protocol):
    """One kind of boundary."""

    def last(self, text: str, low: int, high: int) -> Break | None:
        """The last break whose left piece ends in ``(low, high]``."""

    def starts(self, text: str, low: int, high: int) -> Iterator[int]:
        """Where right pieces start in ``[low, high)``, in order."""


def _windows(low: int, high: int) -> Iterator[tuple[int, int]]:
    """``(low, high]`` in windows from the end, the first one short: most of the time the last break is there."""
    width, edge = FIRST_WINDOW, high
    while edge > low:
        begin = max(low, high - width)
        yield begin, edge
        width, edge = width * 8, begin


@dataclass(frozen=True, slots=True)
class Pattern:
    """Separators that match a regular expression; they stay with the piece on their left unless ``drop``."""

    regex: re.Pattern[str]
    drop: bool = False

    def last(self, text: str, low: int, high: int) -> Break | None:
        if not self.regex.search(text, low, high + LOOK_AHEAD):  # as a rule a coarse level has no break within reach
            return None
        for begin, edge in _windows(low, high):
            for match in reversed([*self._matches(text, begin, edge)]):
                if found := self._break(match, text, begin, edge):
                    return found
        return None

    def starts(self, text: str, low: int, high: int) -> Iterator[int]:
        begin = max(low - LOOK_BACK, 0)
        for match in self._matches(text, begin, high):
            if low <= match.end() < high and self._break(match, text, begin, high):
                yield match.end()

    def _matches(self, text: str, low: int, high: int) -> Iterator[re.Match[str]]:
        return self.regex.finditer(text, low, high + LOOK_AHEAD)

    def _break(self, match: re.Match[str], text: str, low: int, high: int) -> Break | None:
        start, end = match.span()
        left = start if self.drop else start + len(match.group().rstrip())
        if left > low and text[left - 1].isspace():
            left = low + len(text[low:left].rstrip())
        return Break(left, end) if low < left <= high and end < len(text) else None

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

    def last(self, text: str, low: int, high: int) -> Break | None:
        for begin, edge in _windows(low, high):
            part = text[begin : edge + LOOK_AHEAD]
            for start, end in reversed(self.segment(part)[:-1]):
                left = begin + start + len(part[start:end].rstrip())
                if begin < left <= edge:
                    return Break(left, begin + end)
        return None

    def starts(self, text: str, low: int, high: int) -> Iterator[int]:
        begin = max(low - LOOK_BACK, 0)
        for _, end in self.segment(text[begin : high + LOOK_AHEAD])[:-1]:
            if low <= begin + end < high:
                yield begin + end


@dataclass(frozen=True, slots=True)
class Known:
    """Boundaries that are known beforehand: the edges of gapless pieces of the whole text."""

    breaks: Sequence[Break]

    @classmethod
    def between(cls, text: str, pieces: Sequence[Span]) -> "Known":
        """The edges between ``pieces``, blanks before an edge left out."""
        return cls([Break(start + len(text[start:end].rstrip()), end) for start, end in pieces[:-1]])

    def last(self, text: str, low: int, high: int) -> Break | None:
        position = bisect_right(self.breaks, high, key=_end) - 1
        return self.breaks[position] if position >= 0 and self.breaks[position].end > low else None

    def starts(self, text: str, low: int, high: int) -> Iterator[int]:
        for position in range(bisect_left(self.breaks, low, key=_start), bisect_left(self.breaks, high, key=_start)):
            yield self.breaks[position].start


def _end(pair: Break) -> int:
    return pair.end


def _start(pair: Break) -> int:
    return pair.start


BLANK_LINES = Pattern(re.compile(r"\n[ \t\r\f]*\n\s*"))
LINES = Pattern(re.compile(r"[\n\r\f\x85\u2028\u2029]\s*"))
CLAUSES = Pattern(re.compile(r"[,;:\u2013\u2014)\]\u3001\uff0c\uff1b\uff1a](?:\s+|(?<=[\u3001\uff0c\uff1b\uff1a]))"))
WORDS = Pattern(re.compile(r"\s+"))
_LINE_FEEDS = Pattern(re.compile(r"\n\s*"))


def lines_of(text: str) -> Pattern:
    """``LINES``, in a form that is searched ten times as fast when line feeds are all that ends a line in ``text``."""
    return LINES if any(mark in text for mark in "\r\f\x85\u2028\u2029") else _LINE_FEEDS


def prose_levels(text: str, language: str) -> tuple[Level, ...]:
    """Blank lines, lines, sentence ends, clause marks, words."""
    return BLANK_LINES, lines_of(text), Sentences(load_segmenter("sentencex", language)), CLAUSES, WORDS
