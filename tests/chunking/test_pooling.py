"""Late chunking on arrays: which tokens are a chunk's own, their means from blocks, and finished vectors."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from chunking.document import Span
from chunking.errors import EmbeddingError
from chunking.pooling import RangeMeans, finish_vectors, token_ranges
from chunking.tokenizers.tokens import Tokens


def tokens_of(*spans: tuple[int, int]) -> Tokens:
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return Tokens(edges[:, 0], edges[:, 1])


WORDS = tokens_of((0, 2), (3, 5), (10, 16), (16, 18))


@pytest.mark.parametrize(
    "span, own",
    [
        ((0, 18), (0, 4)),
        ((0, 5), (0, 2)),
        ((3, 17), (1, 4)),
        ((0, 11), (0, 3)),  # the token's first character is inside: it is the chunk's
        ((11, 17), (3, 4)),  # it isn't: the token is not
        ((12, 14), (2, 3)),  # inside one token
        ((1, 3), (0, 1)),  # from inside a token to before the next
        ((6, 7), (1, 2)),  # in none: the nearest is before
        ((8, 9), (2, 3)),  # in none: the nearest is behind
        ((7, 8), (1, 2)),  # as near: the one before
        ((18, 20), (3, 4)),  # behind all
        ((5, 5), (1, 2)),
    ],
)
def test_a_chunk_has_the_tokens_that_start_in_it_else_the_nearest(span: tuple[int, int], own: tuple[int, int]) -> None:
    assert token_ranges(WORDS, [Span(*span)]).tolist() == [list(own)]


def test_a_chunk_before_all_tokens_takes_the_first() -> None:
    assert token_ranges(tokens_of((4, 6), (7, 9)), [Span(0, 2)]).tolist() == [[0, 1]]


def test_tokens_of_one_character_go_together() -> None:
    emoji = tokens_of((0, 1), (2, 3), (2, 3), (2, 3), (4, 5))
    assert token_ranges(emoji, [Span(0, 2), Span(2, 3), Span(4, 5)]).tolist() == [[0, 1], [1, 4], [4, 5]]


def test_a_token_belongs_to_every_chunk_that_overlaps_there() -> None:
    assert token_ranges(WORDS, [Span(0, 5), Span(3, 16)]).tolist() == [[0, 2], [1, 3]]


def test_no_chunks_have_no_ranges() -> None:
    assert token_ranges(WORDS, []).shape == (0, 2)


def test_a_document_without_a_token_is_an_error() -> None:
    with pytest.raises(EmbeddingError, match="no token"):
        token_ranges(tokens_of(), [Span(0, 5)])


@given(gaps=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=40), cuts=st.sets(st.integers(1, 300)))
def test_chunks_that_cover_the_text_share_out_all_tokens_once(gaps: list[tuple[int, int]], cuts: set[int]) -> None:
    spans, end = [], 0
    for gap, width in gaps:
        spans.append((end + gap, end + gap + width))
        end += gap + width
    tokens, edges = tokens_of(*spans), [0, *sorted(cut for cut in cuts if cut < end), end]
    chunks = [Span(a, b) for a, b in pairwise(edges)]
    shared: list[int] = []
    for chunk, (low, high) in zip(chunks, token_ranges(tokens, chunks), strict=True):
        inside = [i for i, (start, _) in enumerate(spans) if chunk.start <= start < chunk.end]
        shared += inside
        assert list(range(low, high)) == inside or (not inside and high == low + 1)
    assert shared == list(range(len(spans)))


@st.composite
def blocks(draw: st.DrawFn) -> tuple[NDArray[np.float32], NDArray[np.int64], list[slice]]:
    """States, ranges over them, and an order of blocks that cover each state once."""
    length = draw(st.integers(1, 50))
    states = np.random.default_rng(draw(st.integers(0, 99))).normal(size=(length, 3)).astype(np.float32)
    ends = draw(st.lists(st.tuples(st.integers(0, length - 1), st.integers(1, length)), max_size=8))
    ranges = np.array([(low, min(low + width, length)) for low, width in ends], dtype=np.int64).reshape(-1, 2)
    cuts = [0, *sorted(draw(st.sets(st.integers(1, length)) if length > 1 else st.just(set()))), length]
    cut = [slice(a, b) for a, b in pairwise(cuts)]
    return states, ranges, draw(st.permutations(cut))


@given(case=blocks())
def test_means_of_ranges_are_plain_means_however_the_blocks_are_cut(
    case: tuple[NDArray[np.float32], NDArray[np.int64], list[slice]],
) -> None:
    states, ranges, cut = case
    means = RangeMeans(ranges, 3)
    for block in cut:
        means.add(block.start, states[block])
    expected = [states[low:high].mean(axis=0) for low, high in ranges]
    np.testing.assert_allclose(means.means(), np.array(expected).reshape(-1, 3), atol=1e-5)
    assert means.means().dtype == np.float32


@pytest.mark.parametrize("blocks", [[(0, 2)], [(0, 3), (2, 4)]])
def test_a_state_that_never_came_or_came_twice_is_an_error(blocks: list[tuple[int, int]]) -> None:
    means = RangeMeans(np.array([[0, 4]]), 1)
    for first, last in blocks:
        means.add(first, np.ones((last - first, 1), dtype=np.float32))
    with pytest.raises(EmbeddingError, match="token states for 4 tokens"):
        means.means()


def test_vectors_are_cut_and_then_normalised() -> None:
    np.testing.assert_allclose(finish_vectors(np.array([[3, 4, 12.0]]), 2, True), [[0.6, 0.8]], atol=1e-7)
    np.testing.assert_array_equal(finish_vectors(np.array([[3, 4, 12.0]]), 2, False), [[3, 4]])
    np.testing.assert_array_equal(finish_vectors(np.array([[3, 4, 12.0]]), None, False), [[3, 4, 12]])
    assert finish_vectors(np.zeros((0, 3)), None, True).shape == (0, 3)


def test_half_floats_stay_exact() -> None:
    """EMB-08: a half is exact as a float."""
    half = np.array([[0.1, -2.5, 65504.0]], dtype=np.float16)
    assert finish_vectors(half, None, False).tolist() == [[0.0999755859375, -2.5, 65504.0]]


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_a_length_beyond_what_floats_can_square_is_normalised(scale: float) -> None:
    np.testing.assert_allclose(finish_vectors(np.array([[3, 4]], dtype=np.float32) * np.float32(scale), None, True), [[0.6, 0.8]])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("normalize", [True, False])
def test_a_vector_that_is_not_finite_is_named(bad: float, normalize: bool) -> None:
    with pytest.raises(EmbeddingError, match="vector 1 holds NaN or infinity") as caught:
        finish_vectors(np.array([[1.0, 2.0], [bad, 1.0]]), None, normalize)
    assert caught.value.index == 1


def test_a_vector_without_direction_is_named() -> None:
    vectors = np.array([[1.0, 2.0, 1.0], [0.0, 0.0, 1.0]])
    with pytest.raises(EmbeddingError, match="vector 1 has zero norm") as caught:
        finish_vectors(vectors, 2, True)
    assert caught.value.index == 1
    assert finish_vectors(vectors, 2, False).tolist() == [[1, 2], [0, 0]]
