"""Questions and their answers in a text: marked, as headings, as bold lines, alone on a line, or as columns."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from chunking.delimited import read_delimited
from chunking.document import Text
from chunking.lines import line_starts
from chunking.questions.lines import find_alone, find_in_markdown
from chunking.questions.marks import find_marked
from chunking.questions.pairs import QUESTION_MARKS, Pair, pair_of
from chunking.reading.kinds import CSV, MARKDOWN, TSV

_ASK_NAMES = frozenset({"question", "questions", "q", "frage", "prompt"})
_ANSWER_NAMES = frozenset({"answer", "answers", "a", "antwort", "response"})


@lru_cache(maxsize=1)
def find_pairs(text: Text) -> tuple[Pair, ...]:
    """The pairs of a text, in order, by its form: columns; marks, or headings and bold lines if those ask more; lines alone."""
    if text.content_type == CSV:
        return tuple(_of_columns(text.text))
    if text.content_type == TSV or _is_tabbed(text.text):
        return tuple(_of_tabs(text.text))
    forms = tuple(find_marked(text.text, text.content_type == MARKDOWN)), tuple(find_in_markdown(text.text))
    return max(forms, key=len) or tuple(find_alone(text.text))


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
            yield pair_of(text, row.start, row.end, min(found, row.end), question, min(found, row.end) if answered else row.end)


def _is_tabbed(text: str) -> bool:
    """Whether lines of a question, a tab and an answer make most of a text's beginning."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    asking = sum(any(mark in line.partition("\t")[0] for mark in QUESTION_MARKS) for line in lines if "\t" in line)
    return asking >= 2 and asking >= 0.3 * len(lines)


def _of_tabs(text: str) -> Iterator[Pair]:
    """Lines with a tab begin a pair, names of columns apart; others continue the answer before them."""
    lines = pairwise(line_starts(text))
    starts = [start for start, end in lines if text[start : text.find("\t", start, end) + 1].strip()]
    for place, (start, end) in enumerate(pairwise((*starts, len(text)))):
        tab = text.index("\t", start)
        question = text[start:tab].strip()
        if place or question.lower() not in _ASK_NAMES:
            yield pair_of(text, start, end, tab, question, tab + 1)
