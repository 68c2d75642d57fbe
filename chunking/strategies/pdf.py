"""Cuts paginated text between pages, then paragraphs; a page's end inside a sentence is no boundary."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from chunking.blocks import Block, cut_blocks
from chunking.cutting import trim_end
from chunking.document import Layout, Text
from chunking.fitting import Fit
from chunking.levels import BLANK_LINES, CLAUSES, WORDS, Pattern, Sentences
from chunking.outline import Outline, outline_of
from chunking.reading.kinds import MARKDOWN
from chunking.sentences import load_segmenter
from chunking.strategies.markdown import Markdown
from chunking.strategies.registry import Piece, Strategy, register
from chunking.units import Unit, before_leading, leading_units

_PAGES = Pattern(re.compile(r"(?:\n\s*\f|(?<=[.!?:\u3002\uff01\uff1f\u201d\"])\f)\s*"))
_LINES = Pattern(re.compile(r"\n\s*"))


@register("pdf")
@dataclass(frozen=True, slots=True)
class Pdf(Strategy):
    """For text with pages, parted by form feeds; one without them is one page. Markdown, as parsed documents give it, is
    cut as such.

    Args:
        cross_pages: a chunk may go on over the end of a page.
        language: ISO 639-1 code for the sentence ends.
    """

    cross_pages: bool = True
    language: str = "en"

    def outline(self, text: Text) -> Outline:
        outline = Markdown(self.language).outline(text) if text.content_type == MARKDOWN else outline_of(text)
        pages = text.layout.pages or (0,)
        layout = Layout(pages=pages, cues=text.layout.cues)
        return replace(outline, layout=layout, walls=() if self.cross_pages else pages[1:])

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        if text.content_type == MARKDOWN:
            return Markdown(self.language).split(text, fit, outline)
        segment = load_segmenter("sentencex", self.language)
        # a segmenter takes a form feed for the end of a sentence
        sentences = Sentences(lambda part: segment(part.replace("\f", " ")))
        return [Piece(*span) for span in cut_blocks(_pages(text.text), fit, (_LINES, sentences, CLAUSES, WORDS))]


def _pages(text: str) -> tuple[Block, ...]:
    """Pages with their paragraphs; a title goes with what it is the title of, on the next page too."""
    pages = {0, *_PAGES.starts(text, 0, len(text))}
    starts = sorted(pages.union(BLANK_LINES.starts(text, 0, len(text))))
    units = [Unit(start, trim_end(text, start, end), goes_on=False) for start, end in pairwise((*starts, len(text)))]
    leads = leading_units(text, units)
    firsts = {before_leading(place, leads) for place, start in enumerate(starts) if start in pages}
    paragraphs = [Block(unit.start, unit.end, leads=lead) for unit, lead in zip(units, leads, strict=True)]
    groups = (tuple(paragraphs[begin:end]) for begin, end in pairwise((*sorted(firsts), len(paragraphs))))
    return tuple(Block(page[0].start, page[-1].end, page) for page in groups)
