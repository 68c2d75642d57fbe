"""Hits as passages: overlapping ones once, and united contexts within a budget."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chunking.document import Span
from chunking.passages import Hit, rank, rebuilt, unite, widened, within_budget, without_overlaps


def length(doc_id: str, span: Span) -> int:
    return span.end - span.start


def hits() -> st.SearchStrategy[list[Hit]]:
    numbers = st.tuples(st.sampled_from("ab"), st.integers(0, 60), st.integers(1, 20), st.sampled_from((0.1, 0.5, 0.9)))
    return st.lists(numbers, max_size=20).map(
        lambda rows: [Hit(f"{i:02}", doc, start, start + width, score) for i, (doc, start, width, score) in enumerate(rows)]
    )


def overlap(one: Hit, other: Hit) -> bool:
    return one.doc_id == other.doc_id and bool(set(range(one.start, one.end)) & set(range(other.start, other.end)))


def test_equal_scores_rank_by_chunk_id() -> None:
    given_hits = [Hit("b", "d", 0, 1, 0.5), Hit("c", "d", 1, 2, 0.9), Hit("a", "d", 2, 3, 0.5)]
    assert [hit.chunk_id for hit in rank(given_hits)] == ["c", "a", "b"]


@given(found=hits(), most=st.integers(0, 8))
def test_kept_hits_share_nothing_and_only_overlapping_ones_give_way(found: list[Hit], most: int) -> None:
    kept = without_overlaps(found, most)
    assert len(kept) <= most
    assert not [(a, b) for i, a in enumerate(kept) for b in kept[i + 1 :] if overlap(a, b)]
    for left_out in set(found) - set(kept):
        better = [hit for hit in kept if (-hit.score, hit.chunk_id) < (-left_out.score, left_out.chunk_id)]
        assert len(better) == most or any(overlap(hit, left_out) for hit in better)


def test_touching_hits_do_not_overlap() -> None:
    touching = [Hit("a", "d", 0, 5, 0.9), Hit("b", "d", 5, 9, 0.8), Hit("c", "e", 0, 5, 0.7), Hit("x", "d", 4, 6, 0.1)]
    assert [hit.chunk_id for hit in without_overlaps(touching, 9)] == ["a", "b", "c"]


@given(found=hits())
def test_united_spans_hold_the_same_characters_apart_and_in_order(found: list[Hit]) -> None:
    spans = [Span(hit.start, hit.end) for hit in found]
    united = unite(spans)
    assert {i for span in united for i in range(*span)} == {i for span in spans for i in range(*span)}
    assert all(left.end < right.start for left, right in pairwise(united))


@given(found=hits(), budget=st.integers(0, 80))
def test_a_context_stays_within_its_budget(found: list[Hit], budget: int) -> None:
    chosen = within_budget(found, budget, length)
    assert sum(length(doc_id, span) for doc_id, spans in chosen.items() for span in spans) <= budget
    assert chosen == {doc_id: unite(spans) for doc_id, spans in chosen.items()}


def test_a_hit_too_large_is_passed_over_and_documents_come_by_their_best() -> None:
    found = [Hit("a", "d", 0, 5, 0.9), Hit("b", "e", 0, 50, 0.8), Hit("c", "e", 8, 12, 0.7), Hit("f", "d", 3, 8, 0.6)]
    chosen = within_budget(found, 12, length)
    assert list(chosen.items()) == [("d", [Span(0, 8)]), ("e", [Span(8, 12)])]


def test_hits_of_one_parent_are_one_with_the_best_score() -> None:
    found = [Hit("a", "d", 0, 5, 0.5), Hit("b", "d", 5, 9, 0.8), Hit("c", "d", 20, 25, 0.7)]
    wider = {"a": Span(0, 12), "b": Span(0, 12), "c": Span(12, 30)}
    assert widened(found, wider) == [Hit("b", "d", 0, 12, 0.8), Hit("c", "d", 12, 30, 0.7)]


def test_neighbourhoods_that_meet_become_one() -> None:
    found = [Hit("b", "d", 5, 9, 0.5), Hit("d", "d", 15, 20, 0.8), Hit("x", "e", 0, 3, 0.6)]
    wider = {"b": Span(0, 15), "d": Span(9, 25)}
    assert widened(found, wider) == [Hit("d", "d", 0, 25, 0.8), Hit("x", "e", 0, 3, 0.6)]


@given(found=hits())
def test_widened_hits_hold_what_they_held_and_share_nothing(found: list[Hit]) -> None:
    result = widened(found, {hit.chunk_id: Span(max(hit.start - 4, 0), hit.end + 4) for hit in found})
    assert not [(a, b) for i, a in enumerate(result) for b in result[i + 1 :] if overlap(a, b)]
    assert all(any(r.doc_id == h.doc_id and r.start <= h.start and h.end <= r.end for r in result) for h in found)


def test_a_text_is_rebuilt_from_overlapping_chunks() -> None:
    assert rebuilt([(5, "three four"), (1, "one three")]) == "\none three four"
