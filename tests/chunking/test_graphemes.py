"""Boundaries of grapheme clusters: the fast paths agree with the whole text cut by the rule."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunking import graphemes
from tests.generators import texts

CLUSTER = regex.compile(r"\X")
HARD = st.text(st.sampled_from("ae\u0301\u200d\r\n 👩👍🏽🇩🇪🇫☕\ufe0f각\u1100\u1161\u11a8नक्ष\u0600\u0e33鯨\u00ad\t"), max_size=40)


def edges(text: str) -> list[int]:
    return [match.end() for match in CLUSTER.finditer(text)]


@given(text=st.one_of(texts(12), HARD))
def test_boundaries_are_those_of_the_rule(text: str) -> None:
    assert list(graphemes.boundaries(text, 0, len(text))) == edges(text)


@given(text=st.one_of(texts(12), HARD), data=st.data())
def test_each_place_is_judged_as_in_the_whole_text(text: str, data: st.DataObject) -> None:
    known = [0, *edges(text)]
    start = data.draw(st.sampled_from(known))
    place = data.draw(st.integers(start, len(text)))
    assert graphemes.is_boundary(text, place, start) == (place in known)
    if place > start:
        assert graphemes.last_boundary(text, start, place) == max(edge for edge in known if start <= edge <= place)


@pytest.mark.parametrize(
    "cluster", ["👩\u200d👩\u200d👧\u200d👦", "🇩🇪", "👍🏽", "e\u0301", "\r\n", "각", "❤\ufe0f\u200d🔥", " \u0301"]
)
def test_no_cluster_has_a_boundary_inside(cluster: str) -> None:
    text = f"a{cluster * 3}b"
    inside = [place for place in range(len(text) + 1) if (place - 1) % len(cluster) and 1 < place < len(text) - 1]
    assert not any(graphemes.is_boundary(text, place, 0) for place in inside)


@pytest.mark.parametrize("text", ["🇩\u094dक", "🇩🇪\u094dक🇫", "🇩🇪🇫🇷\u094dक", "🇩🇪\u0301🇫🇷", "🇩\u200d🇪🇫"])
def test_flags_with_marks_are_cut_by_the_rule(text: str) -> None:
    assert list(graphemes.boundaries(text, 0, len(text))) == edges(text)
    assert [place for place in range(1, len(text) + 1) if graphemes.is_boundary(text, place, 0)] == edges(text)


def test_a_long_run_of_flags_stays_paired() -> None:
    text = "🇩🇪" * 5_000 + "🇫"
    assert graphemes.last_boundary(text, 0, 9_001) == 9_000
    assert not graphemes.is_boundary(text, 777, 0)
    assert list(graphemes.boundaries(text, 0, len(text)))[-2:] == [10_000, 10_001]
