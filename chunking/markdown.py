"""Markdown as blocks with offsets: headings, paragraphs, lists, tables, fences, quotes, front matter (CommonMark and GFM tables)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chunking.blocks import Block, without_gaps
from chunking.document import Span
from chunking.lines import line_starts
from chunking.sections import Path, Sections
from chunking.tables import Row, Table

_CONTAINERS = frozenset({"bullet_list", "ordered_list", "list_item", "blockquote", "table", "thead", "tbody", "tr"})
_BOLD = re.compile(r"\*\*[^\n]+\*\*|__[^\n]+__")
_LEAVES = frozenset({"fence", "code_block", "html_block", "hr", "front_matter"})


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading outside of lists and quotes."""

    start: int
    end: int
    level: int
    name: str


@dataclass(frozen=True, slots=True)
class Markdown:
    """What the parser found: ``blocks`` cover the text without gaps, blanks apart."""

    blocks: tuple[Block, ...]
    headings: tuple[Heading, ...]
    tables: tuple[Table, ...]
    fences: tuple[Span, ...]

    def sections(self, text: str) -> Sections:
        """Section paths; a heading with nothing between it and a deeper one counts to that one's section."""
        starts, paths, above = list[int](), list[Path](), list[Heading]()
        for heading in self.headings:
            bare = bool(above) and above[-1].level < heading.level and text[above[-1].end : heading.start].isspace()
            while above and above[-1].level >= heading.level:
                above.pop()
            above.append(heading)
            path = tuple(each.name for each in above if each.name)
            if bare:
                paths[-1] = path
            else:
                starts.append(heading.start)
                paths.append(path)
        return Sections(tuple(starts), tuple(paths))


@lru_cache(maxsize=1)
def _parsers() -> tuple[Any, Any]:
    """One parser for blocks alone, which is fast, and one for the few lines that are headings."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    blocks = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    return blocks.disable(["inline", "text_join"]), MarkdownIt("commonmark")


@lru_cache(maxsize=1)
def parse_markdown(text: str) -> Markdown:
    """The blocks, headings and tables of ``text``; the last result is kept, since several steps ask for it."""
    return _Reader(text).read()


class _Reader:
    """Turns the parser's tokens, which know lines, into blocks, which know offsets."""

    def __init__(self, text: str) -> None:
        parser, self._inline = _parsers()
        self._text = text
        self._lines = line_starts(text)
        self._tokens = parser.parse(text)
        self._at = 0
        self._headings = list[Heading]()
        self._tables = list[Table]()
        self._fences = list[Span]()

    def read(self) -> Markdown:
        blocks = without_gaps(self._blocks(""), Span(0, len(self._text)), self._text)
        return Markdown(blocks, tuple(self._headings), tuple(self._tables), tuple(self._fences))

    def _blocks(self, closing: str) -> list[Block]:
        """The blocks up to the token ``closing``, which is passed over."""
        blocks = list[Block]()
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.type == closing:
                break
            if token.type == "table_open":
                blocks.append(self._table(token))
            elif token.type.endswith("_open") and token.type.removesuffix("_open") in _CONTAINERS:
                span = self._span(token)
                blocks.append(Block(*span, tuple(self._blocks(token.type.replace("_open", "_close")))))
            elif token.type == "heading_open":
                blocks.append(self._heading(token))
            elif token.type == "paragraph_open":
                blocks.append(self._paragraph(token))
            elif token.type in _LEAVES:
                blocks.append(Block(*(span := self._span(token))))
                self._fences += [span] if token.type == "fence" else []
        return blocks

    def _span(self, token: Any) -> Span:
        first, after = token.map
        start, end = self._lines[first], self._lines[min(after, len(self._lines) - 1)]
        return Span(start, start + len(self._text[start:end].rstrip()))

    def _heading(self, token: Any) -> Block:
        span = self._span(token)
        content = self._tokens[self._at]
        if not token.level:
            self._headings.append(Heading(*span, int(token.tag[1:]), _plain(self._inline.parseInline(content.content)[0])))
        return Block(*span, leads=True)

    def _paragraph(self, token: Any) -> Block:
        """One that ends in a colon, or is a line in bold, leads."""
        span = self._span(token)
        return Block(*span, leads=self._text.endswith(":", span.start, span.end) or bool(_BOLD.fullmatch(self._text, *span)))

    def _table(self, opening: Any) -> Block:
        """The head is all lines before the first row; it leads."""
        rows = list(self._rows())
        span = self._span(opening)
        first = self._lines[opening.map[0] + 2]
        head_end = span.start + len(self._text[span.start : min(first, span.end)].rstrip())
        head, body = rows[0], rows[1:]
        self._tables.append(Table(Span(span.start, head_end), head.cells, tuple(body)))
        children = (Block(span.start, head_end, leads=True), *(Block(row.start, row.end) for row in body))
        return Block(*span, children)

    def _rows(self) -> Iterator[Row]:
        row: Any = None
        cells = list[str]()
        while (token := self._tokens[self._at]).type != "table_close":
            self._at += 1
            if token.type == "tr_open":
                row, cells = token, []
            elif token.type == "inline":
                cells.append(token.content)
            elif token.type == "tr_close":
                yield Row(*self._span(row), tuple(cells))
        self._at += 1


def inline_text(source: str) -> str:
    """The words of one line of Markdown, without its markup."""
    return _plain(_parsers()[1].parseInline(source)[0])


def _plain(heading: Any) -> str:
    """A heading's words without its markup; an image stands with its alternative text."""
    return " ".join("".join(part.content or " " for part in heading.children if part.type != "html_inline").split())
