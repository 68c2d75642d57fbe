"""Exact search over one batch of vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from udfs.search import best_rows


@given(count=st.integers(0, 30), depth=st.integers(1, 12), seed=st.integers(0, 99))
def test_the_best_rows_are_those_of_the_highest_cosine(count: int, depth: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors, query = rng.normal(size=(count, 5)).astype(np.float32), rng.normal(size=5).astype(np.float32)
    cosines = {f"{i:02}": float(v @ query / np.linalg.norm(v) / np.linalg.norm(query)) for i, v in enumerate(vectors)}
    found = best_rows(list(cosines), vectors, query, depth)
    assert [key for key, _ in found] == sorted(cosines, key=lambda key: -cosines[key])[:depth]
    assert [score for _, score in found] == pytest.approx([cosines[key] for key, _ in found], abs=1e-6)


@pytest.mark.parametrize("count", [2, 3, 7, 10, 33])
def test_equal_vectors_tie_wherever_they_stand(count: int) -> None:
    """A matrix product by BLAS gives equal rows scores that differ in the last bit."""
    rng = np.random.default_rng(0)
    vector, query = rng.normal(size=384).astype(np.float32), rng.normal(size=384).astype(np.float32)
    keys = [f"{i:02}" for i in range(count)][::-1]
    found = best_rows(keys, np.tile(vector, (count, 1)), query, count)
    assert [key for key, _ in found] == sorted(keys)
    assert len({score for _, score in found}) == 1
    assert found[0][1] == best_rows(["one"], vector[None], query, 1)[0][1]


def test_a_vector_without_direction_scores_nothing() -> None:
    assert best_rows(["a", "b"], np.array([[0, 0], [1, 0]], dtype=np.float32), np.array([1, 0], dtype=np.float32), 5) == [
        ("b", 1.0),
        ("a", 0.0),
    ]
