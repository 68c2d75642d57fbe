"""What stands at the start of a line of a contract or law: the ways to read its number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from chunking.clauses.titles import SHORT, title_of
from chunking.lines import line_starts

RANKS = {
    "schedule": 0, "annex": 0, "appendix": 0, "exhibit": 0, "anlage": 0, "anhang": 0, "part": 1, "teil": 1, "chapter": 2, "kapitel": 2,
    "article": 3, "artikel": 3, "art.": 3, "section": 3, "sec.": 3, "abschnitt": 3, "clause": 3, "\u00a7": 3,
}  # fmt: skip
WORD, NUMBER, LETTER, UPPER, ROMAN, COUNT = 3, 4, 5, 6, 7, 8
"""Ranks: of an article or section, and of what has no word before it; below ``NUMBER`` only the sequence says how they nest."""
_WORD = re.compile(
    r"(?P<word>[A-Z][a-z]+\.?|[A-Z]{3,}|\u00a7)\s*(?P<label>\d++(?:\.\d++)*+[a-z]?|[IVXLC]+|[A-Z])(?=[\s.:)\u2013-]|$)"
    r"[ \t]*[.:)\u2013-]*[ \t]*"
)
_NUMBER = re.compile(r"(?P<label>\d{1,3}(?:\.\d{1,3})*)(?P<mark>[.)]?)(?:[ \t]+|$)")
_MARKED = re.compile(r"(?:\((?P<label>[A-Za-z]{1,5}|\d{1,3})\)|(?P<bare>[A-Za-z]{1,5})[.)])(?:[ \t]+|$)")
_ROMAN = re.compile(r"(?=.)(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
_DECORATION = re.compile(r"(?P<hashes>#{1,6})[ \t]+|[*_]{1,3}(?=\S)|[-+*][ \t]+(?=\()")
_FIRST_INSIDE = re.compile(r"(?:[A-Z][^.()]{0,78}\.[ \t]+)?(?=\((?:a|i|1|A)\)[ \t])")
_CONTENTS = re.compile(r"(?:(?:\.[ ]?){3,}|\u2026|\t)[ \t]*\d{1,4}$")
_RULE = re.compile(r"[-=_]{3,}\s*$")


@dataclass(frozen=True, slots=True)
class Label:
    """One way to read what stands at the start of a line; ``mark``: what stands behind a number."""

    rank: int
    values: tuple[int, ...]
    text: str
    word: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a label, or a heading.

    Args:
        hashes: how deep a heading it is; 0: none.
        lowers: its words go on in small letters.
        wraps: the line before it goes on in it.
        begins: the line before it is blank.
        inside: it stands behind another label on the same line.
    """

    start: int
    words: int
    labels: tuple[Label, ...]
    title: str
    hashes: int
    lowers: bool
    wraps: bool
    begins: bool
    inside: bool = False


def label_lines(text: str) -> Iterator[Line]:
    """The lines that may begin a clause, in order, without those of a table of contents."""
    before, above = "", ""
    for start, end in pairwise(line_starts(text)):
        line = text[start : min(end, start + 400)].rstrip()
        place, hashes = _undecorated(line)
        labels, words = _labels(line, place)
        if (labels or hashes) and not _CONTENTS.search(line):
            rest = line[words:].strip("*_# \t")
            next_is_capital = text[end : end + SHORT].lstrip(" \t")[:1].isupper()
            alone = bool(hashes) or _begins(text, end) or (len(rest) <= SHORT and next_is_capital)
            title = title_of(rest, bool(hashes), alone)
            wraps = not hashes and _wraps(before)
            yield Line(start, start + words, labels, title, hashes, rest[:1].islower(), wraps, not above.strip())
            if labels and (found := _FIRST_INSIDE.match(line, words)):
                inner, behind = _labels(line, found.end())
                yield Line(start + found.end(), start + behind, inner, "", 0, False, False, False, inside=True)
        before, above = "" if labels else line, line


def _undecorated(line: str) -> tuple[int, int]:
    """Where a line's words begin behind blanks and marks of Markdown, and how many hashes are among those."""
    place, hashes = len(line) - len(line.lstrip()), 0
    while found := _DECORATION.match(line, place):
        hashes = hashes or len(found["hashes"] or "")
        place = found.end()
    return place, hashes


def _wraps(before: str) -> bool:
    """Whether the words of a line go on in the next one: it is long, no mark ends it, and it is no heading in capitals."""
    return len(before) > SHORT and not before.endswith((".", ";", ":", "!", "?", ")", '"', "\u201d")) and not before.isupper()


def _begins(text: str, start: int) -> bool:
    """Whether no words go on at ``start``: a blank line, a rule, a label or a heading is there."""
    line = text[start : start + 80].partition("\n")[0]
    place = len(line) - len(line.lstrip())
    return not line.strip() or line.startswith("#") or bool(_RULE.match(line)) or bool(_labels(line, place)[0])


def _labels(line: str, place: int) -> tuple[tuple[Label, ...], int]:
    if (found := _WORD.match(line, place)) and found["word"].lower() in RANKS:
        word = found["word"] if found["word"] == "\u00a7" else found["word"].capitalize()
        return tuple(Label(RANKS[word.lower()], values, found["label"], word) for values in _values(found["label"])), found.end()
    if found := _NUMBER.match(line, place):
        values = tuple(int(part) for part in found["label"].split("."))
        return (Label(NUMBER, values, found["label"], mark=found["mark"]),), found.end()
    if found := _MARKED.match(line, place):
        return tuple(_readings(found["label"] or found["bare"])), found.end()
    return (), place


def _readings(label: str) -> Iterator[Label]:
    if label.isdigit():
        yield Label(COUNT, (int(label),), f"({label})")
    elif len(label) == 1 and label.isascii():
        yield Label(UPPER if label.isupper() else LETTER, (ord(label.lower()) - 96,), f"({label})")
    if _ROMAN.match(label):
        yield Label(ROMAN, (_roman(label),), f"({label})")


def _values(label: str) -> Iterator[tuple[int, ...]]:
    """The numbers that a label stands for: ``1.02``, ``312a``, ``IV``, ``C`` (the third, or the hundredth)."""
    if label[0].isdigit():
        yield tuple(int(part) for part in label.rstrip("abcdefghijklmnopqrstuvwxyz").split("."))
    else:
        letter = [(ord(label) - 64,)] if len(label) == 1 else []
        roman = [(_roman(label),)] if all(char in "IVXLC" for char in label) else []
        yield from (*roman, *letter) if label == "I" else (*letter, *roman)


def _roman(label: str) -> int:
    numerals = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    digits = [numerals[char] for char in label.upper()]
    return sum(-digit if digit < after else digit for digit, after in zip(digits, [*digits[1:], 0], strict=True))
