"""Joining chunks under ``min_chunk_size`` with a neighbour."""

from dataclasses import replace

from chunking.fitting import Fit
from chunking.sections import Sections
from chunking.strategies import Piece


def merge_small(pieces: list[Piece], fit: Fit, smallest: int, sections: Sections) -> list[Piece]:
    """Join pieces under ``smallest`` tokens with a neighbour where the two fit: within a section first, then with the
    nearest relative: sections of one parent before those of one grandparent."""
    deepest = max((len(path) for path in sections.paths), default=0)
    for depth in range(deepest + 1, -1, -1):
        merged: list[Piece] = []
        for piece in pieces:
            while merged and _joinable(merged[-1], piece, fit, smallest, sections, depth):
                piece = replace(merged.pop(), end=piece.end)
            merged.append(piece)
        pieces = merged
    return pieces


def _joinable(left: Piece, right: Piece, fit: Fit, smallest: int, sections: Sections, depth: int) -> bool:
    """Whether one is small, their sections have ``depth`` headings in common (or are the same), and the two fit."""
    if min(fit.count(left.start, left.end), fit.count(right.start, right.end)) >= smallest:
        return False
    one, other = sections.at(left.start), sections.at(right.start)
    if one != other and len(sections.common(left.start, right.start + 1)) < depth:
        return False
    return fit.fits(left.start, right.end)
