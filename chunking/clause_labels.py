"""What stands at the start of a line of a contract or law: the ways to read its number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from chunking.lines import line_starts

TITLE_LENGTH = 80
SHORT = 40
"""Of a first line that is a title although the next one goes on with a capital; a wrapped line is longer."""
RANKS = {
    "schedule": 0, "annex": 0, "appendix": 0, "exhibit": 0, "anlage": 0, "anhang": 0, "part": 1, "teil": 1, "chapter": 2, "kapitel": 2,
    "article": 3, "artikel": 3, "art.": 3, "section": 3, "sec.": 3, "abschnitt": 3, "clause": 3, "\u00a7": 3,
}  # fmt: skip
NUMBER, LETTER, UPPER, ROMAN, COUNT = 4, 5, 6, 7, 8
"""Ranks of what has no word before it; below ``NUMBER`` only the sequence says how they nest."""
_WORD = re.compile(
    r"(?P<word>[A-Z][a-z]+\.?|[A-Z]{3,}|\u00a7)\s*(?P<label>\d+[a-z]?|[IVXLC]+|[A-Z])(?=[\s.:)\u2013-]|$)[ \t]*[.:)\u2013-]*[ \t]*"
)
_NUMBER = re.compile(r"(?P<label>\d{1,3}(?:\.\d{1,3})*)(?P<mark>[.)]?)(?:[ \t]+|$)")
_MARKED = re.compile(r"(?:\((?P<label>[A-Za-z]{1,5}|\d{1,3})\)|(?P<bare>[A-Za-z]{1,5})[.)])(?:[ \t]+|$)")
_ROMAN = re.compile(r"(?=.)(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
_DECORATION = re.compile(r"(?P<hashes>#{1,6})[ \t]+|[*_]{1,3}(?=\S)|[-+*][ \t]+(?=\()")


@dataclass(frozen=True, slots=True)
class Label:
    """One way to read what stands at the start of a line."""

    rank: int
    values: tuple[int, ...]
    text: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a label, or a heading; ``follows``: no wrapped line, by the one before it and its first letter."""

    start: int
    words: int
    labels: tuple[Label, ...]
    title: str
    hashes: int
    follows: bool


def label_lines(text: str) -> Iterator[Line]:
    """The lines that may begin a clause, in order."""
    edges, before = line_starts(text), ""
    for start, end in pairwise(edges):
        line = text[start : min(end, start + 400)].rstrip()
        place = len(line) - len(line.lstrip())
        hashes = 0
        while found := _DECORATION.match(line, place):
            hashes = hashes or len(found["hashes"] or "")
            place = found.end()
        labels, words = _labels(line, place)
        if labels or hashes:
            rest = line[words:].strip("*_# \t")
            alone = bool(hashes) or _begins(text, end) or (len(rest) <= SHORT and text[end : end + 1].isupper())
            follows = bool(hashes) or not (rest[:1].islower() or _wraps(before))
            yield Line(start, start + words, labels, _title(rest, bool(hashes)) if alone else "", hashes, follows)
        before = "" if labels else line


def _wraps(before: str) -> bool:
    """Whether the words of a line go on in the next one: it is long, and no mark ends it."""
    return len(before) > SHORT and not before.endswith((".", ";", ":", "!", "?", ")", '"', "\u201d"))


def _begins(text: str, start: int) -> bool:
    """Whether no words go on at ``start``: a blank line, a label or a heading is there."""
    line = text[start : start + 80].partition("\n")[0]
    place = len(line) - len(line.lstrip())
    return not line.strip() or line.startswith("#") or bool(_labels(line, place)[0])


def _labels(line: str, place: int) -> tuple[tuple[Label, ...], int]:
    if (found := _WORD.match(line, place)) and found["word"].lower() in RANKS:
        value = _value(found["label"])
        word = found["word"] if found["word"] == "\u00a7" else found["word"].capitalize()
        return (Label(RANKS[word.lower()], (value,), found["label"], word),), found.end()
    if found := _NUMBER.match(line, place):
        values = tuple(int(part) for part in found["label"].split("."))
        return (Label(NUMBER, values, found["label"]),) if len(values) > 1 or found["mark"] or place else (), found.end()
    if found := _MARKED.match(line, place):
        return tuple(_readings(found["label"] or found["bare"])), found.end()
    return (), place


def _readings(label: str) -> Iterator[Label]:
    if label.isdigit():
        yield Label(COUNT, (int(label),), f"({label})")
    elif len(label) == 1 and label.isascii():
        yield Label(UPPER if label.isupper() else LETTER, (ord(label.lower()) - 96,), f"({label})")
    if _ROMAN.match(label):
        yield Label(ROMAN, (_value(label.upper()),), f"({label})")


def _value(label: str) -> int:
    if label[:1].isdigit():
        return int(re.match(r"\d+", label).group())  # type: ignore[union-attr]
    if len(label) == 1 and label not in "IVXLC":
        return ord(label.upper()) - 64
    numerals = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    digits = [numerals.get(char, 0) for char in label.upper()]
    return sum(-digit if digit < after else digit for digit, after in zip(digits, [*digits[1:], 0], strict=True))


def _title(rest: str, heading: bool) -> str:
    """A clause's first line, if that is a title rather than a sentence."""
    ends = (";", ",", ":") if len(rest) <= SHORT else (".", ";", ",", ":")
    short = len(rest) <= TITLE_LENGTH and not rest.endswith(ends)
    return (
        rest[:TITLE_LENGTH].rstrip(".")
        if rest and (heading or (short and not rest[:1].islower() and len(rest.split()) <= 9))
        else ""
    )
