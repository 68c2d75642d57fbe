"""The embedding engine on stub encoders: exact vectors, whatever the windows, batches and memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.errors import EmbeddingError, OutOfMemoryError
from tests.chunking.cut import cut, spans_of
from tests.fakes import OrdinalEncoder, TableEncoder, spec_of
from udfs.embed import Result, late_vectors, naive_vectors


def ordinal(count: int, first: int = 1) -> str:
    return " ".join(f"t{number}" for number in range(first, first + count))


def late(text: str, spans: list[tuple[int, int]], encoder: OrdinalEncoder) -> list[list[float]]:
    (result,) = late_vectors([(text, spans)], encoder)
    return values(result)


def values(result: Result) -> list[list[float]]:
    assert not isinstance(result, Exception), result
    return result.tolist()


def fixed(text: str, size: int, overlap: int = 0) -> list[tuple[int, int]]:
    return spans_of(cut(text, strategy="fixed", tokenizer="words", chunk_size=size, chunk_overlap=overlap))


def test_no_special_token_is_pooled() -> None:
    """LAT-01."""
    text = "t1 t2 t3 t4"
    assert fixed(text, 2) == [(0, 5), (6, 11)]
    assert late(text, fixed(text, 2), OrdinalEncoder()) == [[1.5, 1], [3.5, 1]]


@pytest.mark.parametrize("ownership", ["centre", "paper"])
def test_a_document_longer_than_the_model_goes_through_in_windows(ownership: str) -> None:
    """LAT-02."""
    text, encoder = ordinal(12), OrdinalEncoder(spec_of(window=6, window_overlap=2, ownership=ownership))
    assert late(text, fixed(text, 3), encoder) == [[2, 1], [5, 1], [8, 1], [11, 1]]
    windows = [window for call in encoder.calls for window in call]
    assert len(windows) == 5
    assert all(len(window) == 6 and window[0] == 1000 and window[-1] == 2000 for window in windows)


@pytest.mark.parametrize("batch_tokens", [4, 14, 4096])
def test_documents_of_unlike_length_share_a_batch(batch_tokens: int) -> None:
    """LAT-04; the engine pads nothing itself, so there is no side to pad on."""
    encoder = OrdinalEncoder(spec_of(batch_tokens=batch_tokens))
    results = late_vectors([("t1 t2", [(0, 5)]), ("t3 t4 t5 t6 t7", [(0, 14)])], encoder)
    assert [values(result) for result in results] == [[[1.5, 1]], [[5, 1]]]
    assert len(encoder.calls) == (1 if batch_tokens >= 14 and batch_tokens != 4 else 2)


def test_a_chunk_without_a_token_takes_the_nearest() -> None:
    """LAT-07; DESIGN.md: only a document without any token is quarantined."""
    text = "t1 t2\n\n-----\n\nt3 t4"
    chunks = cut(text, strategy="recursive", tokenizer="characters", chunk_size=6, recursive={"separators": ["\n\n"]})
    assert late(text, spans_of(chunks), OrdinalEncoder()) == [[1.5, 1], [2, 1], [3.5, 1]]


def test_an_overlapped_token_is_pooled_into_both_chunks() -> None:
    """LAT-10."""
    text = ordinal(5)
    assert fixed(text, 3, 1) == [(0, 8), (6, 14)]
    assert late(text, fixed(text, 3, 1), OrdinalEncoder()) == [[2, 1], [4, 1]]


def test_prefix_tokens_stand_in_every_window_and_are_never_pooled() -> None:
    encoder = OrdinalEncoder(spec_of(window=7, window_overlap=2, passage_prefix="search for "))
    assert late(ordinal(9), [(0, 26)], encoder) == [[5, 1]]
    assert all(window[:3] == [1000, 9000, 9000] for call in encoder.calls for window in call)


@given(
    sizes=st.lists(st.integers(1, 60), min_size=1, max_size=8),
    window=st.integers(4, 20),
    overlap=st.integers(0, 17),
    batch_tokens=st.integers(4, 200),
    memory=st.integers(20, 200),
)
def test_windows_batches_and_memory_never_change_a_vector(
    sizes: list[int], window: int, overlap: int, batch_tokens: int, memory: int
) -> None:
    spec = spec_of(window=window, window_overlap=min(overlap, window - 3), batch_tokens=batch_tokens)
    encoder = OrdinalEncoder(spec, memory)
    texts = [ordinal(size, 10 * i) for i, size in enumerate(sizes)]
    results = list(late_vectors([(text, fixed(text, 7, 3)) for text in texts], encoder))
    one_window = OrdinalEncoder(spec_of(window=1000))
    for text, result in zip(texts, results, strict=True):
        np.testing.assert_allclose(values(result), late(text, fixed(text, 7, 3), one_window), rtol=1e-6)
    assert all(len(call) * max(map(len, call)) <= max(batch_tokens, window) for call in encoder.calls)


def test_a_long_document_is_never_in_memory_as_windows() -> None:
    text, encoder = ordinal(30_000), OrdinalEncoder(spec_of(window=128, window_overlap=64, batch_tokens=1024))
    (vector,) = late(text, [(0, len(text))], encoder)
    np.testing.assert_allclose(vector, [15_000.5, 1])
    assert max(len(call) for call in encoder.calls) == 8


@pytest.mark.parametrize("bad", ["no ordinal", "", "   "])
def test_a_document_without_a_token_fails_alone(bad: str) -> None:
    first, failed, last = late_vectors([("t1", [(0, 2)]), (bad, [(0, 1)]), ("t3", [(0, 2)])], OrdinalEncoder())
    assert values(first) + values(last) == [[1, 1], [3, 1]]
    assert isinstance(failed, EmbeddingError)


def test_out_of_memory_halves_down_to_the_document_that_fails_alone() -> None:
    encoder = OrdinalEncoder(memory=8)
    texts = [ordinal(size) for size in (3, 6, 7, 1)]
    results = list(late_vectors([(text, [(0, len(text))]) for text in texts], encoder))
    assert [values(results[i]) for i in (0, 1, 3)] == [[[2, 1]], [[3.5, 1]], [[1, 1]]]
    assert isinstance(results[2], OutOfMemoryError)
    assert results[2].transient
    assert "9 positions are over 8" in str(results[2])


def test_windows_of_a_document_that_failed_are_not_tried() -> None:
    encoder = OrdinalEncoder(spec_of(window=6, batch_tokens=64), memory=5)
    (failed,) = late_vectors([(ordinal(400), [(0, 2)])], encoder)
    assert isinstance(failed, OutOfMemoryError)
    assert not encoder.calls


@pytest.mark.parametrize("pooling, expected", [("mean", [(1000 + 2000 + 5) / 4, 1]), ("cls", [1000, 1]), ("last", [2000, 1])])
def test_a_naive_vector_counts_special_tokens_as_the_model_does(pooling: str, expected: list[float]) -> None:
    (result,) = naive_vectors(["t2 t3"], OrdinalEncoder(spec_of(pooling=pooling)))
    np.testing.assert_allclose(values(result), [expected])


def test_a_naive_text_longer_than_the_window_is_the_mean_of_its_content() -> None:
    (result,) = naive_vectors([ordinal(12)], OrdinalEncoder(spec_of(window=6, window_overlap=2)))
    assert values(result) == [[6.5, 1]]


def test_empty_texts_never_reach_the_encoder() -> None:
    """EMB-03; a reason instead of a vector, and the order is kept."""
    encoder = TableEncoder({"ok": [1, 2, 3, 4]}, spec_of(dimension=4))
    assert list(naive_vectors([], encoder)) == []
    empty, blank, fine = naive_vectors(["", "   ", "ok"], encoder)
    assert isinstance(empty, EmbeddingError)
    assert isinstance(blank, EmbeddingError)
    assert values(fine) == [[1, 2, 3, 4]]
    assert encoder.seen == ["ok"]


def test_a_vector_without_direction_is_an_error_and_never_nan() -> None:
    """EMB-04; DESIGN.md: one bad chunk fails its document, so there is no null vector."""
    encoder = TableEncoder({"good": [3, 4, 0], "zzz": [0, 0, 0]}, spec_of(dimension=3, normalize=True))
    good, zero = naive_vectors(["good", "zzz"], encoder)
    np.testing.assert_allclose(values(good), [[0.6, 0.8, 0]], atol=1e-6)
    assert isinstance(zero, EmbeddingError)
    assert "zero norm" in str(zero)
