"""Cuts HTML as Markdown is cut: reading a page gives its headings, lists, tables and code as Markdown."""

from dataclasses import dataclass

from chunking.document import Text
from chunking.fitting import Fit
from chunking.outline import Outline
from chunking.strategies.markdown import Markdown
from chunking.strategies.registry import Piece, Strategy, register


@register("html")
@dataclass(frozen=True, slots=True)
class Html(Strategy):
    """Headings, then blocks, then finer rules inside a section.

    Args:
        language: ISO 639-1 code for the sentence ends.
    """

    language: str = "en"

    def outline(self, text: Text) -> Outline:
        return Markdown(self.language).outline(text)

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        return Markdown(self.language).split(text, fit, outline)
