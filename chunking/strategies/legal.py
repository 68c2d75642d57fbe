"""Cuts contracts and laws between clauses, then sub-clauses, and follows their references."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from chunking.blocks import Block, covering, cut_blocks, inside, without_gaps
from chunking.clauses import Clause, find_clauses, find_references
from chunking.clauses.labels import NUMBER, WORD
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.outline import Detail, Outline, Repeat, blocks_of, nested_repeats, repeats_of, tables_of
from chunking.sections import Sections
from chunking.strategies.registry import Piece, Strategy, register

LINE = 200


@register("legal")
@dataclass(frozen=True, slots=True)
class Legal(Strategy):
    """A clause stays whole while it fits; a longer one is cut between its sub-clauses, then like prose, in Markdown between
    paragraphs, list items and rows. The section path is the clause path, and ``references`` are the clauses of the document
    that a chunk refers to.

    Args:
        reference_lines: put the first lines of the clauses that a clause refers to in the header of its chunks.
        language: ISO 639-1 code for the sentence ends.
    """

    reference_lines: bool = False
    language: str = "en"

    def outline(self, text: Text) -> Outline:
        clauses, tables = find_clauses(text.text), tables_of(text)
        references = find_references(text.text, clauses)
        sections = Sections(tuple(clause.start for clause in clauses), tuple(clause.path for clause in clauses))
        lines = tuple(_repeats(text.text, clauses, references)) if self.reference_lines else ()
        repeats = nested_repeats(lines, repeats_of(text.text, tables))
        return Outline(sections, tables, repeats, detail=partial(_detail, clauses, references))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        return [Piece(*span) for group in _groups(text, fit) for span in cut_blocks(group, fit, finer)]


def _groups(text: Text, fit: Fit) -> Iterator[tuple[Block, ...]]:
    """The main clauses, each with all that is below it and headings right above it while all fit, and what stands between."""
    clauses = find_clauses(text.text)
    inner = blocks_of(text)
    starts, place = {clause.start for clause in clauses}, 0
    for clause in _main(clauses):
        low = place + _blanks(text.text[place : clause.start])
        headed = low in starts and clause.start - low <= LINE and _joins(fit, low, clause)
        if low < clause.start and not headed:
            yield covering(inner, Span(place, clause.start), text.text)
        heading = (Block(low, clause.start, leads=True),) if headed and low < clause.start else ()
        region = Span(low if headed else clause.start, clause.end)
        yield without_gaps((*heading, _block(text.text, clause, inner)), region, text.text)
        place = clause.end
    if text.text[place:].strip():
        yield covering(inner, Span(place, len(text.text)), text.text)


def _main(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Articles, sections and first numbers that stand in no other of those."""
    reach = 0
    for clause in clauses:
        if clause.start >= reach and (clause.rank == WORD or (clause.rank == NUMBER and len(clause.values) == 1)):
            reach = clause.end
            yield clause


def _joins(fit: Fit, start: int, clause: Clause) -> bool:
    """Whether a clause isn't cut because of the heading at ``start``."""
    return fit.holds(start, clause.end) or not fit.holds(clause.start, clause.end)


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _block(text: str, clause: Clause, inner: Sequence[Block]) -> Block:
    """A clause; its own first words lead what is below it, and a title alone on its line leads them."""
    end = clause.start + len(text[clause.start : clause.end].rstrip())
    own = clause.start + len(text[clause.start : clause.children[0].start].rstrip()) if clause.children else end
    parts = _own_parts(text, clause, own, inner)
    if not clause.children:
        return Block(clause.start, end, parts)
    return Block(
        clause.start,
        end,
        (Block(clause.start, own, parts, leads=True), *(_block(text, child, inner) for child in clause.children)),
    )


def _own_parts(text: str, clause: Clause, end: int, inner: Sequence[Block]) -> tuple[Block, ...]:
    line = text.find("\n", clause.start, end)
    titled = clause.title and line >= 0 and text[clause.words : line].strip("*_# .\t\r") == clause.title.rstrip(".")
    title = (Block(clause.start, line, leads=True),) if titled else ()
    parts = (*title, *inside(inner, line if title else clause.start, end))
    return without_gaps(parts, Span(clause.start, end), text) if parts else ()


def _detail(clauses: tuple[Clause, ...], references: list[tuple[int, str]], start: int, end: int) -> Detail:
    """What a chunk refers to beyond itself."""
    first = bisect_left(clauses, start, key=lambda clause: clause.start)
    after = bisect_left(clauses, end, key=lambda clause: clause.start)
    return Detail(references=_named(references, start, end, {clause.name for clause in clauses[first:after]}))


def _named(references: list[tuple[int, str]], start: int, end: int, own: set[str]) -> tuple[str, ...]:
    """The clauses that ``[start, end)`` refers to besides its own, in order."""
    low, high = (bisect_left(references, place, key=lambda reference: reference[0]) for place in (start, end))
    return tuple(dict.fromkeys(name for _, name in references[low:high] if name not in own))


def _repeats(text: str, clauses: tuple[Clause, ...], references: list[tuple[int, str]]) -> Iterator[Repeat]:
    """For each clause that refers to others the first lines of those."""
    known = {clause.name: clause for clause in clauses}
    for clause, (_, end) in zip(clauses, pairwise((*(clause.start for clause in clauses), len(text))), strict=True):
        lines = [_first_line(text, known[name]) for name in _named(references, clause.start, end, {clause.name})]
        if lines:
            yield Repeat(clause.start, end, "\n".join(lines), "\n\n", partial(_fewer, lines))


def _first_line(text: str, clause: Clause) -> str:
    line = text[clause.start : clause.end].strip().partition("\n")[0].strip()
    return line if len(line) <= LINE else line[: line.rfind(" ", 0, LINE)] + "\u2026"


def _fewer(lines: list[str]) -> Iterator[str]:
    yield from ("\n".join(lines[:kept]) for kept in range(len(lines) - 1, 0, -1))
