"""Questions and their answers in a text: marked, as headings, as bold lines, alone on a line, or as columns."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from chunking.delimited import read_delimited
from chunking.document import Span, Text
from chunking.lines import line_starts
from chunking.markdown import Heading, inline_text, parse_markdown
from chunking.reading.kinds import CSV, TSV

_MARKS = r"(?:[#>*_]++[ \t]*+|[-+][ \t]++|\d++[.)][ \t]++)*+"
_ASKS = re.compile(rf"^[ \t]*+{_MARKS}(?:Q|Question|Frage|Pregunta|F)[ \t]*\d*[*_]*[.:)\]][*_]*(?=\s|$)[ \t]*", re.MULTILINE)
_ANSWERS = re.compile(rf"^[ \t]*+{_MARKS}(?:A|Answer|Antwort|Respuesta|R)[ \t]*\d*[*_]*[.:)\]][*_]*(?=\s|$)[ \t]*", re.MULTILINE)
_BOLD = re.compile(r"(?:\*\*|__)(?P<words>[^\n]+?)(?:\*\*|__)[ \t]*:?[ \t]*(?:\n|$)")
_ALONE = re.compile(r"(?:^|\n[ \t]*\n)(?P<line>[^\W\d_][^\n{};=<>]{2,300}\?)[ \t]*(?=\n)")
_PARTED = re.compile(r"\n[ \t]*\n")
_ASK_NAMES = frozenset({"question", "questions", "q", "frage", "prompt"})
_ANSWER_NAMES = frozenset({"answer", "answers", "a", "antwort", "response"})
QUESTION_MARKS = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and its answer.

    Args:
        asked: the span of the question, its marks included.
        question: its words.
        answer: the span of the answer's words; None: there is none.
    """

    start: int
    end: int
    asked: Span
    question: str
    answer: Span | None


@lru_cache(maxsize=1)
def find_pairs(text: Text) -> tuple[Pair, ...]:
    """The pairs of a text, in order, by the first form that it has: columns, marks, headings and bold lines, lines alone."""
    if text.content_type == CSV:
        return tuple(_of_columns(text.text))
    if text.content_type == TSV or _is_tabbed(text.text):
        return tuple(_of_tabs(text.text))
    return tuple(_of_marks(text.text)) or tuple(_of_markdown(text.text)) or tuple(_of_lines(text.text))


def _pair(text: str, start: int, end: int, asked: int, question: str, answer: int) -> Pair:
    """A pair whose question ends at ``asked`` and whose answer's words begin at ``answer``, blanks trimmed."""
    end = start + len(text[start:end].rstrip())
    asked = start + len(text[start : min(asked, end)].rstrip())
    answer += len(text[answer:end]) - len(text[answer:end].lstrip())
    return Pair(start, end, Span(start, asked), question, Span(answer, end) if answer < end else None)


def _of_columns(text: str) -> Iterator[Pair]:
    table = read_delimited(text)
    names = [name.strip().lower() for name in table.columns]
    asks = next((place for place, name in enumerate(names) if name in _ASK_NAMES), None)
    answers = next((place for place, name in enumerate(names) if name in _ANSWER_NAMES), None)
    if asks is None or answers is None:
        return
    for row in table.rows:
        question = row.cells[asks].strip() if asks < len(row.cells) else ""
        answered = answers < len(row.cells) and row.cells[answers].strip()
        found = text.find(question[:40], row.start, row.end) + len(question) if answers > asks else row.start
        if question:
            yield _pair(text, row.start, row.end, min(found, row.end), question, min(found, row.end) if answered else row.end)


