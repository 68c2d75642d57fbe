"""Overlapping windows over a long document's tokens, and which window's state each token takes."""

from itertools import pairwise
from typing import Literal, NamedTuple

Ownership = Literal["centre", "paper"]


class Window(NamedTuple):
    """Tokens ``[first, last)`` go through the model together; the window owns the states of ``[own_first, own_last)``."""

    first: int
    last: int
    own_first: int
    own_last: int


def plan_windows(length: int, size: int, overlap: int, ownership: Ownership = "centre") -> list[Window]:
    """Windows of at most ``size`` tokens over ``length`` of them; every token is owned exactly once.

    ``centre`` gives a token to the window in which it lies nearest the middle; ``paper`` to the one in which it has the
    most left context, as long late chunking does (arXiv 2409.04701, section 3.2). The last window is moved back so that
    it is full.

    Raises:
        ValueError: ``overlap`` isn't within ``[0, size)``.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"window overlap {overlap} must be 0 or more and under the window's {size} content tokens")
    if length <= size:
        return [Window(0, length, 0, length)] if length else []
    firsts = [*range(0, length - size, size - overlap), length - size]
    edges = [0, *(_edge(a, b, size, ownership) for a, b in pairwise(firsts)), length]
    return [Window(first, first + size, edges[i], edges[i + 1]) for i, first in enumerate(firsts)]


def _edge(first: int, second: int, size: int, ownership: Ownership) -> int:
    """The first token that the second of two neighbouring windows owns."""
    if ownership == "paper":
        return first + size
    return (first + second + size - 1) // 2 + 1
