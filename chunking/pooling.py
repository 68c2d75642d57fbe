"""Late chunking on arrays: token states become chunk vectors, matched by characters and never by position."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunking.document import Span
from chunking.errors import EmbeddingError, NoDirectionError
from chunking.tokenizers.tokens import Tokens

Floats2d = NDArray[np.float32]


def token_ranges(tokens: Tokens, chunks: Sequence[Span]) -> NDArray[np.int64]:
    """For each chunk the range ``[low, high)`` of its own tokens, shape ``(n_chunks, 2)``.

    A token belongs to every chunk in which its first non-blank character lies (``tokens`` have their leading blanks
    trimmed off). A chunk inside one token takes that token; one in no token the nearest.

    Raises:
        EmbeddingError: there is no token.
    """
    if not len(tokens):
        raise EmbeddingError("the document has no token in the embedder's vocabulary, so there is no state to pool")
    starts, ends = np.array(chunks, dtype=np.int64).reshape(-1, 2).T
    low, high = tokens.starts.searchsorted(starts), tokens.starts.searchsorted(ends)
    before, after = np.maximum(low - 1, 0), np.minimum(low, len(tokens) - 1)
    gap_before = starts - tokens.ends[before]
    gap_after = tokens.starts[after] - ends
    single = np.where((low > 0) & ((gap_before <= gap_after) | (low == len(tokens))), before, after)
    empty = high <= low
    return np.stack([np.where(empty, single, low), np.where(empty, single + 1, high)], axis=1)


class RangeMeans:
    """Means of token states over ranges, from blocks of states that arrive one after the other; memory stays flat."""

    def __init__(self, ranges: NDArray[np.int64], dimension: int) -> None:
        self._ranges = ranges
        self._sums = np.zeros((len(ranges), dimension), dtype=np.float64)
        self._seen = np.zeros(len(ranges), dtype=np.int64)

    def add(self, first: int, states: NDArray[np.floating]) -> None:
        """Take in the states of tokens ``first`` and following, each token once over all calls."""
        last = first + len(states)
        for row in np.flatnonzero((self._ranges[:, 0] < last) & (self._ranges[:, 1] > first)):
            low, high = max(int(self._ranges[row, 0]), first), min(int(self._ranges[row, 1]), last)
            self._sums[row] += states[low - first : high - first].sum(axis=0, dtype=np.float64)
            self._seen[row] += high - low

    def means(self) -> Floats2d:
        """Shape ``(n_ranges, dimension)``.

        Raises:
            EmbeddingError: a token's state never came, or came twice.
        """
        expected = self._ranges[:, 1] - self._ranges[:, 0]
        if not np.array_equal(self._seen, expected):
            raise EmbeddingError(f"{int(self._seen.sum())} token states for {int(expected.sum())} tokens of the chunks")
        means: Floats2d = (self._sums / np.maximum(expected, 1)[:, None]).astype(np.float32)
        return means


def finish_vectors(vectors: NDArray[np.floating], truncate_dim: int | None, normalize: bool) -> Floats2d:
    """Cut to ``truncate_dim`` dimensions, then scale to length 1.

    Raises:
        EmbeddingError: a vector holds NaN or infinity.
        NoDirectionError: a vector has no direction to normalise.
    """
    result = np.asarray(vectors, dtype=np.float32)[:, :truncate_dim]
    _refuse(np.asarray(~np.isfinite(result).all(axis=1)), "holds NaN or infinity", EmbeddingError)
    if not normalize:
        return result
    norms = np.linalg.norm(result.astype(np.float64), axis=1, keepdims=True)
    _refuse(norms[:, 0] == 0, "has zero norm and can't be normalised", NoDirectionError)
    return np.asarray(result / norms, dtype=np.float32)


def _refuse(bad: NDArray[np.bool_], fault: str, error: type[EmbeddingError]) -> None:
    if bad.any():
        index = int(np.argmax(bad))
        raise error(f"vector {index} {fault}", index)
