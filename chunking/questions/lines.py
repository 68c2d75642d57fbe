"""Questions that stand as headings, as lines in bold, or alone on a line, with the answer below."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby, pairwise

from chunking.markdown import Heading, inline_text, parse_markdown
from chunking.questions.pairs import COUNT, Pair, asks, pair_of

_BOLD = re.compile(r"(?:\*\*|__)(?P<words>[^\n]+?)(?:\*\*|__)[ \t]*:?[ \t]*(?:\n|$)")
_FIRST_LINE = r"[^\W\d_][^\n{};=<>]{2,300}?"
_NEXT_LINES = rf"(?:\n[ \t]*+(?!{COUNT}|\n)[^\n]{{1,300}}?){{0,3}}?"
_ALONE = re.compile(
    rf"(?:(?:\A|\n[ \t]*\n)[ \t]*(?P<alone>{_FIRST_LINE}[?\uff1f\u061f])"
    rf"|^[ \t]*(?P<counted>{COUNT}{_FIRST_LINE}{_NEXT_LINES}[?\uff1f\u061f]))[ \t]*(?=\n)",
    re.MULTILINE,
)
_SECTION = re.compile(r"(?<=\n)[ \t]*+\n[ \t]*+(?P<count>\d{1,3}(?:\.\d{1,3})+[.)]?[ \t]+\S)")
_COUNTS_IN_SECTION = re.compile(r"\d{1,3}\.\d")
CONTENTS = 3
"""Questions in a row without an answer that are a table of contents."""

_Asked = tuple[int, int, str, int]
"""Where a question starts and ends, its words, and the level of a heading."""


def find_in_markdown(text: str) -> Iterator[Pair]:
    """Headings and lines in bold that ask; where most of a level, or most lines in bold, do, all of those."""
    parsed = parse_markdown(text)
    bold = _bold_lines(text)
    asking = [line for line in bold if asks(line[2])]
    yield from _with_answers(text, [*_asking_headings(parsed.headings), *(bold if _are_most(asking, bold) else asking)])


def find_terms(text: str) -> Iterator[Pair]:
    """Lines in bold, two or more, with what is said of each below: a list of terms, for a text that asks nothing."""
    bold = _bold_lines(text)
    yield from _with_answers(text, bold) if len(bold) > 1 else ()


def find_alone(text: str) -> Iterator[Pair]:
    """Lines that ask, numbered, on up to four lines, or after a blank line, without those of a table of contents, if most have
    an answer below."""
    found = [match.span(match.lastgroup or 0) for match in _ALONE.finditer(text)]
    sections = [match.start("count") for match in _SECTION.finditer(text)]
    ends = [_answer_end(text, sections, start, end) for start, end in pairwise((*(start for start, _ in found), len(text)))]
    pairs = [
        pair_of(text, start, end, asked, " ".join(text[start:asked].split()), asked)
        for (start, asked), end in zip(found, ends, strict=bool(found))
    ]
    runs = [(answered, list(run)) for answered, run in groupby(pairs, key=lambda pair: pair.answer is not None)]
    kept = [pair for answered, run in runs if answered or len(run) < CONTENTS for pair in run]
    if len(kept) > 1 and 2 * sum(pair.answer is not None for pair in kept) > len(kept):
        yield from kept


def _answer_end(text: str, sections: list[int], start: int, end: int) -> int:
    """Where the answer to a question ends: at ``end``, or where the next section begins if the question is one by its number."""
    place = bisect_right(sections, start) if _COUNTS_IN_SECTION.match(text, start) else len(sections)
    return min(end, sections[place]) if place < len(sections) else end


def _are_most(asking: list[_Asked], of: list[_Asked]) -> bool:
    return len(asking) >= 2 and 2 * len(asking) > len(of)


def _with_answers(text: str, asked: list[_Asked]) -> Iterator[Pair]:
    """Each question to the next one or the next heading; a heading below the question's is in its answer."""
    headings = parse_markdown(text).headings
    asking = {start for start, *_ in asked}
    ends = dict(pairwise((*sorted(asking | {heading.start for heading in headings}), len(text))))
    levels = {heading.start: heading.level for heading in headings}
    for start, end_of_question, words, level in sorted(asked):
        end = ends[start]
        while level and end not in asking and levels.get(end, 0) > level:
            end = ends[end]
        yield pair_of(text, start, end, end_of_question, words, end_of_question)


def _asking_headings(headings: tuple[Heading, ...]) -> Iterator[_Asked]:
    for level in sorted({heading.level for heading in headings}):
        of_level = [(heading.start, heading.end, heading.name, level) for heading in headings if heading.level == level]
        asking = [heading for heading in of_level if asks(heading[2])]
        yield from of_level if _are_most(asking, of_level) else asking


def _bold_lines(text: str) -> list[_Asked]:
    """Lines in bold that begin a block; those right below one are part of it."""
    found = list[_Asked]()
    for block in parse_markdown(text).blocks:
        words, end = list[str](), block.start
        while line := _BOLD.match(text, end):
            words.append(inline_text(line["words"].strip()))
            end = line.end()
        if words:
            found.append((block.start, end, " ".join(words), 0))
    return found
