"""Boundaries where neighbouring sentences stop being alike."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chunking import Chunk, ChunkingConfig, Document, chunk_document, read_text
from chunking.errors import ConfigError, EmbeddingError
from chunking.similarity import boundaries, neighbour_similarities
from tests.chunking.cut import spans_of, texts_of, uncovered
from tests.fakes import letter_counts
from tests.generators import texts

FERRY = (
    "Your ticket is valid after stamping. A ticket stamp costs two crowns. Lost tickets are stamped anew at the pier. "
    "Now about dogs. Small dogs travel free. Large dogs need a muzzle. "
    "Last the weather. Bad weather stops the boat."
)
SMALL_WORDS = re.compile(r"a|an|the|is|are|to|of|and|in|it|for|on|by|be|can|you|your|within|after|all|we|our")


def word_counts(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Words without their plural, as counts over all words of these texts."""
    words = [[word for word in re.findall("[a-z]+", text.lower()) if not SMALL_WORDS.fullmatch(word)] for text in texts]
    bags = [Counter(word.rstrip("s") for word in each) for each in words]
    vocabulary = sorted({word for bag in bags for word in bag})
    return np.array([[bag[word] for word in vocabulary] for bag in bags], dtype=float)


def cats_and_cars(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    assert all(len(text) <= 60 for text in texts)
    return np.array([[float("cat" in text), float("car" in text)] for text in texts]).reshape(-1, 2)


def cut(text: str, embed: Any = cats_and_cars, **settings: Any) -> list[Chunk]:
    given = {"strategy": "semantic", "tokenizer": "characters", "chunk_size": 200, "min_chunk_size": 0}
    config = ChunkingConfig.model_validate(given | {"semantic": {"window": 0, "threshold": 0.5}} | settings)
    return chunk_document(Document("d", text), config, embed)


def test_three_topics_are_three_chunks() -> None:
    chunks = cut(FERRY, word_counts, semantic={"window": 0, "threshold": 0.1})
    assert [text.partition(" ")[0] for text in texts_of(chunks)] == ["Your", "Now", "Last"]
    assert " ".join(texts_of(chunks)) == FERRY


def test_a_topic_over_size_is_cut_by_size() -> None:
    text = "One cat sat. A cat ran. My cat hid. That cat ate. Old cat won."
    chunks = cut(text, chunk_size=26)
    assert all(len(chunk.text) <= 26 for chunk in chunks)
    assert not uncovered(text, chunks)
    assert texts_of(chunks) == ["One cat sat. A cat ran.", "My cat hid. That cat ate.", "Old cat won."]


def test_one_sentence() -> None:
    assert spans_of(cut("Only one cat.")) == [(0, 13)]
    assert spans_of(cut("Only one cat.", semantic={"percentile": 50})) == [(0, 13)]


def test_blanks_stay_as_they_are() -> None:
    text = "The cat slept.\n\nIts cat bed  was warm."
    assert texts_of(cut(text)) == [text]


def test_two_topics() -> None:
    text = "The cat sleeps. A cat purrs. The car brakes. A car honks."
    assert spans_of(cut(text)) == [(0, 28), (29, 57)]
    assert spans_of(cut(text, semantic={"window": 0})) == [(0, 28), (29, 57)]
    assert spans_of(cut(text, semantic={"window": 0, "deviations": 1.0})) == [(0, 28), (29, 57)]


def test_nothing_over_the_size_is_embedded() -> None:
    text = "cat " * 40 + "end. A cat."
    chunks = cut(text, chunk_size=60)
    assert all(len(chunk.text) <= 60 for chunk in chunks)
    assert not uncovered(text, chunks)


def test_lines_without_marks_are_units() -> None:
    text = "a cat here\na cat there\na car here\na car there\n"
    assert texts_of(cut(text)) == ["a cat here\na cat there", "a car here\na car there"]


def test_a_mark_on_a_blank_is_not_lost() -> None:
    text = " \u0301\n[00:01:02] Ana: yes\n"
    assert not uncovered(text, cut(text, letter_counts))


def test_a_title_goes_with_what_follows() -> None:
    """Whatever it is like itself, and also where a size ends a chunk."""
    text = "A cat sat. A cat ran.\n\nNext topic\n\nA car stops. A car honks."
    first, second = "A cat sat. A cat ran.", "Next topic\n\nA car stops. A car honks."
    assert texts_of(cut(text)) == [first, second]
    assert texts_of(cut(text.replace("Next topic", "On cats"), chunk_size=40)) == [first, second.replace("Next topic", "On cats")]
    assert texts_of(cut("A cat sat. Cars do this: a car stops.")) == ["A cat sat.", "Cars do this: a car stops."]


def test_speech_without_marks_is_cut_where_its_topic_changes() -> None:
    text = "my cat sat and " * 40 + "my car ran and " * 40
    chunks = cut(text, word_counts, tokenizer="words", chunk_size=256)
    place = next(chunk.start for chunk in chunks if "car" in chunk.text)
    assert abs(place - text.index("my car")) < 200
    assert not uncovered(text, chunks)


def test_parents_end_at_the_same_topics_and_cost_no_more() -> None:
    calls = list[int]()

    def counting(texts: Sequence[str]) -> np.ndarray[Any, Any]:
        calls.append(len(texts))
        return cats_and_cars(texts)

    text = "A cat sat. A cat ran. My cat hid. A car stops. A car honks."
    chunks = cut(text, counting, chunk_size=25, parent_chunk_size=60)
    assert [chunk.text for chunk in chunks if chunk.kind == "parent"] == [
        "A cat sat. A cat ran. My cat hid.",
        "A car stops. A car honks.",
    ]
    assert [chunk.text for chunk in chunks if chunk.kind == "chunk"] == [
        "A cat sat. A cat ran.", "My cat hid.", "A car stops. A car honks.",
    ]  # fmt: skip
    assert calls == [5]


def test_long_texts_go_to_the_model_in_batches_and_equal_sentences_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("cat", "cat", "dog", "car", "cow", "cat", "car", "car", "dog", "cow", "cow")
    text = " ".join(f"The {word} is here." for word in words)
    whole = cut(text, letter_counts, semantic={"window": 2, "percentile": 40})
    calls = list[Sequence[str]]()
    monkeypatch.setattr("chunking.strategies.semantic.PLACES", 3)

    def recording(texts: Sequence[str]) -> np.ndarray[Any, Any]:
        calls.append(texts)
        return letter_counts(texts)

    assert [chunk.text for chunk in cut(text, recording, semantic={"window": 2, "percentile": 40})] == texts_of(whole)
    assert len(whole) > 2
    assert len(calls) == 4
    assert all(len({*texts}) == len(texts) <= 3 + 1 + 2 * 2 for texts in calls)


@pytest.mark.parametrize("shape", [(1, 2), (2,), (3, 2)])
def test_a_model_that_loses_vectors_is_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"embed= must give (2, dimension) for 2 texts, got {shape}")):
        cut("One cat. Two cats.", lambda _: np.ones(shape))


