"""Writes Markdown whose structure is that of the page: nothing in its words is taken for a heading, list or table."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from chunking.markdown import inline_text
from chunking.reading.dom import BLOCKS, HEADINGS, Event, squeezed
from chunking.reading.markdown_tables import TableWriter

MOST_NESTED = 12
_BLANKS_IN_LINE = re.compile(r" {2,}")
_AROUND_BREAK = re.compile(r" *\n *")
_STARTS_BLOCK = re.compile(
    r"#{1,6}(?=[ \t]|$)|[-+*](?=[ \t]|$)|>|`{3}|~{3}|<|=+[ \t]*$|(?:[-*_][ \t]*){3,}$|[|:\- \t]*-[|:\- \t]*$|\[[^\]]*\]:"
)
_STARTS_NUMBER = re.compile(r"(\d{1,9})([.)])(?=[ \t]|$)")
_INLINE = re.compile(r"([\\`*_\[\]<>#&!])")
_TICKS = re.compile(r"`{3,}")
_LANGUAGE = re.compile(r"\b(?:language|lang|highlight-source)-([\w+#-]+)")


@dataclass(slots=True)
class _Container:
    """A list item or quote: what its first line and its other lines begin with; ``flat`` ones begin with nothing.

    ``series`` numbers the lists of a page; 0 for quotes."""

    first: str
    rest: str
    series: int = 0
    used: bool = False
    flat: bool = False


class MarkdownWriter:
    """Takes the elements and texts of a page in order."""

    def __init__(self) -> None:
        self.first_heading: str | None = None
        self._out: list[str] = []
        self._inline: list[str] = []
        self._containers: list[_Container] = []
        self._lists: list[tuple[int, int | None]] = []
        self._series = 0
        self._level = 0
        self._bold = False
        self._pre: list[str] | None = None
        self._language = ""
        self._table: TableWriter | None = None
        self._tables = 0
        self._last: set[int] = set()

    def take(self, event: Event, node: Any, data: set[int]) -> None:
        """The next element or text; ``data`` are the tables that become Markdown tables."""
        if event == "text":
            self._text(node.text_content or "")
        elif self._pre is not None:
            self._in_pre(event, node)
        elif self._table is not None:
            self._in_table(event, node, self._table)
        elif event == "open":
            self._open(node.tag, node, data)
        else:
            self._close(node.tag)

    def finish(self) -> str:
        """All of it."""
        self._flush()
        return "".join(self._out)

    def _text(self, text: str) -> None:
        if self._pre is not None:
            self._pre.append(text)
        elif self._table is not None:
            self._table.write(text)
        else:
            self._inline.append(squeezed(text))

    def _in_pre(self, event: Event, node: Any) -> None:
        if event == "close" and node.tag == "pre":
            self._fence()
        elif event == "open" and self._pre and (node.tag == "br" or (_is_next_code(node) and not self._pre[-1].endswith("\n"))):
            self._pre.append("\n")

    def _in_table(self, event: Event, node: Any, table: TableWriter) -> None:
        tag = node.tag
        self._tables += (tag == "table") * (1 if event == "open" else -1)
        if not self._tables:
            self._end_table(table)
            return
        if tag in BLOCKS or tag == "br":
            table.write(" ")
        if event == "open":
            table.open(tag, node.attributes)
            if tag == "img":
                table.write(node.attributes.get("alt") or "")
        else:
            table.close(tag)

    def _open(self, tag: str, node: Any, data: set[int]) -> None:
        if tag in BLOCKS:
            self._flush()
        if tag == "table" and node.mem_id in data:
            self._table, self._tables = TableWriter(), 1
        elif tag == "pre":
            self._pre = []
            self._language = _language_of(node)
        elif tag in HEADINGS:
            self._level = HEADINGS[tag]
        elif tag in {"ul", "ol", "li", "blockquote"}:
            self._open_container(tag, node)
        elif tag in {"dt", "summary"}:
            self._bold = True
        elif tag in {"br", "img", "q"}:
            self._inline.append({"br": "\n", "q": '"'}.get(tag) or squeezed(node.attributes.get("alt") or ""))

    def _open_container(self, tag: str, node: Any) -> None:
        if tag in {"ul", "ol"}:
            self._series += 1
            self._lists.append((self._series, _start(node) if tag == "ol" else None))
        elif tag == "li":
            self._containers.append(self._item())
        else:
            self._containers.append(_Container("> ", "> ", flat=self._is_deep()))

    def _close(self, tag: str) -> None:
        if tag in BLOCKS:
            self._flush()
        if tag in HEADINGS:
            self._level = 0
        elif tag in {"ul", "ol"} and self._lists:
            self._lists.pop()
        elif tag in {"li", "blockquote"} and self._containers:
            self._containers.pop()
        elif tag in {"dt", "summary"}:
            self._bold = False
        elif tag == "q":
            self._inline.append('"')

    def _is_deep(self) -> bool:
        return len(self._containers) >= MOST_NESTED

    def _item(self) -> _Container:
        series, number = self._lists[-1] if self._lists else (-1, None)
        marker = "- " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = (series, number + 1)
        return _Container(marker, " " * len(marker), series, flat=self._is_deep())

    def _flush(self) -> None:
        """The words so far as one block."""
        text = _AROUND_BREAK.sub("\n", _BLANKS_IN_LINE.sub(" ", "".join(self._inline))).strip(" \n")
        self._inline.clear()
        if not text:
            return
        if self._level:
            self._heading(" ".join(text.split("\n")))
        elif self._bold:
            self._block([f"**{' '.join(text.split())}**"])
        else:
            self._block(escaped(line) for line in text.split("\n"))

    def _heading(self, text: str) -> None:
        """On the page's own level, whatever it stands in: a heading in a list item is still a heading."""
        self.first_heading = self.first_heading or text
        for container in self._containers:
            container.flat = True
        source = text if inline_text(text) == text and not text.endswith("#") else _INLINE.sub(r"\\\1", text)
        self._block([f"{'#' * self._level} {source}"])

    def _fence(self) -> None:
        code = "".join(self._pre or ()).replace("\r\n", "\n").strip("\n")
        self._pre = None
        if code.strip():
            ticks = "`" * max(3, 1 + max(map(len, _TICKS.findall(code)), default=0))
            self._block([ticks + self._language, *code.split("\n"), ticks])

    def _end_table(self, table: TableWriter) -> None:
        self._table = None
        caption = squeezed("".join(table.caption)).strip()
        if caption:
            self._block([escaped(caption)])
        if lines := table.lines():
            self._block(lines)

    def _block(self, lines: Iterable[str]) -> None:
        live = [container for container in self._containers if not container.flat]
        if self._out:
            self._out.append("\n" if self._joins(live) else "\n\n")
        for position, line in enumerate(lines):
            prefix = "".join(c.rest if c.used else c.first for c in live)
            for container in live:
                container.used = True
            self._out.append(("\n" if position else "") + (prefix + line if line else prefix.rstrip()))
        self._last = {container.series for container in live if container.series}

    def _joins(self, live: list[_Container]) -> bool:
        """Whether an item follows one without a blank line: a list that begins with another number than 1 can't there."""
        first = next((container for container in live if not container.used), None)
        if first is None or not first.series or not self._last:
            return False
        return first.series in self._last or first.first in {"- ", "1. "}


def escaped(line: str) -> str:
    """``line`` so that Markdown takes it for words."""
    if _STARTS_BLOCK.match(line):
        return "\\" + line
    return _STARTS_NUMBER.sub(r"\1\\\2", line, count=1) if _STARTS_NUMBER.match(line) else line


def _start(node: Any) -> int:
    found = re.fullmatch(r"\s*(\d{1,8})\s*", node.attributes.get("start") or "")
    return int(found.group(1)) if found else 1


def _is_next_code(node: Any) -> bool:
    """Whether code comes right behind other code: the same program in another form, or its next line."""
    before = node.prev
    return node.tag == "code" and before is not None and before.is_element_node and before.tag == "code"


def _language_of(node: Any) -> str:
    names = [node.attributes.get("class") or ""]
    inner = node.child
    if inner is not None and inner.is_element_node and inner.tag == "code":
        names.append(inner.attributes.get("class") or "")
    found = _LANGUAGE.search(" ".join(names))
    return found.group(1) if found else ""
