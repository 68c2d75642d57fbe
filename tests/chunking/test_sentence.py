"""Whole sentences, packed up to the size."""

from itertools import pairwise
from typing import Any

import pytest

from chunking import Chunk
from tests.chunking.cut import cut, spans_of, texts_of, uncovered


def by_sentences(text: str, **settings: Any) -> list[Chunk]:
    return cut(text, strategy="sentence", **settings)


@pytest.mark.parametrize("library", ["sentencex", "pysbd"])
def test_abbreviations_and_decimals_end_no_sentence(library: str) -> None:
    text = "Dr. Osei paid 3.50 EUR at 9 a.m. sharp. The U.S. office called."
    assert spans_of(by_sentences(text, sentence={"max_sentences": 1, "library": library})) == [(0, 39), (40, 63)]


def test_japanese_sentences_need_no_blank() -> None:
    chunks = by_sentences("雨が降った。道が濡れた！本当か？", sentence={"max_sentences": 1, "language": "ja"})
    assert texts_of(chunks) == ["雨が降った。", "道が濡れた！", "本当か？"]
    assert spans_of(chunks) == [(0, 6), (6, 12), (12, 16)]


def test_a_closing_quote_stays_with_its_sentence() -> None:
    text = '"It works." He smiled. "Good!" they said.'
    assert spans_of(by_sentences(text, sentence={"max_sentences": 1})) == [(0, 11), (12, 22), (23, 41)]


def test_a_sentence_over_size_is_split_at_words() -> None:
    text = "alpha " * 25 + "end."
    chunks = by_sentences(text, chunk_size=10)
    assert len(chunks) == 3
    assert all(chunk.token_count <= 10 for chunk in chunks)
    assert not any(text[chunk.start - 1 : chunk.start].strip() or text[chunk.end : chunk.end + 1].strip() for chunk in chunks)
    assert not uncovered(text, chunks)


def test_a_sentence_over_size_is_split_at_clauses_first() -> None:
    text = "The committee, after a long debate, chose the northern route. Work starts soon."
    chunks = by_sentences(text, tokenizer="characters", chunk_size=24)
    assert texts_of(chunks)[:2] == ["The committee,", "after a long debate,"]
    assert all(left.end <= right.start for left, right in pairwise(chunks))
    assert all(len(chunk.text) <= 24 for chunk in chunks)
    assert not uncovered(text, chunks)


def test_sentences_are_packed_up_to_the_size() -> None:
    text = "One two. Three four. Five six. Seven eight."
    assert texts_of(by_sentences(text, tokenizer="words", chunk_size=5)) == ["One two. Three four.", "Five six. Seven eight."]


def test_overlap_is_the_last_sentences_of_the_chunk_before() -> None:
    text = "One two. Three four. Five six. Seven eight."
    chunks = by_sentences(text, tokenizer="words", chunk_size=4, sentence={"overlap_sentences": 1})
    assert texts_of(chunks) == ["One two. Three four.", "Three four. Five six.", "Five six. Seven eight."]


def test_chunk_overlap_bounds_the_sentences_that_overlap() -> None:
    text = "One two. Three four. Five six. Seven eight."
    chunks = by_sentences(text, tokenizer="words", chunk_size=4, chunk_overlap=1, sentence={"overlap_sentences": 1})
    assert texts_of(chunks) == ["One two. Three four.", "Five six. Seven eight."]


def test_blank_lines_are_no_sentences() -> None:
    """``max_sentences`` counts what has words in it."""
    text = "One here.\n\nTwo here.\n\n\nThree here. Four here."
    chunks = by_sentences(text, sentence={"max_sentences": 2})
    assert texts_of(chunks) == ["One here.\n\nTwo here.", "Three here. Four here."]


def test_single_sentences_are_not_merged_however_short() -> None:
    chunks = by_sentences("Yes, now. Never again. Maybe so.", min_chunk_size=30, sentence={"max_sentences": 1})
    assert texts_of(chunks) == ["Yes, now.", "Never again.", "Maybe so."]


def test_short_chunks_are_merged_otherwise() -> None:
    text = "One two three four five. Six. Seven eight nine ten eleven."
    chunks = by_sentences(text, tokenizer="words", chunk_size=6, min_chunk_size=3)
    assert texts_of(chunks) == ["One two three four five. Six.", "Seven eight nine ten eleven."]
