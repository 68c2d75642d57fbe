"""Numbered clauses of a contract or law: which lines begin one, and how they nest."""

from dataclasses import dataclass, field
from functools import lru_cache

from chunking.clauses.labels import COUNT, NUMBER, WORD, Label, Line, label_lines
from chunking.clauses.names import name_of
from chunking.clauses.sequence import by_likelihood, follows, goes_on, has_successor, skips

LOOK_AHEAD = 50
"""Lines in which the next number must come for one that doesn't follow from those before it."""
_HEADING = -10
"""Ranks of headings without a number: above all numbers."""


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
    word: str = ""
    title: str = ""
    end: int = 0
    children: list["Clause"] = field(default_factory=list)


@lru_cache(maxsize=1)
def find_clauses(text: str) -> tuple[Clause, ...]:
    """All clauses in order. A number opens one only where it follows from those before it, so that years, wrapped lines
    and references at the start of a line don't."""
    lines = list(label_lines(text))
    reader = _Reader()
    for place, line in enumerate(lines):
        reader.take(line, lines[place + 1 : place + 1 + LOOK_AHEAD])
    _close(reader.clauses, len(text))
    return tuple(reader.clauses)


def _close(clauses: list[Clause], end: int) -> None:
    """Says where each ends, and which stand below it."""
    open_clauses: list[Clause] = []
    for clause in clauses:
        while open_clauses and len(open_clauses[-1].path) >= len(clause.path):
            open_clauses.pop().end = clause.start
        if open_clauses:
            open_clauses[-1].children.append(clause)
        open_clauses.append(clause)
    for clause in open_clauses:
        clause.end = end


class _Reader:
    """Takes the lines that may begin clauses and keeps those that follow from the ones before."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self._open: list[Clause] = []
        self._last: dict[str, tuple[int, ...]] = {}
        self._inner: set[str] = set()
        self._mark = ""
        self._titles: set[tuple[tuple[int, ...], str]] = set()

    def take(self, line: Line, later: list[Line]) -> None:
        """The next line with a label or a heading mark, and those after it."""
        for label in by_likelihood(line.labels, later[0] if later else None):
            read = self._in_brackets(label) if label.mark == ")" else label
            above = self._above(read, line, later)
            if above is not None:
                self._add(line, read, above)
                return
        if line.hashes and line.title:
            rank = line.hashes + _HEADING
            above = [clause for clause in self._open if clause.rank < rank]
            self._push(Clause(line.start, line.words, rank, (), "", (*_path(above), line.title), title=line.title), above)

    def _in_brackets(self, label: Label) -> Label:
        """``1)`` counts inside a clause where the clauses themselves are ``1.``."""
        counts = self._mark == "." and len(label.values) == 1
        return Label(COUNT, label.values, f"({label.text})") if counts else label

    def _above(self, label: Label, line: Line, later: list[Line]) -> list[Clause] | None:
        """The open clauses around a clause with this label; None if it doesn't follow."""
        if label.word:
            return self._around_word(label) if self._wordfollows(label, line, later) else None
        if label.rank == NUMBER:
            return self._above_number(label, line, later)
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place].rank == label.rank and self._open[place].values[0] + 1 == label.values[0]:
                return self._open[:place]
        doubtful = line.wraps or line.inside
        begins = label.values == (1,) and (not doubtful or has_successor(label, later))
        return self._open[:] if begins and self._open else None

    def _wordfollows(self, label: Label, line: Line, later: list[Line]) -> bool:
        """Whether a line with an article's or section's number begins it, rather than going on with a sentence."""
        if line.hashes or line.lowers:
            return bool(line.hashes)
        last = self._last.get(label.word)
        in_sequence = label.values[-1] == 1 if last is None else goes_on(last, label.values) or label.values[-1] == 1
        continues = has_successor(label, later)
        if line.wraps:
            return in_sequence and continues
        return in_sequence or continues or line.begins

    def _around_word(self, label: Label) -> list[Clause]:
        """Articles may stand in sections or sections in articles, whichever the document has first."""
        others = [clause for clause in self._open if clause.rank == label.rank == WORD and clause.word != label.word]
        starts_below = others and (label.values[-1] == 1 or label.values[:1] == others[0].values)
        if label.word not in self._last and starts_below:
            self._inner.add(label.word)
        outer = {clause.word for clause in others} - self._inner if label.word in self._inner else set()
        return [clause for clause in self._open if clause.rank < label.rank or (clause.rank == WORD and clause.word in outer)]

    def _above_number(self, label: Label, line: Line, later: list[Line]) -> list[Clause] | None:
        if not self._may_begin(label, line, later):
            return None
        around = [clause for clause in self._open if clause.rank < NUMBER]
        numbered = [clause for clause in self._open if clause.rank == NUMBER]
        values, last = label.values, self._last.get("", ())
        if not numbered:
            begins = values[-1] == 1 or (len(last) >= len(values) and goes_on(last[: len(values)], values))
            return around if begins or has_successor(label, later) else None
        if len(values) == 1 and values[0] <= 1 and (values, line.title.lower()) in self._titles and line.title:
            return around
        for clause in reversed(numbered):
            if follows(clause.values, values) or (skips(clause.values, values) and has_successor(label, later)):
                return [
                    *around,
                    *(one for one in numbered if len(one.values) < len(values) and one.values == values[: len(one.values)]),
                ]
        return None

    @staticmethod
    def _may_begin(label: Label, line: Line, later: list[Line]) -> bool:
        """Whether a line that begins with a number isn't one that goes on from the line before it."""
        if line.wraps:
            return False
        if line.lowers and not line.hashes:
            return bool(label.mark) and has_successor(label, later)
        return bool(label.mark) or len(label.values) > 1 or bool(line.title and line.begins)

    def _add(self, line: Line, label: Label, above: list[Clause]) -> None:
        shown = f"{label.word} {label.text}".strip()
        path = (*_path(above), f"{shown} {line.title}".strip())
        if label.rank <= NUMBER:
            self._last[label.word] = label.values
            self._mark = self._mark or label.mark
            self._titles |= {(label.values, line.title.lower())} if line.title else set()
        name = name_of(label, above)
        self._push(Clause(line.start, line.words, label.rank, label.values, name, path, label.word, line.title), above)

    def _push(self, clause: Clause, above: list[Clause]) -> None:
        self._open = [*above, clause]
        self.clauses.append(clause)


def _path(above: list[Clause]) -> tuple[str, ...]:
    return above[-1].path if above else ()