def _is_tabbed(text: str) -> bool:
    """Whether lines of a question, a tab and an answer make most of a text's beginning."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    asking = sum("?" in line.partition("\t")[0] for line in lines if "\t" in line)
    return asking >= 2 and asking >= 0.3 * len(lines)


def _of_tabs(text: str) -> Iterator[Pair]:
    """Lines with a tab begin a pair; others continue the answer before them."""
    lines = pairwise(line_starts(text))
    starts = [start for start, end in lines if text[start : text.find("\t", start, end) + 1].strip()]
    for start, end in pairwise((*starts, len(text))):
        tab = text.index("\t", start)
        yield _pair(text, start, end, tab, text[start:tab].strip(), tab + 1)


def _of_marks(text: str) -> Iterator[Pair]:
    """``Q:`` and ``A:`` at the start of lines; questions one right under the other share the answer."""
    asks = list(_ASKS.finditer(text))
    answers = list(_ANSWERS.finditer(text))
    if not asks or not answers:
        return
    groups: list[list[re.Match[str]]] = []
    for ask in asks:
        above = text[groups[-1][-1].end() : ask.start()] if groups else ""
        if groups and above.strip() and not _PARTED.search(above) and not _ANSWERS.search(above):
            groups[-1].append(ask)
        else:
            groups.append([ask])
    for group, after in zip(groups, [*(group[0].start() for group in groups[1:]), len(text)], strict=True):
        start, last = group[0].start(), group[-1]
        place = bisect_left(answers, last.end(), key=lambda found: found.start())
        answer = answers[place] if place < len(answers) and answers[place].start() < after else None
        line = text.find("\n", last.end(), after)
        asked = answer.start() if answer else line if line >= 0 else after
        words = [
            text[one.end() : other].strip() for one, other in zip(group, [*(g.start() for g in group[1:]), asked], strict=True)
        ]
        yield _pair(
            text,
            _visible(text, start),
            after,
            asked,
            inline_text(" ".join(" ".join(words).split())),
            answer.end() if answer else asked,
        )


def _visible(text: str, start: int) -> int:
    while text[start] in " \t":
        start += 1
    return start


def _of_markdown(text: str) -> Iterator[Pair]:
    parsed = parse_markdown(text)
    questions = [*_asking_headings(parsed.headings), *_asking_lines(text, [block.start for block in parsed.blocks])]
    questions.sort()
    edges = sorted({start for start, *_ in questions} | {heading.start for heading in parsed.headings})
    ends = dict(pairwise((*edges, len(text))))
    levels = {heading.start: heading.level for heading in parsed.headings}
    asking = {start for start, *_ in questions}
    for start, asked, words, level in questions:
        end = ends[start]
        while level and end not in asking and levels.get(end, 0) > level:  # a heading below the question is in its answer
            end = ends[end]
        yield _pair(text, start, end, asked, words, asked)


def _asking_headings(headings: tuple[Heading, ...]) -> Iterator[tuple[int, int, str, int]]:
    """Headings that ask; where most of a level do, all of that level."""
    for level in sorted({heading.level for heading in headings}):
        of_level = [heading for heading in headings if heading.level == level]
        asking = [heading for heading in of_level if heading.name.endswith(QUESTION_MARKS)]
        most = len(asking) >= 2 and 2 * len(asking) > len(of_level)
        yield from ((h.start, h.end, h.name, level) for h in (of_level if most else asking))


def _asking_lines(text: str, starts: list[int]) -> Iterator[tuple[int, int, str, int]]:
    """Bold lines of their own that ask; where most of them do, all."""
    bold = [(start, found) for start in starts if (found := _BOLD.match(text, start))]
    asking = [(start, found) for start, found in bold if found["words"].rstrip(":* ").endswith(QUESTION_MARKS)]
    most = len(asking) >= 2 and 2 * len(asking) > len(bold)
    yield from ((start, found.end(), inline_text(found["words"].strip()), 0) for start, found in (bold if most else asking))


def _of_lines(text: str) -> Iterator[Pair]:
    """Lines that ask, after a blank line and with an answer right under them or after another blank line."""
    found = [(match.start("line"), match.end("line")) for match in _ALONE.finditer(text)]
    if len(found) < 2:
        return
    for (start, asked), end in zip(found, [*(start for start, _ in found[1:]), len(text)], strict=True):
        yield _pair(text, start, end, asked, " ".join(text[start:asked].split()), asked)
