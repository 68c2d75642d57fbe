"""Cuts paginated text between pages, then paragraphs; a page's end inside a sentence is no boundary."""

import re
from dataclasses import dataclass, replace

from chunking.cutting import Cutter
from chunking.document import Layout, Span, Text
from chunking.fitting import Fit
from chunking.levels import BLANK_LINES, CLAUSES, WORDS, Pattern, Sentences
from chunking.outline import Outline, outline_of
from chunking.reading.kinds import MARKDOWN
from chunking.sentences import load_segmenter
from chunking.strategies.markdown import Markdown
from chunking.strategies.registry import Piece, Strategy, register

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
        cutter = Cutter(fit, (_PAGES, BLANK_LINES, _LINES, sentences, CLAUSES, WORDS), ())
        return [Piece(*span) for span in cutter.cut(Span(0, len(text.text)))]
