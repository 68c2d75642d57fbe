"""Passages as a person reads them."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Span
from chunking.passages import Hit

WIDTH = 97
MOST_LINES = 8


@dataclass(frozen=True)
class Passage:
    """A hit with what a reader wants to see of it."""

    hit: Hit
    title: str
    uri: str
    section_path: tuple[str, ...]
    text: str


def render_passages(passages: Sequence[Passage]) -> str:
    """Passages as a person reads them: title, section, score, span, text."""
    blocks = []
    for place, passage in enumerate(passages, start=1):
        path = passage.section_path[1:] if passage.section_path[:1] == (passage.title,) else passage.section_path
        head = f"{place}. {passage.title}" + (f"  |  {' > '.join(path)}" if path else "")
        where = f"   score {passage.hit.score:.3f}  {passage.uri} [{passage.hit.start}:{passage.hit.end}]"
        blocks.append("\n".join([head, where, textwrap.indent(excerpt(passage.text), "   ")]))
    return "\n\n".join(blocks) or "no passage found"


def excerpt(text: str) -> str:
    """A passage's first lines: long ones wrapped, indentation kept, a count of what is left out."""
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    shown = lines[:MOST_LINES] + ([f"... {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else [])
    return "\n".join(shown)


def render_context(context: Sequence[tuple[Passage, Span, str]]) -> str:
    """One context for a prompt: each united span under its citation."""
    return "\n\n".join(f"[{passage.uri} {span.start}:{span.end}] {passage.title}\n{text}" for passage, span, text in context)
