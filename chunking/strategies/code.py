"""Cuts source code between functions, classes and statements, by its syntax tree."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import partial

from chunking.blocks import Block, cut_blocks
from chunking.document import Text
from chunking.fitting import Fit
from chunking.grammars import GRAMMARS, language_of
from chunking.levels import BLANK_LINES, CLAUSES, WORDS, lines_of
from chunking.outline import Detail, Outline
from chunking.sections import Sections
from chunking.strategies.registry import Piece, Strategy, register
from chunking.syntax import Definition, parse_code

MOST_NAMES = 20


@register("code")
@dataclass(frozen=True, slots=True)
class Code(Strategy):
    """Functions and classes stay whole while they fit; larger ones are cut between their statements, then lines.

    The section path of a chunk are the names around it, such as a class and its method; text in a language without a
    grammar is cut at blank lines, then lines.

    Args:
        language: the language, where content type and file name don't say it.
    """

    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None and self.language not in GRAMMARS:
            raise ValueError(f"code.language {self.language!r} has no grammar; known: {', '.join(GRAMMARS)}")

    def outline(self, text: Text) -> Outline:
        language = self.language or language_of(text.content_type)
        if language is None:
            return Outline(title=text.uri)
        syntax = parse_code(text.text, language)
        sections = syntax.sections()
        return Outline(sections, title=text.uri, detail=partial(_detail, sections, syntax.definitions))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        language = self.language or language_of(text.content_type)
        whole = (Block(0, len(text.text)),)
        blocks = parse_code(text.text, language).blocks(fit.size) if language else whole
        finer = (BLANK_LINES, lines_of(text.text), CLAUSES, WORDS)
        return [Piece(start, end) for start, end in cut_blocks(blocks or whole, fit, finer, indented=True)]


def _detail(sections: Sections, definitions: tuple[Definition, ...], start: int, end: int) -> Detail:
    """The symbol around all of a chunk, and the names of what it has a part of."""
    first = bisect_left(definitions, start, key=lambda definition: definition.start)
    names = [".".join(sections.at(start))] if sections.at(start) else list[str]()
    for definition in definitions[first:]:
        if definition.start >= end or len(names) == MOST_NAMES:
            break
        if (name := ".".join(definition.path)) not in names:
            names.append(name)
    return Detail(
        symbol=".".join(sections.common(start, end)) or None,
        metadata={"symbols": ", ".join(names)} if names else {},
    )
