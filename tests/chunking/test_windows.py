"""Windows over long documents: the laws that any placement obeys, and some placements by hand."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.windows import Ownership, Window, plan_windows

OWNERSHIPS = get_args(Ownership)
Case = tuple[int, int, int, Ownership]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    size = draw(st.integers(1, 40))
    return draw(st.integers(0, 300)), size, draw(st.integers(0, size - 1)), draw(st.sampled_from(OWNERSHIPS))


def owners(windows: list[Window]) -> dict[int, Window]:
    return {token: window for window in windows for token in range(window.own_first, window.own_last)}


@given(case=cases())
def test_every_token_is_owned_exactly_once_and_in_order(case: Case) -> None:
    owned = [token for window in plan_windows(*case) for token in range(window.own_first, window.own_last)]
    assert owned == list(range(case[0]))


@given(case=cases())
def test_windows_stay_within_the_size_and_own_only_what_they_see(case: Case) -> None:
    length, size, _, _ = case
    for window in plan_windows(*case):
        assert window.last - window.first == min(size, length)
        assert 0 <= window.first <= window.own_first < window.own_last <= window.last <= length


@given(case=cases())
def test_neighbours_share_at_least_the_overlap(case: Case) -> None:
    windows = plan_windows(*case)
    assert all(left.last - right.first >= case[2] for left, right in pairwise(windows))


@given(case=cases())
def test_the_owner_is_the_best_window_that_sees_the_token(case: Case) -> None:
    windows = plan_windows(*case)
    for token, owner in owners(windows).items():
        seeing = [window for window in windows if window.first <= token < window.last]
        if case[3] == "paper":
            assert token - owner.first == max(token - window.first for window in seeing)
        else:
            assert _off_centre(owner, token) == min(_off_centre(window, token) for window in seeing)


def _off_centre(window: Window, token: int) -> int:
    """Twice the distance from the window's middle."""
    return abs(2 * token - (window.first + window.last - 1))


def test_a_short_document_is_one_window() -> None:
    assert plan_windows(5, 8, 4) == [Window(0, 5, 0, 5)]
    assert plan_windows(8, 8, 4) == [Window(0, 8, 0, 8)]
    assert plan_windows(0, 8, 4) == []


def test_the_last_window_is_moved_back_to_be_full() -> None:
    assert plan_windows(9, 4, 2) == [Window(0, 4, 0, 3), Window(2, 6, 3, 5), Window(4, 8, 5, 7), Window(5, 9, 7, 9)]


def test_paper_gives_a_token_to_the_first_window_that_sees_it() -> None:
    assert plan_windows(9, 4, 2, "paper") == [Window(0, 4, 0, 4), Window(2, 6, 4, 6), Window(4, 8, 6, 8), Window(5, 9, 8, 9)]


@pytest.mark.parametrize("overlap", [-1, 4, 5])
def test_an_overlap_that_leaves_no_stride_is_refused(overlap: int) -> None:
    with pytest.raises(ValueError, match=f"overlap {overlap} .* 4 content tokens"):
        plan_windows(9, 4, overlap)
