"""Cuts Markdown at headings, then between blocks, then inside blocks that are too long for one chunk."""

from collections.abc import Iterator
from dataclasses import dataclass

from chunking.blocks import Block, cut_blocks
from chunking.document import Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.markdown import parse_markdown
from chunking.outline import Outline, repeats_of
from chunking.sections import Sections
from chunking.strategies.registry import Piece, Strategy, register


@register("markdown")
@dataclass(frozen=True, slots=True)
class Markdown(Strategy):
    """Each section is cut on its own, so that no chunk holds the end of one and the start of the next.

    Inside a section a chunk takes as many whole paragraphs, list items, tables, fences and quotes as fit. A table over
    size is cut between rows, and each later part has its head in the header.

    Args:
        language: ISO 639-1 code for the sentence ends.
    """

    language: str = "en"

    def outline(self, text: Text) -> Outline:
        parsed = parse_markdown(text.text)
        return Outline(parsed.sections(text.text), parsed.tables, repeats_of(text.text, parsed.tables))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        pieces = list[Piece]()
        for section in by_section(parse_markdown(text.text).blocks, outline.sections):
            pieces += [Piece(start, end) for start, end in cut_blocks(section, fit, finer)]
        return pieces


def by_section(blocks: tuple[Block, ...], sections: Sections) -> Iterator[tuple[Block, ...]]:
    """The blocks of each section, in order."""
    starts, begin = set(sections.starts), 0
    for position, block in enumerate(blocks):
        if position > begin and block.start in starts:
            yield blocks[begin:position]
            begin = position
    yield blocks[begin:]
