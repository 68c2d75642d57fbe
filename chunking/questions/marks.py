"""Questions and answers that are marked as such: ``Q:`` and ``A:``, in several languages."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from chunking.document import Span
from chunking.markdown import Heading, inline_text, parse_markdown
from chunking.questions.pairs import Pair, pair_of

_ABOVE = r"(?:[#>*_]++[ \t]*+|[-+][ \t]++|\d++[.)][ \t]++)*+"
_ASKING = "Q|Question|Frage|Pregunta", "F|\u554f|\u95ee"
_ANSWERING = "A|Answer|Antwort|Respuesta", "R|\u7b54"
_PARTED = re.compile(r"\n[ \t]*\n")


def _mark(names: tuple[str, str]) -> re.Pattern[str]:
    """One of ``names`` with a mark behind it at the start of a line; a colon alone behind the second ones, and behind small
    letters, since "a." and "F." count."""
    some = rf"(?:{names[0]})[ \t]*\d*[*_]*[.)\]][*_]*(?=\s|$)"
    colon = rf"(?:(?i:{names[0]})|{names[1]})[ \t]*\d*[*_]*(?::[*_]*(?=\s|$)|\uff1a)"
    return re.compile(rf"^[ \t]*+{_ABOVE}(?:{some}|{colon})[ \t]*", re.MULTILINE)


_ASKS, _ANSWERS = _mark(_ASKING), _mark(_ANSWERING)


def find_marked(text: str, is_markdown: bool) -> Iterator[Pair]:
    """Questions one right under the other share the answer. In Markdown a heading ends an answer, unless the question is
    a higher one. Marks inside fences are code."""
    asking = list(_ASKS.finditer(text))
    answers = list(_ANSWERS.finditer(text))
    if not asking or not answers:
        return
    parsed = parse_markdown(text)
    asking, answers = _outside(asking, parsed.fences), _outside(answers, parsed.fences)
    groups = list(_together(text, asking, answers))
    headings = parsed.headings if is_markdown else ()
    for group, after in zip(groups, [*(group[0].start() for group in groups[1:]), len(text)], strict=bool(groups)):
        yield _pair(text, group, _until(headings, group, after), answers)


def _outside(found: Sequence[re.Match[str]], fences: Sequence[Span]) -> list[re.Match[str]]:
    def is_code(match: re.Match[str]) -> bool:
        place = bisect_right(fences, match.start(), key=lambda fence: fence.start) - 1
        return place >= 0 and match.start() < fences[place].end

    return [match for match in found if not is_code(match)]


def _together(text: str, asking: Sequence[re.Match[str]], answers: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    group: list[re.Match[str]] = []
    for ask in asking:
        above = text[group[-1].end() : ask.start()] if group else ""
        answered = group and bisect_left(answers, group[-1].end(), key=_start) < bisect_left(answers, ask.start(), key=_start)
        if group and (answered or not above.strip() or _PARTED.search(above)):
            yield group
            group = []
        group.append(ask)
    if group:
        yield group


def _until(headings: Sequence[Heading], group: list[re.Match[str]], after: int) -> int:
    """Where the answer to a group of questions ends: before ``after``, at a heading that isn't below the question's own."""
    place = bisect_left(headings, group[0].start(), key=lambda heading: heading.start)
    own = headings[place].level if place < len(headings) and headings[place].start < group[0].end() else 7
    last = bisect_left(headings, group[-1].end(), key=lambda heading: heading.start)
    ending = (heading.start for heading in headings[last:] if heading.level <= own or own == 7)
    return min(next(ending, after), after)


def _start(match: re.Match[str]) -> int:
    return match.start()


def _pair(text: str, group: list[re.Match[str]], after: int, answers: Sequence[re.Match[str]]) -> Pair:
    start, last = group[0].start(), group[-1]
    place = bisect_left(answers, last.end(), key=_start)
    answer = answers[place] if place < len(answers) and answers[place].start() < after else None
    line = text.find("\n", last.end(), after)
    asked = answer.start() if answer else line if line >= 0 else after
    edges = [*(match.start() for match in group[1:]), asked]
    words = [_words(text[match.end() : end]) for match, end in zip(group, edges, strict=True)]
    while text[start] in " \t":
        start += 1
    return pair_of(text, start, after, asked, inline_text(" ".join(words)), answer.end() if answer else asked)


def _words(question: str) -> str:
    """On one line, without the end of an emphasis that began at its mark."""
    return " ".join(question.split()).rstrip("*_#>").rstrip()
