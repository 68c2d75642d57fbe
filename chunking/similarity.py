"""Where neighbouring sentences stop being alike: arithmetic on their vectors, in linear time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunking.errors import EmbeddingError

DIGITS = 4
"""To which similarities are rounded, so that how sentences were batched never moves a boundary."""


def neighbour_similarities(vectors: NDArray[np.floating[Any]], window: int) -> NDArray[np.float64]:
    """The cosine at each of the ``n - 1`` places between ``n`` sentences: of the mean of the ``window + 1`` sentences
    before it with that of those after it. Nothing is like a vector of zeros: 0.

    Args:
        vectors: ``(n, dimension)``.

    Raises:
        EmbeddingError: a vector isn't finite.
    """
    if len(vectors) < 2:
        return np.zeros(0)
    directions = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(directions).all():
        raise EmbeddingError(f"sentence {int(np.argmin(np.isfinite(directions).all(axis=1)))}: its vector isn't finite")
    directions = _unit(directions)
    sums = np.concatenate([np.zeros((1, directions.shape[1])), np.cumsum(directions, axis=0)])
    places = np.arange(1, len(directions))
    before = sums[places] - sums[np.maximum(places - window - 1, 0)]
    after = sums[np.minimum(places + window + 1, len(directions))] - sums[places]
    return np.asarray(np.round(np.einsum("ij,ij->i", _unit(before), _unit(after)), DIGITS), dtype=np.float64)


def boundaries(
    similarities: NDArray[np.float64], threshold: float | None, percentile: float | None, deviations: float | None
) -> NDArray[np.int64]:
    """The places whose similarity is under the threshold: given, or a percentile of all, or so many standard deviations
    under their mean. The first one that isn't None counts."""
    if not len(similarities):
        return np.zeros(0, dtype=np.int64)
    if threshold is None and percentile is not None:
        threshold = float(np.percentile(similarities, percentile))
    elif threshold is None:
        threshold = float(similarities.mean() - (deviations or 0) * similarities.std())
    return np.flatnonzero(similarities < round(threshold, DIGITS))


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms < 1e-9, np.inf, norms))
