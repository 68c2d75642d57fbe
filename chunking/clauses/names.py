"""How clauses are called, so that others can refer to them."""

from collections.abc import Sequence
from typing import Protocol

from chunking.clauses.labels import NUMBER, RANKS, WORD, Label


class Named(Protocol):
    """A clause around another one."""

    rank: int
    values: tuple[int, ...]
    name: str


def name_of(label: Label, above: Sequence[Named]) -> str:
    """``4.2``, ``4.2(a)``, ``Article 5``, ``Article 5(1)``, ``Schedule 1 2.3``; a number that begins with its article's is
    enough by itself."""
    if label.word:
        return f"{label.word} {label.text}"
    around = next((clause for clause in reversed(above) if clause.name), None)
    if label.rank != NUMBER:
        return f"{around.name if around else ''}{label.text}"
    words = next((clause for clause in reversed(above) if clause.name and clause.rank < NUMBER), None)
    if words is None:
        return label.text
    if words.rank and len(label.values) > len(words.values) and label.values[: len(words.values)] == words.values:
        return label.text
    is_paragraph = words.rank == RANKS["article"] == WORD and len(label.values) == 1
    return f"{words.name}({label.text})" if is_paragraph else f"{words.name} {label.text}"
