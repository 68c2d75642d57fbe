"""Cuts HTML as Markdown is cut: reading a page gives its headings, lists, tables and code as Markdown."""

from dataclasses import dataclass

from chunking.strategies.markdown import Markdown
from chunking.strategies.registry import register


@register("html")
@dataclass(frozen=True, slots=True)
class Html(Markdown):
    """Headings, then blocks, then finer rules inside a section.

    Args:
        language: ISO 639-1 code for the sentence ends.
    """
