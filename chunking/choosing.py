"""Which strategy fits a text: by its layout and content type, else by what the text itself looks like."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chunking.clauses import find_clauses
from chunking.delimited import read_delimited
from chunking.document import Text
from chunking.grammars import GRAMMARS, language_of
from chunking.markdown import parse_markdown
from chunking.questions import QUESTION_MARKS, find_pairs
from chunking.reading.kinds import CSV, MARKDOWN, PLAIN, TSV
from chunking.turns import looks_like_transcript

SURE = 0.6
"""Of a guess by the model that tells kinds of files apart."""
_MARKS = re.compile(r"^```|\]\((?:https?:|/|#|\.)|^[-*] \[[ x]\] ", re.MULTILINE)
LEAST_PAIRS = 3
LEAST_CLAUSES = 6
MOST_OF_IT = 0.6
SAMPLE = 60_000
_LEGAL = re.compile(
    r"\b(?:shall|hereby|herein|thereof|agreement|part(?:y|ies)|liab\w+|warrant\w+|indemn\w+|clause|terminat\w+|licen[cs]\w+|govern\w+ law"
    r"|vertrag\w*|haftung|kündig\w+|parteien|contrat|parties|résili\w+|contrato|partes)\b",
    re.IGNORECASE,
)
FEW_LEGAL_WORDS, MANY_LEGAL_WORDS = 0.004, 0.012
_LANGUAGES = {
    "shell": "bash", "c": "c", "cpp": "cpp", "cs": "csharp", "go": "go", "java": "java", "javascript": "javascript",
    "python": "python", "ruby": "ruby", "rust": "rust", "scala": "scala", "sql": "sql", "typescript": "typescript",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """A strategy's name, why it was taken, and for source code its language."""

    strategy: str
    why: str
    language: str | None = None


def choose(text: Text) -> Choice:
    """The strategy for a text."""
    kind = text.content_type
    if text.layout.cues:
        return Choice("transcript", f"{len(text.layout.cues)} cues in its layout")
    if language := language_of(kind):
        return Choice("code", f"content type {kind}", language)
    if kind in {CSV, TSV}:
        pairs = find_pairs(text)
        asking = sum(pair.question.endswith(QUESTION_MARKS) for pair in pairs)
        asks = bool(pairs) and 2 * asking > len(pairs)
        return Choice("faq", "columns of questions and answers") if asks else Choice("table", f"content type {kind}")
    found = _by_form(text) if kind in {PLAIN, MARKDOWN} else None
    if found is None and kind == MARKDOWN:
        found = Choice("markdown", f"content type {kind}")
    if found is None and kind == PLAIN:
        found = Choice("pdf", f"{len(text.layout.pages)} pages") if text.layout.pages else _by_looks(text)
    return found or Choice("recursive", f"nothing known of {kind} but its words")


def _by_form(text: Text) -> Choice | None:
    """What has the form of questions, turns or clauses."""
    pairs = find_pairs(text)
    if len(pairs) >= LEAST_PAIRS and sum(pair.end - pair.start for pair in pairs) >= MOST_OF_IT * len(text.text):
        return Choice("faq", f"{len(pairs)} questions with answers")
    if turns := looks_like_transcript(text):
        return Choice("transcript", turns)
    clauses = [clause for clause in find_clauses(text.text) if clause.name]
    deep = sum(1 for clause in clauses if len(clause.values) > 1 or clause.name.endswith(")") or not clause.name[0].isdigit())
    covered = sum(clause.end - clause.start for clause in clauses if len(clause.path) == 1 or not clause.name.startswith("("))
    words = len(_LEGAL.findall(text.text[:SAMPLE])) / max(len(text.text[:SAMPLE].split()), 1)
    nested = 3 * deep >= len(clauses) and words >= FEW_LEGAL_WORDS
    if len(clauses) >= LEAST_CLAUSES and covered >= MOST_OF_IT * len(text.text) and (nested or words >= MANY_LEGAL_WORDS):
        return Choice("legal", f"{len(clauses)} numbered clauses")
    return None


def _by_looks(text: Text) -> Choice | None:
    """What a plain text looks like to a model that tells kinds of files apart; without it, its headings."""
    label, score = _label(text.text)
    if label in _LANGUAGES and score >= SURE and _LANGUAGES[label] in GRAMMARS:
        return Choice("code", f"reads as {label}", _LANGUAGES[label])
    if label in {"csv", "tsv"} and score >= SURE and len(read_delimited(text.text).columns) > 1:
        return Choice("table", f"reads as {label}")
    parsed = parse_markdown(text.text)
    marked = sum(text.text.startswith("#", heading.start) for heading in parsed.headings) + len(
        _MARKS.findall(text.text[:SAMPLE])
    )
    if label == "markdown" or (label in {"txt", "unknown", "empty", ""} and marked >= 2):
        return Choice("markdown", "reads as Markdown")
    return None


@lru_cache(maxsize=1)
def _model() -> Any:
    try:
        from magika import Magika
    except ImportError:
        return None
    return Magika()


def _label(text: str) -> tuple[str, float]:
    model = _model()
    if model is None:
        return "", 0.0
    found = model.identify_bytes(text[:SAMPLE].encode("utf-8", "replace"))
    return str(found.output.label), float(found.score)
