"""Walking a parsed page without recursion: what a reader sees of it, in order."""

import re
from collections.abc import Iterator
from typing import Any, Literal

_BLANKS = re.compile(r"[ \t\n\f\r]+")
Event = Literal["open", "close", "text"]
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = frozenset([
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend",
    "li", "main", "nav", "ol", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul",
    *HEADINGS,
])  # fmt: skip
_UNSEEN = frozenset([
    "audio", "button", "canvas", "datalist", "embed", "head", "iframe", "input", "link", "map", "meta", "nav",
    "noscript", "object", "param", "script", "select", "source", "style", "svg", "template", "textarea", "title",
    "track", "video"
])  # fmt: skip
_CHROME = frozenset({"aside", "footer"})
"""Left out where they belong to the page; kept where they belong to an article or section."""
_CONTENT = frozenset({"article", "main", "section", "blockquote", "td", "li"})
_UNSEEN_ROLES = frozenset({"navigation", "search", "menu", "menubar", "toolbar", "tooltip"})
_PERMALINKS = frozenset({"\u00b6", "#", "\u00a7", "\U0001f517"})


def squeezed(text: str) -> str:
    """Runs of what HTML takes for blanks as one blank each; a no-break space is none."""
    return _BLANKS.sub(" ", text)


def walk(root: Any) -> Iterator[tuple[Event, Any]]:
    """The elements below ``root`` as they open and close, and the texts between; what isn't seen is left out."""
    node, inside = root.child, 0
    while node is not None:
        descends = False
        if node.is_text_node:
            yield "text", node
        elif node.is_element_node and _is_seen(node, inside):
            yield "open", node
            inside += node.tag in _CONTENT
            descends = node.child is not None
            if not descends:
                inside -= node.tag in _CONTENT
                yield "close", node
        if descends:
            node = node.child
            continue
        while node.next is None:
            node = node.parent
            if node is None or node.mem_id == root.mem_id:
                return
            inside -= node.tag in _CONTENT
            yield "close", node
        node = node.next


def _is_seen(node: Any, inside: int) -> bool:
    tag = node.tag
    if tag in _UNSEEN or (tag in _CHROME and not inside):
        return False
    attributes = node.attributes
    if not attributes:
        return True
    if "hidden" in attributes or attributes.get("aria-hidden") == "true" or (attributes.get("role") or "") in _UNSEEN_ROLES:
        return False
    style = (attributes.get("style") or "").replace(" ", "").lower()
    if "display:none" in style or "visibility:hidden" in style:
        return False
    return not (tag == "a" and node.text(deep=True).strip() in _PERMALINKS)


def data_tables(root: Any) -> set[int]:
    """The tables that hold data, by ``mem_id``; others only lay out the page: their cells are blocks like any other.

    A table holds data when it has header cells or a caption, or has two columns and no cell with blocks in it.
    """
    found: set[int] = set()
    stack: list[_Seen] = []
    for event, node in walk(root):
        tag = node.tag
        if event == "open" and tag == "table":
            stack.append(_Seen())
        elif event == "close" and tag == "table" and stack:
            seen = stack.pop()
            if seen.is_data():
                found.add(node.mem_id)
            if stack:
                stack[-1].blocks += 1
        elif event == "open" and stack:
            stack[-1].take(tag)
    return found


class _Seen:
    """What was seen of one table."""

    def __init__(self) -> None:
        self.named = False
        self.blocks = 0
        self.cells = self.rows = 0

    def take(self, tag: str) -> None:
        self.named = self.named or tag in {"th", "caption"}
        self.rows += tag == "tr"
        self.cells += tag in {"td", "th"}
        self.blocks += tag in HEADINGS or tag in {"ul", "ol", "pre", "blockquote", "dl", "section", "article"}

    def is_data(self) -> bool:
        return self.named or (self.cells >= 2 * max(self.rows, 1) and not self.blocks)
