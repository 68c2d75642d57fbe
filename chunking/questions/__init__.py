"""Questions with their answers in a text."""

from chunking.questions.finding import find_pairs
from chunking.questions.lines import find_terms
from chunking.questions.pairs import QUESTION_MARKS, Pair

__all__ = ["QUESTION_MARKS", "Pair", "find_pairs", "find_terms"]
