"""The default strategy: separators by level, greedy merging, overlap of whole pieces."""

from itertools import pairwise

import pytest

from chunking import Chunk, load_tokenizer
from chunking.fitting import Fit, Gauge
from chunking.merging import merge_small
from chunking.sections import Sections
from chunking.strategies import Piece
from tests.chunking.cut import cut, spans_of, texts_of, uncovered

LINES_AND_WORDS = ("\n\n", "\n", " ", "")


def by_characters(
    text: str, size: int, separators: tuple[str, ...] = LINES_AND_WORDS, overlap: int = 0, **block: bool
) -> list[Chunk]:
    return cut(
        text, tokenizer="characters", chunk_size=size, chunk_overlap=overlap, recursive={"separators": separators, **block}
    )


def test_repeated_words_keep_their_own_offsets() -> None:
    text = "once none nonce nonce"
    chunks = by_characters(text, 10, (" ", ""), overlap=5)
    assert chunks[0].start == 0
    assert spans_of(chunks)[-1] == (16, 21)
    assert all(left.start < right.start and left.end < right.end for left, right in pairwise(chunks))
    assert not uncovered(text, chunks)


def test_overlap_without_any_separator_is_made_of_characters() -> None:
    chunks = by_characters("qwertyuiopas", 5, ("\n\n", ""), overlap=2)
    assert spans_of(chunks) == [(0, 5), (3, 8), (6, 11), (9, 12)]


def test_a_text_that_fits_is_one_chunk() -> None:
    assert spans_of(by_characters("Para one.\n\nPara two.\n\nPara three.", 100, overlap=20)) == [(0, 33)]


def test_a_word_over_size_is_cut_hard_and_alone() -> None:
    chunks = by_characters("see antidisestablishmentarianism now", 10, ("\n\n", "\n", " "))
    assert texts_of(chunks) == ["see", "antidisest", "ablishment", "arianism", "now"]
    assert spans_of(chunks) == [(0, 3), (4, 14), (14, 24), (24, 32), (33, 36)]


def test_a_dropped_separator_stands_in_no_chunk() -> None:
    chunks = by_characters("aa.bb|cc.dd|ee", 5, ("|",), drop_separators=True)
    assert spans_of(chunks) == [(0, 5), (6, 11), (12, 14)]


def test_dropped_separators_leave_both_ends_of_the_text_and_runs_of_them() -> None:
    chunks = by_characters("||aa.bb| |cc.dd|ee| |", 5, ("|",), drop_separators=True)
    assert texts_of(chunks) == ["aa.bb", "cc.dd", "ee"]


def test_dropped_separators_of_several_levels_leave_one_edge() -> None:
    chunks = by_characters("aa.bb|\n\n|cc.dd", 5, ("\n\n", "|"), drop_separators=True)
    assert texts_of(chunks) == ["aa.bb", "cc.dd"]


def test_a_text_of_dropped_separators_alone_has_no_chunk() -> None:
    assert by_characters("| || |", 5, ("|",), drop_separators=True) == []


def test_separators_inside_a_chunk_stay() -> None:
    assert texts_of(by_characters("a|b|c", 5, ("|",), drop_separators=True)) == ["a|b|c"]


@pytest.mark.parametrize("separator", ["++", "?", "(", "\\", "[a"])
def test_a_literal_separator_is_no_regular_expression(separator: str) -> None:
    chunks = by_characters(f"one{separator}two", 5, (separator,))
    assert "".join(texts_of(chunks)) == f"one{separator}two"


def test_a_regular_expression_cuts_before_headings() -> None:
    chunks = by_characters("# a\ntext\n# b\nmore", 10, (r"\n(?=#)",), regex=True)
    assert texts_of(chunks) == ["# a\ntext", "# b\nmore"]


def test_an_overlap_one_below_the_size_ends() -> None:
    text = "kit\n" * 40
    chunks = by_characters(text, 50, overlap=49)
    assert len(chunks) <= 160
    assert all(left.start < right.start and left.end < right.end for left, right in pairwise(chunks))
    assert not uncovered(text, chunks)


def test_windows_line_ends_part_paragraphs_and_stay_in_the_text() -> None:
    chunks = by_characters("Intro.\r\n\r\nBody one.\r\n\r\nBody two.", 12)
    assert spans_of(chunks) == [(0, 6), (10, 19), (23, 32)]


def test_a_nearly_full_chunk_still_overlaps_the_next() -> None:
    text = "alpha beta gamma delta ee\n\nzeta eta theta"
    chunks = by_characters(text, 30, overlap=10)
    assert len(chunks) == 2
    assert 1 <= chunks[0].end - chunks[1].start <= 10
    assert chunks[1].text.endswith("zeta eta theta")
    assert not uncovered(text, chunks)


def test_a_line_that_fills_the_chunk_up_to_its_last_blank_is_whole() -> None:
    """The piece ends at the limit, its separator stands a blank further on."""
    assert texts_of(by_characters("aa\nbb \ncc", 5, ("\n",))) == ["aa\nbb", "cc"]


def test_a_combining_accent_stays_with_its_letter() -> None:
    assert texts_of(by_characters("cafe\u0301bar", 4, ("",))) == ["caf", "e\u0301ba", "r"]


