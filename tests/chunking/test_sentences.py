"""The two segmenters side by side: offsets that leave nothing out."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.errors import ConfigError
from chunking.sentences import WINDOW, load_segmenter
from tests.generators import texts

LIBRARIES = ("sentencex", "pysbd")


def sentences(library: str, text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in load_segmenter(library, language)(text)]


@pytest.mark.parametrize("library", LIBRARIES)
@given(data=st.data())
def test_sentences_are_gapless_and_in_order(library: str, data: st.DataObject) -> None:
    text = data.draw(texts(10)).encode("utf-8", "replace").decode()
    spans = load_segmenter(library, "en")(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(left.end == right.start for left, right in pairwise(spans))
    assert not any(text[start:end].isspace() for start, end in spans[1:])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "language, parts",
    [
        ("en", ["Dr. Osei paid 3.50 EUR at 9 a.m. sharp. ", "The U.S. office called."]),
        ("en", ["See fig. 3, e.g. the left part. ", "It is red."]),
        ("en", ["Mr. Smith et al. agree. ", "Next."]),
        ("en", ['"It works." ', "He smiled. ", '"Good!" they said.']),
        ("en", ["Is it? ", "Yes! ", "Good."]),
        ("ja", ["雨が降った。", "道が濡れた！", "本当か？"]),
        ("zh", ["你好。", "再见！"]),
    ],
)
def test_both_find_the_same_sentences(library: str, language: str, parts: list[str]) -> None:
    assert sentences(library, "".join(parts), language) == parts


@pytest.mark.parametrize("library", LIBRARIES)
def test_blanks_belong_to_the_sentence_before(library: str) -> None:
    assert sentences(library, "One here.\n\n\nTwo here.  Three here.") == ["One here.\n\n\n", "Two here.  ", "Three here."]


@pytest.mark.parametrize("library", LIBRARIES)
def test_repeated_sentences_are_each_found(library: str) -> None:
    assert sentences(library, "Same again. " * 50) == ["Same again. "] * 50


def test_pysbd_sees_a_long_text_window_by_window() -> None:
    """Its time grows with the square of what it is given; the windows meet at a sentence's start."""
    parts = [f"Sentence number {number} stands here. " for number in range(WINDOW // 15)]
    assert sentences("pysbd", "".join(parts)) == parts


def test_pysbd_gets_past_a_sentence_longer_than_its_window() -> None:
    text = "word " * WINDOW + "end. Next one."
    assert "".join(sentences("pysbd", text)) == text


def test_a_language_that_pysbd_lacks_is_refused_by_key() -> None:
    with pytest.raises(ConfigError, match=r"sentence\.language 'xx'"):
        load_segmenter("pysbd", "xx")
