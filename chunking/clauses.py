"""Numbered clauses of a contract or law: which lines begin one, and how they nest."""

from dataclasses import dataclass, field
from functools import lru_cache

from chunking.clause_labels import NUMBER, RANKS, ROMAN, Label, Line, label_lines

LOOK_AHEAD = 50
"""Lines in which the next number must come for one that doesn't follow from those before it."""


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


@lru_cache(maxsize=1)
def find_clauses(text: str) -> tuple[Clause, ...]:
    """All clauses in order. A number opens one only where it follows from those before it, so that years, wrapped lines
    and references at the start of a line don't."""
    lines = list(label_lines(text))
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


class _Reader:
    """Takes the lines that may begin clauses and keeps those that follow from the ones before."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self._open: list[Clause] = []
        self._last: tuple[int, ...] = ()

    def take(self, line: Line, later: list[Line]) -> None:
        """The next line with a label or a heading mark, and those after it."""
        for label in self._by_likelihood(line.labels, later[0] if later else None):
            above = self._above(label, line, later)
            if above is not None:
                self._add(line, label, above)
                return
        if line.hashes and line.title:
            above = [clause for clause in self._open if clause.rank < line.hashes - 10]
            self._push(Clause(line.start, line.words, line.hashes - 10, (), "", (*self._path(above), line.title)), above)

    def _by_likelihood(self, labels: tuple[Label, ...], following: Line | None) -> list[Label]:
        """``(i)`` is a letter after ``(h)``, unless ``(ii)`` comes next."""
        if len(labels) < 2 or following is None:
            return list(labels)
        roman = labels[-1]
        goes_on = any(label.rank == ROMAN and label.values == (roman.values[0] + 1,) for label in following.labels)
        return [roman, *labels[:-1]] if goes_on else list(labels)

    def _above(self, label: Label, line: Line, later: list[Line]) -> list[Clause] | None:
        """The open clauses around a clause with this label; None if it doesn't follow."""
        if label.word:
            return [clause for clause in self._open if clause.rank < label.rank]
        if label.rank == NUMBER:
            return self._above_number(label, line, later)
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place].rank == label.rank and self._open[place].values[0] + 1 == label.values[0]:
                return self._open[:place]
        return self._open[:] if label.values == (1,) and self._open else None

    def _above_number(self, label: Label, line: Line, later: list[Line]) -> list[Clause] | None:
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
    def _has_successor(label: Label, later: list[Line]) -> bool:
        wanted = (*label.values[:-1], label.values[-1] + 1)
        return any(one.rank == NUMBER and one.values == wanted for line in later for one in line.labels)

    def _add(self, line: Line, label: Label, above: list[Clause]) -> None:
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


def _name(label: Label, above: list[Clause]) -> str:
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


def _under(word: Clause | None, label: Label) -> str:
    if word is None:
        return label.text
    return (
        f"{word.name}({label.text})" if word.rank == RANKS["article"] and len(label.values) == 1 else f"{word.name} {label.text}"
    )
