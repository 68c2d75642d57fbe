"""HTML to Markdown: what a reader of the page sees, with its headings, lists, tables and code."""

import re

from chunking.document import Document, Layout, Text
from chunking.errors import MissingLibraryError, NotReadableError
from chunking.reading.dom import data_tables, walk
from chunking.reading.kinds import HTML, MARKDOWN
from chunking.reading.markdown_writer import MarkdownWriter
from chunking.reading.registry import reads
from chunking.reading.text import repair, source_of

MOST_LEVELS = 10_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_UNNESTED = frozenset([
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "option", "p", "param", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr"
])  # fmt: skip
"""Tags without an end, or whose end is implied by the next one: a page of them isn't deep."""


@reads(HTML, "application/xhtml+xml")
def read_html(document: Document) -> Text:
    """The page as Markdown: scripts, styles, navigation, page footers and hidden parts are out; inline markup is dropped
    within its sentence; links and images give their words; nested tables give theirs to the cell around them.

    Raises:
        MissingLibraryError: the parser isn't installed.
        NotReadableError: elements are nested too deep.
    """
    source = repair(source_of(document))
    text, title = markdown_of(source)
    return Text(text, MARKDOWN, Layout(), title=title)


def markdown_of(html: str) -> tuple[str, str | None]:
    """The Markdown of a page or a fragment, and its title if it has one.

    Raises:
        MissingLibraryError, NotReadableError: as ``read_html``.
    """
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise MissingLibraryError("HTML needs selectolax: pip install 'sparkchunk[documents]'") from error
    _refuse_depth(html)
    page = LexborHTMLParser(html)
    if page.body is None:
        return "", None
    data = data_tables(page.body)
    writer = MarkdownWriter()
    for event, node in walk(page.body):
        writer.take(event, node, data)
    named = page.css_first("head > title")
    title = " ".join(named.text().split()) if named else ""
    return writer.finish(), title or writer.first_heading


def _refuse_depth(html: str) -> None:
    """The parser takes time by the square of the depth."""
    depth = deepest = 0
    for closing, name in _TAG.findall(html):
        if name.lower() not in _UNNESTED:
            depth = max(depth - 1, 0) if closing else depth + 1
            deepest = max(deepest, depth)
    if deepest > MOST_LEVELS:
        raise NotReadableError(f"HTML: elements are nested {deepest:,} deep, over {MOST_LEVELS:,}; is it whole, and a page?")
