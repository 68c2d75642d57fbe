"""Where neighbouring sentences stop being alike: arithmetic on their vectors, in linear time."""

import numpy as np
from numpy.typing import NDArray

DIGITS = 4
"""To which similarities are rounded: ten times coarser than what batching may change in a vector, so that sentences that are
equally alike stay so however they were batched."""


def neighbour_similarities(vectors: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """The cosine at each of the ``n - 1`` places between ``n`` sentences: of the mean of the ``window + 1`` sentences
    before it with that of those after it. Nothing is like a vector of zeros: 0.

    Args:
        vectors: ``(n, dimension)``, finite.
    """
    if len(vectors) < 2:
        return np.zeros(0)
    directions = _unit(vectors)
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
    """Scaled to length 1; what is only rounding error of a sum counts as zeros."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms < 1e-9, np.inf, norms))
