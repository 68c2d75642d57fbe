"""Cuts tables between rows and repeats their head: comma- and tab-separated files, and Markdown with its tables."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.cutting import skip_blanks
from chunking.delimited import read_delimited
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.markdown import parse_markdown
from chunking.outline import Outline, repeats_of
from chunking.sections import Sections
from chunking.strategies.markdown import by_section
from chunking.strategies.registry import Piece, Strategy, register
from chunking.tables import Table

DELIMITED = {"text/csv": None, "text/tab-separated-values": "\t"}
"""Delimiters by kind; None: found by what fits the text's beginning."""


@register("table")
@dataclass(frozen=True, slots=True)
class TableStrategy(Strategy):
    """A table that fits stays whole. A longer one is cut between rows, and each later part has the head in its header; a
    row is cut only where it doesn't fit alone.

    Args:
        one_row_per_chunk: each row by itself, the first one with the head, embedded as ``column: value`` lines; such
            chunks aren't merged.
    """

    one_row_per_chunk: bool = False

    @property
    def merges(self) -> bool:
        return not self.one_row_per_chunk

    def parents(self) -> "TableStrategy":
        return replace(self, one_row_per_chunk=False)

    def outline(self, text: Text) -> Outline:
        sections, tables = _read(text)
        by_row = tables if self.one_row_per_chunk else ()
        rows = (pair for table in by_row for pair in table.rendered().items())
        rendered = {(skip_blanks(text.text, *span), span[1]): row for span, row in rows if row}
        return Outline(sections, tables, repeats_of(text.text, tables), rendered)

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, "en")
        spans = (span for blocks in self._groups(text, outline) for span in cut_blocks(blocks, fit, finer))
        return [Piece(start, end) for start, end in spans]

    def _groups(self, text: Text, outline: Outline) -> Iterator[tuple[Block, ...]]:
        """The blocks that may share chunks."""
        if text.content_type in DELIMITED:
            (table,) = outline.tables
            children = (Block(*table.head, leads=True), *(Block(row.start, row.end) for row in table.rows))
            whole = Span(0, len(text.text))
            groups: Iterator[tuple[Block, ...]] = iter([(Block(*whole, without_gaps(children, whole, text.text)),)])
        else:
            groups = by_section(parse_markdown(text.text).blocks, outline.sections)
        heads = [table.head.start for table in outline.tables] if self.one_row_per_chunk else []
        for group in groups:
            yield from _by_row(group, heads) if heads else (group,)


def _read(text: Text) -> tuple[Sections, tuple[Table, ...]]:
    if text.content_type in DELIMITED:
        return Sections(), (read_delimited(text.text, DELIMITED[text.content_type]),)
    parsed = parse_markdown(text.text)
    return parsed.sections(text.text), parsed.tables


def _by_row(blocks: tuple[Block, ...], heads: Sequence[int]) -> Iterator[tuple[Block, ...]]:
    """Each row of a table alone, the first with the head, wherever the table stands; what is between tables together."""
    begin = 0
    for position, block in enumerate(blocks):
        found = bisect_left(heads, block.start)
        if not block.children or found == len(heads) or heads[found] >= block.end:
            continue
        if position > begin:
            yield blocks[begin:position]
        begin = position + 1
        first = block.children[0]
        if first.leads and first.start == heads[found]:
            yield block.children[:2]
            yield from ((row,) for row in block.children[2:])
        else:
            yield from _by_row(block.children, heads)
    if begin < len(blocks):
        yield blocks[begin:]