def test_a_separator_never_cuts_a_cluster() -> None:
    """A separator whose last character carries an accent parts nothing."""
    assert texts_of(by_characters("abe\u0301cd", 3, ("e",))) == ["ab", "e\u0301c", "d"]


def test_an_accent_on_a_blank_keeps_the_blank() -> None:
    chunks = by_characters("abcd \u0301efg", 5, (" ",))
    assert texts_of(chunks) == ["abcd", " \u0301efg"]


@pytest.mark.parametrize("text", ["", " \n\t \n", "\u3000\u2028\x1c"])
def test_a_blank_text_has_no_chunk(text: str) -> None:
    assert by_characters(text, 10) == []


def test_separators_are_not_charged_twice() -> None:
    chunks = cut(("word " * 40).strip(), chunk_size=10, recursive={"separators": (" ",)})
    assert spans_of(chunks) == [(0, 49), (50, 99), (100, 149), (150, 199)]
    assert [chunk.token_count for chunk in chunks] == [10, 10, 10, 10]


def test_overlap_counts_towards_the_size() -> None:
    text = "\n".join(f"line {number} has five words" for number in range(1, 9))
    chunks = cut(text, chunk_size=20, chunk_overlap=6, max_embed_tokens=20, recursive={"separators": ("\n", " ")})
    count = load_tokenizer("tiktoken:cl100k_base").count
    assert all(count(chunk.text) <= 20 for chunk in chunks)
    assert all(0 < count(text[right.start : left.end]) <= 6 for left, right in pairwise(chunks))
    assert not uncovered(text, chunks)


def test_a_line_larger_than_the_embedder_takes_is_split() -> None:
    text = "x" * 30 + " " + "ǂ" * 37
    chunks = cut(text, chunk_size=19, max_embed_tokens=25, embed_prefix="one two three four five ")
    assert all(chunk.token_count <= 19 for chunk in chunks)
    assert not any("\ufffd" in chunk.text for chunk in chunks)
    assert not uncovered(text, chunks)


def test_the_defaults_cut_at_sentence_ends_before_clauses_and_words() -> None:
    text = "The first one ends here. The second, which is longer, goes on. A third."
    assert texts_of(cut(text, tokenizer="words", chunk_size=9)) == [
        "The first one ends here.",
        "The second, which is longer, goes on. A third.",
    ]


def test_text_without_blanks_overlaps_across_line_ends() -> None:
    """Ideographs are not parted by blanks: characters are the pieces that overlap there."""
    line = "山川海空森林田野" * 3
    chunks = cut(f"{line}\n{line}", tokenizer="characters", chunk_size=24, chunk_overlap=4)
    assert all(0 < left.end - right.start <= 4 for left, right in pairwise(chunks))


def test_an_overlap_in_a_long_run_of_flags_starts_at_a_flag() -> None:
    chunks = cut("🇩🇪" * 500, tokenizer="characters", chunk_size=701, chunk_overlap=101)
    assert all(chunk.start % 2 == 0 and chunk.end % 2 == 0 for chunk in chunks)
    assert len(chunks) == 2


@pytest.mark.parametrize("tail", ["", "\n\nThe last paragraph"])
def test_a_break_far_ahead_changes_nothing_before_it(tail: str) -> None:
    """Twice the lines give twice the chunks: the first half's are the same spans, whatever follows."""
    line = "a line of plain text\n"
    short, long = (spans_of(by_characters(line * times + tail, 200)) for times in (500, 1000))
    assert long[: len(short) - 2] == short[:-2]
    assert abs(len(long) - 2 * len(short)) <= 2


def test_small_chunks_join_a_neighbour() -> None:
    text = "One two three four five six.\n\nSeven.\n\nEight nine ten eleven twelve thirteen."
    assert texts_of(cut(text, tokenizer="words", chunk_size=7)) == [
        "One two three four five six.\n\nSeven.",
        "Eight nine ten eleven twelve thirteen.",
    ]


def test_small_chunks_join_within_their_section_first() -> None:
    fit = Fit("aaaa bb cccc", Gauge(load_tokenizer("characters"), "aaaa bb cccc"), size=7)
    sections = Sections(starts=(0, 5), paths=(("One",), ("Two",)))
    pieces = [Piece(0, 4), Piece(5, 7), Piece(8, 12)]
    assert merge_small(pieces, fit, 3, sections) == [Piece(0, 4), Piece(5, 12)]
    assert merge_small(pieces, fit, 3, Sections()) == [Piece(0, 7), Piece(8, 12)]


def test_a_chunk_over_two_sections_has_their_common_path() -> None:
    text = "# Guide\n\n## One\n\nalpha\n\n## Two\n\nbeta"
    (chunk,) = cut(text, content_type="text/markdown")
    assert chunk.section_path == ("Guide",)


def test_a_small_chunk_that_fits_nowhere_is_kept_and_flagged() -> None:
    chunks = cut("a\n\n" + "word" * 3, tokenizer="characters", chunk_size=12, min_chunk_size=3)
    assert texts_of(chunks) == ["a", "wordwordword"]
    assert chunks[0].flags == ("under_min_chunk_size",)
