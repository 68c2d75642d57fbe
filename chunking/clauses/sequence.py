"""Which numbers follow from which: next, below, skipped; and whether the next one comes later in the text."""

from collections.abc import Sequence
from itertools import takewhile

from chunking.clauses.labels import NUMBER, ROMAN, Label, Line


def by_likelihood(labels: tuple[Label, ...], following: Line | None) -> list[Label]:
    """``(i)`` is a letter after ``(h)``, unless ``(ii)`` comes next."""
    if len(labels) < 2 or following is None or labels[-1].rank != ROMAN:
        return list(labels)
    roman = labels[-1]
    next_is_roman = any(label.rank == ROMAN and label.values == (roman.values[0] + 1,) for label in following.labels)
    return [roman, *labels[:-1]] if next_is_roman else list(labels)


def goes_on(last: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Whether ``values`` come next after ``last`` on the same level, or one is left out, as in ``5a`` or a repealed number."""
    return values[:-1] == last[:-1] and len(values) == len(last) and 0 <= values[-1] - last[-1] <= 2


def follows(before: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Next on the same level, first of the level below, or first below a number that has no line of its own."""
    same = goes_on(before, values) and values != before
    below = values[:-1] == before and values[-1] == 1
    first = len(values) > 1 and values[-1] == 1 and len(before) >= len(values) - 1
    return (
        same or below or (first and goes_on(before[: len(values) - 1], values[:-1]) and values[:-1] != before[: len(values) - 1])
    )


def skips(before: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Later on the same level, as in an excerpt."""
    return len(values) == len(before) and values[:-1] == before[:-1] and values[-1] > before[-1]


def has_successor(label: Label, later: Sequence[Line]) -> bool:
    """Whether the next number comes soon; of a letter or the like, before the next number or word."""
    wanted = (*label.values[:-1], label.values[-1] + 1)
    near = takewhile(lambda line: label.rank <= NUMBER or not line.labels or line.labels[0].rank > NUMBER, later)
    return any(one.rank == label.rank and one.word == label.word and one.values == wanted for line in near for one in line.labels)
