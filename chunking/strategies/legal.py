"""Cuts contracts and laws between clauses, then sub-clauses, and follows their references."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.clause_labels import NUMBER
from chunking.clause_references import find_references
from chunking.clauses import Clause, find_clauses
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.outline import Detail, Outline, Repeat
from chunking.sections import Sections
from chunking.strategies.registry import Piece, Strategy, register

LINE = 200


@register("legal")
@dataclass(frozen=True, slots=True)
class Legal(Strategy):
    """A clause stays whole while it fits; a longer one is cut between its sub-clauses, then like prose. The section path is
    the clause path, and ``references`` are the clauses of the document that a chunk refers to.

    Args:
        reference_lines: put the first lines of the clauses that a clause refers to in the header of its chunks.
        language: ISO 639-1 code for the sentence ends.
    """

    reference_lines: bool = False
    language: str = "en"

    def outline(self, text: Text) -> Outline:
        clauses = find_clauses(text.text)
        references = find_references(text.text, clauses)
        sections = Sections(tuple(clause.start for clause in clauses), tuple(clause.path for clause in clauses))
        repeats = tuple(_repeats(text.text, clauses, references)) if self.reference_lines else ()
        return Outline(sections, repeats=repeats, detail=partial(_detail, clauses, references))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        return [Piece(*span) for group in _groups(text.text) for span in cut_blocks(group, fit, finer)]


def _groups(text: str) -> Iterator[tuple[Block, ...]]:
    """The main clauses, each with all that is below it, and what stands between them."""
    main = [clause for clause in find_clauses(text) if _is_main(clause)]
    tops, reach = list[Clause](), 0
    for clause in main:
        if clause.start >= reach:
            tops.append(clause)
            reach = clause.end
    by_start = {clause.start: clause for clause in tops}
    for start, end in pairwise(sorted({0, len(text), *by_start, *(clause.end for clause in tops)})):
        if text[start:end].strip():
            found = by_start.get(start)
            yield without_gaps((_block(text, found),) if found else (), Span(start, end), text)


def _is_main(clause: Clause) -> bool:
    return clause.rank == 3 or (clause.rank == NUMBER and len(clause.values) == 1)


def _block(text: str, clause: Clause) -> Block:
    """A clause; its own first words lead what is below it."""
    end = clause.start + len(text[clause.start : clause.end].rstrip())
    if not clause.children:
        return Block(clause.start, end)
    own = clause.start + len(text[clause.start : clause.children[0].start].rstrip())
    return Block(clause.start, end, (Block(clause.start, own, leads=True), *(_block(text, child) for child in clause.children)))


def _detail(clauses: tuple[Clause, ...], references: list[tuple[int, str]], start: int, end: int) -> Detail:
    """What a chunk refers to beyond itself."""
    first = bisect_left(clauses, start, key=lambda clause: clause.start)
    after = bisect_left(clauses, end, key=lambda clause: clause.start)
    inside = {clause.name for clause in clauses[first:after]}
    low, high = (bisect_left(references, place, key=lambda reference: reference[0]) for place in (start, end))
    return Detail(references=tuple(dict.fromkeys(name for _, name in references[low:high] if name not in inside)))


def _repeats(text: str, clauses: tuple[Clause, ...], references: list[tuple[int, str]]) -> Iterator[Repeat]:
    """For each clause that refers to others the first lines of those."""
    known = {clause.name: clause for clause in clauses}
    for clause, (_, end) in zip(clauses, pairwise((*(clause.start for clause in clauses), len(text))), strict=True):
        low, high = (bisect_left(references, place, key=lambda reference: reference[0]) for place in (clause.start, end))
        names = dict.fromkeys(name for _, name in references[low:high] if name != clause.name)
        lines = [_first_line(text, known[name]) for name in names]
        if lines:
            yield Repeat(clause.start, end, "\n".join(lines), "\n\n", partial(_fewer, lines))


def _first_line(text: str, clause: Clause) -> str:
    line = text[clause.start : clause.end].strip().partition("\n")[0].strip()
    return line if len(line) <= LINE else line[: line.rfind(" ", 0, LINE)] + "\u2026"


def _fewer(lines: list[str]) -> Iterator[str]:
    yield from ("\n".join(lines[:kept]) for kept in range(len(lines) - 1, 0, -1))
