"""A question with its answer, as spans of a text."""

import re
from dataclasses import dataclass

from chunking.document import Span

QUESTION_MARKS = ("?", "\uff1f", "\u061f")
COUNT = r"(?:\d{1,3}(?:\.\d{1,3})+[.)]?|\d{1,3}[.)])[ \t]+"
"""The number of a question: ``3.``, ``3)``, ``3.1``."""
_COUNTED = re.compile(COUNT)


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


def pair_of(text: str, start: int, end: int, asked: int, question: str, answer: int) -> Pair:
    """A pair whose question ends at ``asked`` and whose answer's words begin at ``answer``, blanks trimmed; a question's
    number isn't one of its words."""
    end = start + len(text[start:end].rstrip())
    asked = start + len(text[start : min(asked, end)].rstrip())
    answer += len(text[answer:end]) - len(text[answer:end].lstrip())
    words = question[found.end() :] if (found := _COUNTED.match(question)) else question
    return Pair(start, end, Span(start, asked), words, Span(answer, end) if answer < end else None)


def asks(words: str) -> bool:
    return words.rstrip(":* ").endswith(QUESTION_MARKS)
