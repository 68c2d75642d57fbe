"""Which section each place of a text stands in, for the kinds of text that have headings."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from chunking.document import Text
from chunking.reading.kinds import MARKDOWN

Path = tuple[str, ...]
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Sections:
    """Section paths by the offset at which each section starts; a heading belongs to its own section."""

    starts: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()

    def at(self, position: int) -> Path:
        """The path of the section around ``position``; empty before the first heading."""
        found = bisect_right(self.starts, position) - 1
        return self.paths[found] if found >= 0 else ()

    def common(self, start: int, end: int) -> Path:
        """What the paths of all sections in ``[start, end)`` have in common, from the root."""
        if not self.starts:
            return ()
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        path = self.at(start)
        for position in range(max(first, 0), last + 1):
            path = _shared(path, self.paths[position])
        return path


def _shared(one: Path, other: Path) -> Path:
    length = next((i for i, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other)))
    return one[:length]


def find_sections(text: Text) -> Sections:
    """The sections of a Markdown text; other kinds have none."""
    return _markdown_sections(text.text) if text.content_type == MARKDOWN else Sections()


@lru_cache(maxsize=1)
def _parsers() -> tuple[Any, Any]:
    """One parser for blocks alone, which is fast, and one for the few lines that are headings."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    blocks = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    return blocks.disable(["inline", "text_join"]), MarkdownIt("commonmark")


def _markdown_sections(text: str) -> Sections:
    starts, paths, open_headings = list[int](), list[Path](), list[tuple[int, str]]()
    blocks, inline = _parsers()
    tokens = blocks.parse(text)
    lines = [0, *(match.end() for match in _LINE_END.finditer(text))]
    for heading, content in pairwise(tokens):
        if heading.type != "heading_open" or heading.level:
            continue
        level = int(heading.tag[1:])
        while open_headings and open_headings[-1][0] >= level:
            open_headings.pop()
        open_headings.append((level, _plain(inline.parseInline(content.content)[0])))
        starts.append(lines[heading.map[0]])
        paths.append(tuple(name for _, name in open_headings if name))
    return Sections(tuple(starts), tuple(paths))


def _plain(heading: Any) -> str:
    """A heading's words without its markup; an image stands with its alternative text."""
    return " ".join("".join(part.content or " " for part in heading.children if part.type != "html_inline").split())
