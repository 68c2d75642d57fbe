"""What is compared with its neighbours to find where a topic ends: sentences, lines where nothing ends a sentence."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import regex

from chunking import graphemes
from chunking.cutting import Cutter, skip_blanks, trim_end
from chunking.document import Span
from chunking.fitting import Fit
from chunking.levels import BLANK_LINES, prose_levels
from chunking.lines import line_starts
from chunking.sentences import CLOSING, ends_sentence, load_segmenter

TITLE_LENGTH = 80
MOST_TITLES = 3
"""So many in a row; more are a list, a poem or a log."""
PARTS, LEAST_PART = 8, 16
LOOK_BACK = 256
_COLON = regex.compile(rf"[:\uff1a]{CLOSING}")
_WORD = regex.compile(r"[\p{L}\p{N}]")
_GOES_ON = regex.compile(r"\s*[\p{P}\p{S}]*[^\s\p{Lu}\p{Lt}\p{Nd}\p{P}\p{S}]")
"""A line that may be the rest of the one before: it starts neither with a capital, a digit nor a mark that stands alone."""


class Unit(NamedTuple):
    """A trimmed span; ``goes_on``: it is a further part of the sentence that the one before is of."""

    start: int
    end: int
    goes_on: bool


def find_units(text: str, fit: Fit, language: str) -> list[Unit]:
    """The sentences of ``text`` in order: their lines in lists, poems and logs; parts of what has to be cut anyway.

    What has no word, such as the line under a title, belongs to the unit before.
    """
    units = list[Unit]()
    for (start, goes_on), (end, _) in pairwise([*_starts(text, fit, language), (len(text), False)]):
        end = trim_end(text, start, end)
        if start == end:
            continue
        if units and not _WORD.search(text, start, end) and fit.holds(units[-1].start, end):
            units[-1] = units[-1]._replace(end=end)
        else:
            units.append(Unit(skip_blanks(text, start, end), end, goes_on))
    return units


def _starts(text: str, fit: Fit, language: str) -> Iterator[tuple[int, bool]]:
    """Where units start, inside no grapheme cluster; whether they go on with what the one before began."""
    last = -1
    for sentence in load_segmenter("sentencex", language)(text):
        for line in _lines(text, sentence):
            for start, goes_on in _part_starts(text, line, fit, language):
                low = max(start - LOOK_BACK, last)
                place = graphemes.last_boundary(text, low, start) if start else 0
                if place > low:
                    yield place, goes_on
                    last = place


def leading_units(text: str, units: Sequence[Unit]) -> list[bool]:
    """Which units say what comes next: titles on lines of their own, and what ends with a colon."""
    flags = [_leads(text, units, place) for place in range(len(units))]
    runs = ([*run] for _, run in groupby(flags))
    return [flag and len(run) <= MOST_TITLES for run in runs for flag in run]


def before_leading(place: int, leads: Sequence[bool]) -> int:
    """``place``, or the first of the leading units right before it."""
    while place and leads[place - 1]:
        place -= 1
    return place


def _lines(text: str, sentence: Span) -> Iterator[Span]:
    """A sentence, or its lines where it is none."""
    words = text[sentence.start : trim_end(text, *sentence)]
    edges = line_starts(words)[:-1]
    lines = [words[start:end] for start, end in pairwise((*edges, len(words)))]
    if len(lines) == 1 or ((ends_sentence(words) or _leads_on(words)) and _is_wrapped(lines)):
        yield sentence
        return
    yield from (Span(sentence.start + start, sentence.start + end) for start, end in pairwise((*edges, len(words))))


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Whether a sentence of so many lines is prose: two lines, or one of the later ones goes on in small letters."""
    return len(lines) < 3 or any(_GOES_ON.match(line) for line in lines[1:])


def _part_starts(text: str, unit: Span, fit: Fit, language: str) -> Iterator[tuple[int, bool]]:
    """Where the unit starts, and its further parts if it is over size: speech and scans may go on for pages without a mark."""
    yield unit.start, False
    if not fit.holds(unit.start, trim_end(text, *unit)):
        small = Fit(text, fit.sizing, min(fit.size, max(fit.size // PARTS, LEAST_PART)))
        yield from ((part.start, True) for part in Cutter(small, (), prose_levels(text, language)).cut(unit)[1:])


def _leads(text: str, units: Sequence[Unit], place: int) -> bool:
    start, end, _ = units[place]
    if place + 1 == len(units):
        return False
    words = text[start:end]
    if _leads_on(words):
        return True
    return (
        end - start <= TITLE_LENGTH
        and not ends_sentence(words)
        and (place == 0 or _apart(text, units[place - 1].end, start))
        and _apart(text, end, units[place + 1].start)
    )


def _leads_on(words: str) -> bool:
    return bool(_COLON.search(words, max(len(words) - 8, 0)))


def _apart(text: str, end: int, start: int) -> bool:
    return bool(BLANK_LINES.regex.search(text, end, start))
