"""Numbered clauses of a contract or law: which lines begin one, how they nest, and which they refer to."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from chunking.lines import line_starts

TITLE_LENGTH = 80
SHORT = 40
"""Of a first line that is a title although the next one goes on with a capital; a wrapped line is longer."""
LOOK_AHEAD = 50
"""Lines in which the next number must come for one that doesn't follow from those before it."""
_RANKS = {
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
_REFERENCE = re.compile(
    r"(?:\b(?P<word>clauses?|sections?|articles?|paragraphs?|sub-?clauses?|schedules?|annex(?:es)?|appendix|parts?|artikel|ziffer|abschnitt|absatz)"
    r"|(?P<sign>\u00a7\u00a7?)|\b(?:in|under|of|to|with|per|see|by))[ \t\n]+"
    r"(?P<list>(?:\d+(?:\.\d+)*|[A-Z](?![A-Za-z])|(?=\())(?:[ \t]?\([a-z0-9]{1,4}\))*"
    r"(?:(?:[ \t]*,[ \t]*|[ \t]+(?:and|or|to|und|bis|oder)[ \t]+|[ \t]?\u2013[ \t]?)(?:\d+(?:\.\d+)*(?:[ \t]?\([a-z0-9]{1,4}\))*|(?:\([a-z0-9]{1,4}\))+))*)",
    re.IGNORECASE,
)
_SINGLE = re.compile(
    r"(?P<to>(?:to|bis|\u2013)[ \t]*)?(?P<id>\d+(?:\.\d+)*(?:[ \t]?\([a-z0-9]{1,4}\))*|[A-Z](?![A-Za-z])|(?:\([a-z0-9]{1,4}\))+)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Clause:
    """One clause, from its line's start to where the next one of its level or above begins.

    Args:
        words: where its words begin, behind its number.
        name: how other clauses refer to it, such as ``4.2(a)``; empty for a heading without a number.
        path: the names above it with their titles, its own last.
    """

    start: int
    words: int
    rank: int
    values: tuple[int, ...]
    name: str
    path: tuple[str, ...]
    end: int = 0
    children: list["Clause"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Label:
    """One way to read what stands at the start of a line."""

    rank: int
    values: tuple[int, ...]
    text: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    words: int
    labels: tuple[_Label, ...]
    title: str
    hashes: int
    follows: bool


@lru_cache(maxsize=1)
def find_clauses(text: str) -> tuple[Clause, ...]:
    """All clauses in order. A number opens one only where it follows from those before it, so that years, wrapped lines
    and references at the start of a line don't."""
    lines = list(_lines(text))
    reader = _Reader()
    for place, line in enumerate(lines):
        reader.take(line, lines[place + 1 : place + 1 + LOOK_AHEAD])
    clauses = reader.clauses
    open_clauses: list[Clause] = []
    for clause in clauses:
        while open_clauses and len(open_clauses[-1].path) >= len(clause.path):
            open_clauses.pop().end = clause.start
        if open_clauses:
            open_clauses[-1].children.append(clause)
        open_clauses.append(clause)
    for clause in open_clauses:
        clause.end = len(text)
    return tuple(clauses)


def _lines(text: str) -> Iterator[_Line]:
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
            yield _Line(start, start + words, labels, _title(rest, bool(hashes)) if alone else "", hashes, follows)
        before = "" if labels else line


def _wraps(before: str) -> bool:
    """Whether the words of a line go on in the next one: it is long, and no mark ends it."""
    return len(before) > SHORT and not before.endswith((".", ";", ":", "!", "?", ")", '"', "\u201d"))


def _begins(text: str, start: int) -> bool:
    """Whether no words go on at ``start``: a blank line, a label or a heading is there."""
    line = text[start : start + 80].partition("\n")[0]
    place = len(line) - len(line.lstrip())
    return not line.strip() or line.startswith("#") or bool(_labels(line, place)[0])


def _labels(line: str, place: int) -> tuple[tuple[_Label, ...], int]:
    if (found := _WORD.match(line, place)) and found["word"].lower() in _RANKS:
        value = _value(found["label"])
        word = found["word"] if found["word"] == "\u00a7" else found["word"].capitalize()
        return (_Label(_RANKS[word.lower()], (value,), found["label"], word),), found.end()
    if found := _NUMBER.match(line, place):
        values = tuple(int(part) for part in found["label"].split("."))
        return (_Label(NUMBER, values, found["label"]),) if len(values) > 1 or found["mark"] or place else (), found.end()
    if found := _MARKED.match(line, place):
        return tuple(_readings(found["label"] or found["bare"])), found.end()
    return (), place


def _readings(label: str) -> Iterator[_Label]:
    if label.isdigit():
        yield _Label(COUNT, (int(label),), f"({label})")
    elif len(label) == 1 and label.isascii():
        yield _Label(UPPER if label.isupper() else LETTER, (ord(label.lower()) - 96,), f"({label})")
    if _ROMAN.match(label):
        yield _Label(ROMAN, (_value(label.upper()),), f"({label})")


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


class _Reader:
    """Takes the lines that may begin clauses and keeps those that follow from the ones before."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self._open: list[Clause] = []
        self._last: tuple[int, ...] = ()

    def take(self, line: _Line, later: list[_Line]) -> None:
        """The next line with a label or a heading mark, and those after it."""
        for label in self._by_likelihood(line.labels, later[0] if later else None):
            above = self._above(label, line, later)
            if above is not None:
                self._add(line, label, above)
                return
        if line.hashes and line.title:
            above = [clause for clause in self._open if clause.rank < line.hashes - 10]
            self._push(Clause(line.start, line.words, line.hashes - 10, (), "", (*self._path(above), line.title)), above)

    def _by_likelihood(self, labels: tuple[_Label, ...], following: _Line | None) -> list[_Label]:
        """``(i)`` is a letter after ``(h)``, unless ``(ii)`` comes next."""
        if len(labels) < 2 or following is None:
            return list(labels)
        roman = labels[-1]
        goes_on = any(label.rank == ROMAN and label.values == (roman.values[0] + 1,) for label in following.labels)
        return [roman, *labels[:-1]] if goes_on else list(labels)

    def _above(self, label: _Label, line: _Line, later: list[_Line]) -> list[Clause] | None:
        """The open clauses around a clause with this label; None if it doesn't follow."""
        if label.word:
            return [clause for clause in self._open if clause.rank < label.rank]
        if label.rank == NUMBER:
            return self._above_number(label, line, later)
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place].rank == label.rank and self._open[place].values[0] + 1 == label.values[0]:
                return self._open[:place]
        return self._open[:] if label.values == (1,) and self._open else None

    def _above_number(self, label: _Label, line: _Line, later: list[_Line]) -> list[Clause] | None:
        values, last = label.values, self._last
        if not line.follows:
            return None
        around = [clause for clause in self._open if clause.rank < NUMBER]
        numbered = [clause for clause in self._open if clause.rank == NUMBER]
        if not numbered:
            begins = values[-1] == 1 or (
                values[:-1] == last[: len(values) - 1] and len(last) >= len(values) and values[-1] == last[len(values) - 1] + 1
            )
            return around if begins or self._has_successor(label, later) else None
        for clause in reversed(numbered):
            depth = len(clause.values)
            sibling = values[:-1] == clause.values[:-1] and len(values) == depth and 0 < values[-1] - clause.values[-1] <= 2
            child = values[:-1] == clause.values and values[-1] == 1
            if sibling or child:
                return [*around, *(one for one in numbered if len(one.values) < len(values))]
        return None

    @staticmethod
    def _has_successor(label: _Label, later: list[_Line]) -> bool:
        wanted = (*label.values[:-1], label.values[-1] + 1)
        return any(one.rank == NUMBER and one.values == wanted for line in later for one in line.labels)

    def _add(self, line: _Line, label: _Label, above: list[Clause]) -> None:
        name = _name(label, above)
        shown = f"{label.word} {label.text}".strip() if label.word != "\u00a7" else f"\u00a7 {label.text}"
        if label.rank == NUMBER:
            self._last = label.values
        self._push(
            Clause(line.start, line.words, label.rank, label.values, name, (*self._path(above), f"{shown} {line.title}".strip())),
            above,
        )

    def _push(self, clause: Clause, above: list[Clause]) -> None:
        self._open = [*above, clause]
        self.clauses.append(clause)

    @staticmethod
    def _path(above: list[Clause]) -> tuple[str, ...]:
        return above[-1].path if above else ()


def _name(label: _Label, above: list[Clause]) -> str:
    """``4.2``, ``4.2(a)``, ``Article 5``, ``Article 5(1)``, ``Schedule 1 2.3``."""
    around = next((clause for clause in reversed(above) if clause.name), None)
    if label.word:
        return f"{label.word} {label.text}"
    if label.rank != NUMBER:
        return f"{around.name if around else ''}{label.text}"
    if around is None or around.rank == NUMBER:
        words = next((clause for clause in above if clause.name and clause.rank < NUMBER), None)
        return _under(words, label)
    return _under(around, label)


def _under(word: Clause | None, label: _Label) -> str:
    if word is None:
        return label.text
    return (
        f"{word.name}({label.text})" if word.rank == _RANKS["article"] and len(label.values) == 1 else f"{word.name} {label.text}"
    )


def find_references(text: str, clauses: tuple[Clause, ...]) -> list[tuple[int, str]]:
    """Places at which the text refers to one of its own clauses, and that clause's name; in order."""
    known = {clause.name: clause for clause in clauses if clause.name}
    order = [clause.name for clause in clauses if clause.name and not clause.name.endswith(")")]
    starts = [clause.start for clause in clauses]
    found: list[tuple[int, str]] = []
    for match in _REFERENCE.finditer(text) if known else ():
        word = (match["word"] or match["sign"] or "").lower()
        here = clauses[max(bisect_left(starts, match.start() + 1) - 1, 0)]
        before = ""
        for single in _SINGLE.finditer(match["list"]):
            name = _resolve(word, re.sub(r"\s", "", single["id"]), here, known, before)
            if name and single["to"] and before in order and name in order:
                between = order[order.index(before) + 1 : order.index(name)]
                found += [
                    (match.start(), each)
                    for each in between
                    if known[each].rank == known[name].rank and len(known[each].values) == len(known[name].values)
                ]
            if name:
                found.append((match.start(), name))
                before = name
    return found


def _resolve(word: str, label: str, here: Clause, known: dict[str, Clause], before: str) -> str | None:
    """The known clause that a label means: with its word, bare where that is a number with a point, or next to ``here``."""
    if not word and "." not in label:
        return None
    singular = {"articles": "article", "sections": "section", "clauses": "clause", "schedules": "schedule", "parts": "part",
                "annexes": "annex", "\u00a7\u00a7": "\u00a7"}.get(word, word)  # fmt: skip
    candidates = [f"{singular if singular == chr(167) else singular.capitalize()} {label}", label]
    if label.startswith("("):
        candidates = [f"{before}{label}"] if before else []
        candidates += [f"{here.name[:end]}{label}" for end in _prefix_ends(here.name)]
    return next((candidate for candidate in candidates if candidate in known), None)


def _prefix_ends(name: str) -> list[int]:
    """Where the names of the clauses around one end, inner ones first."""
    return [len(name), *(match.start() for match in reversed(list(re.finditer(r"\(", name))))]