def test_a_vector_of_zeros_is_like_nothing() -> None:
    assert texts_of(cut("A cat. It is. A cat.")) == ["A cat.", "It is.", "A cat."]
    assert neighbour_similarities(np.zeros((3, 2)), 1).tolist() == [0.0, 0.0]


def broken(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    return np.array([[np.nan if place else 1.0, 0.0] for place in range(len(texts))])


def test_a_vector_that_is_not_finite_fails_the_document() -> None:
    with pytest.raises(EmbeddingError, match=r"the vector of 'Two cats\.' isn't finite"):
        cut("One cat. Two cats.", broken)


def test_a_window_compares_means_of_neighbours() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1], [1, 0], [1, 0]], dtype=float)
    assert neighbour_similarities(vectors, 0).tolist() == [1.0, 0.0, 0.0, 1.0]
    assert neighbour_similarities(vectors, 1).min() > 0.7
    for place, wanted in enumerate((2**-0.5, 2**-0.5, 2**-0.5, 2**-0.5)):
        assert neighbour_similarities(vectors, 1)[place] == pytest.approx(wanted, abs=1e-4)


@given(noise=st.lists(st.floats(-4e-6, 4e-6), min_size=12, max_size=12), window=st.integers(0, 2))
def test_what_batching_changes_moves_no_boundary(noise: list[float], window: int) -> None:
    vectors = letter_counts(["the cat sat", "a cat ran", "cars honk", "a car stops", "rain falls", "wet rain"]).astype(float)
    moved = vectors + np.array(noise).reshape(6, 2).repeat(13, axis=1) * (vectors != 0)
    one, other = (boundaries(neighbour_similarities(each, window), 0.5, None, None).tolist() for each in (vectors, moved))
    assert one == other


@pytest.mark.parametrize(
    "block, message",
    [
        ({"threshold": 0.5, "percentile": 5}, "takes one of threshold, percentile, deviations, got threshold and percentile"),
        ({"percentile": 100}, "percentile must be over 0 and under 100, got 100"),
        ({"window": -1}, "window must be 0 or more"),
        ({"threshold": 1.5}, "threshold is a cosine: it must be from -1 to 1, got 1.5"),
        ({"threshold": float("nan")}, "threshold is a cosine"),
        ({"deviations": -1}, "deviations must be 0 or more, got -1"),
    ],
)
def test_settings_are_checked(block: dict[str, float], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ChunkingConfig.model_validate({"strategy": "semantic", "semantic": block})


def test_without_a_model_it_says_what_is_missing() -> None:
    with pytest.raises(ConfigError, match="needs an embedding model: pass embed="):
        cut("Any text.", None)


@given(text=texts(12))
def test_any_text(text: str) -> None:
    """Nothing is lost, and nothing over the size goes to the model, but for single clusters."""

    def embed(texts: Sequence[str]) -> np.ndarray[Any, Any]:
        assert all(len(text) <= 60 or len(regex.findall(r"\X", text)) <= 2 for text in texts)
        return letter_counts(texts)

    text = read_text(Document("d", text)).text
    assert not uncovered(text, cut(text, embed, chunk_size=60))
