"""Questions that stand as headings, as lines in bold, or alone on a line, with the answer below."""

import re
from collections.abc import Iterator
from itertools import pairwise

from chunking.markdown import Heading, inline_text, parse_markdown
from chunking.pairs import Pair, asks, pair_of

_BOLD = re.compile(r"(?:\*\*|__)(?P<words>[^\n]+?)(?:\*\*|__)[ \t]*:?[ \t]*(?:\n|$)")
_ALONE = re.compile(
    r"(?:^|\n[ \t]*\n|(?<=\n)(?=[ \t]*\d))[ \t]*(?P<line>(?:\d{1,3}[.)][ \t]+)?[^\W\d_][^\n{};=<>]{2,300}[?\uff1f\u061f])[ \t]*(?=\n)"
)

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
    """Lines that ask, numbered or after a blank line, if most have an answer below."""
    found = list(_ALONE.finditer(text))
    ends = [*(match.start("line") for match in found[1:]), len(text)]
    pairs = [
        pair_of(text, match.start("line"), end, match.end("line"), " ".join(match["line"].split()), match.end("line"))
        for match, end in zip(found, ends, strict=bool(found))
    ]
    if len(pairs) > 1 and 2 * sum(pair.answer is not None for pair in pairs) > len(pairs):
        yield from pairs


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
