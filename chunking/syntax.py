"""Source code as blocks and named definitions, with offsets in code points, from its syntax tree."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from chunking.blocks import Block, without_gaps
from chunking.document import Span
from chunking.grammars import GRAMMARS, load_parser
from chunking.sections import Path, Sections

LEAST_BYTES = 12
"""Of a node that is looked into: nothing shorter has a definition inside."""
MOST_BEFORE = 200
"""Of a definition's line before its name that counts to it."""
MOST_LEVELS = 60
"""Of blocks in blocks; what is deeper is cut by lines."""
_DECLARATORS = frozenset({"function_declarator", "pointer_declarator", "reference_declarator", "parenthesized_declarator"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function", "class"})
_AFTER = re.compile(r"[ \t]*[;,)]+")
_LEADING = ("comment", "decorator", "annotation", "attribute", "modifiers")


@dataclass(frozen=True, slots=True)
class Definition:
    """Something with a name, from the comment or decorator that leads it to its end, and the names around it."""

    start: int
    end: int
    path: Path


class Syntax:
    """The syntax tree of one text."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        source = text.encode()
        self._root = load_parser(language).parse(source).root_node
        self._names = GRAMMARS[language].names
        self._offsets = None if len(source) == len(text) else _code_points(source)
        self.definitions = tuple(self._definitions())

    def sections(self) -> Sections:
        """The path of names at each place."""
        starts, paths = list[int](), list[Path]()
        around = list[Definition]()

        def leave(before: int) -> None:
            while around and around[-1].end <= before:
                end = around.pop().end
                if end < before or not starts:
                    starts.append(end)
                    paths.append(around[-1].path if around else ())

        for definition in self.definitions:
            leave(definition.start)
            around.append(definition)
            starts.append(definition.start)
            paths.append(definition.path)
        leave(len(self._text) + 1)
        return Sections(tuple(starts), tuple(paths))

    def blocks(self, size: int) -> tuple[Block, ...]:
        """Blocks that begin on lines of their own and cover the text; those of over ``size`` code points have children."""
        whole = Span(0, len(self._text))
        return without_gaps(tuple(self._blocks([self._root], size, 0)), whole, self._text)

    def _at(self, offset: int) -> int:
        return offset if self._offsets is None else int(self._offsets[offset])

    def _definitions(self) -> Iterator[Definition]:
        """In order of their starts, outer ones first; with the words before and the marks after them on their lines."""
        taken = 0
        stack: list[tuple[Any, Path, int | None]] = [(self._root, (), None)]
        while stack:
            node, path, lead = stack.pop()
            name = _name_of(node) if node.type in self._names else None
            if name:
                path = (*path, name)
                start, end = self._at(node.start_byte if lead is None else lead), self._at(node.end_byte)
                line = self._text.rfind("\n", max(start - MOST_BEFORE, 0), start) + 1
                start = line if line >= taken and (line or start < MOST_BEFORE) else start
                marks = _AFTER.match(self._text, end)
                yield Definition(start, marks.end() if marks else end, path)
                taken, lead = start + 1, None
            stack += reversed([(child, path, above) for child, above in _with_leads(node, lead) if _is_deep(child)])

    def _blocks(self, nodes: Sequence[Any], size: int, depth: int) -> Iterator[Block]:
        """The parts of a run of nodes that begin on lines of their own; what leads the next one says so."""
        for unit in self._units(nodes):
            start, end = self._at(unit[0].start_byte), self._at(unit[-1].end_byte)
            children: tuple[Block, ...] = ()
            if end - start > size and depth < MOST_LEVELS:
                inner = tuple(self._blocks(unit, size, depth + 1))
                children = inner if len(inner) > 1 else inner[0].children if inner else ()
            yield Block(start, end, children, leads=self._leads(unit, depth))

    def _units(self, nodes: Sequence[Any]) -> list[list[Any]]:
        """The nodes' children, and nodes of one line themselves, in runs of which each begins on a line of its own."""
        units: list[list[Any]] = []
        for node in _opened(nodes):
            if not units or (node.is_named and self._begins_line(node.start_byte)):
                units.append([node])
            else:
                units[-1].append(node)
        return units

    def _begins_line(self, offset: int) -> bool:
        place = self._at(offset)
        while place and self._text[place - 1] in " \t":
            place -= 1
        return not place or self._text[place - 1] in "\r\n"

    def _leads(self, unit: Sequence[Any], depth: int) -> bool:
        """A comment, a decorator, or the line that opens a class or function."""
        if all(any(word in node.type for word in _LEADING) for node in unit if node.is_named):
            return bool(unit[-1].is_named)
        return depth > 0 and unit[-1].type in {":", "{", "do", "then"}


@lru_cache(maxsize=1)
def parse_code(text: str, language: str) -> Syntax:
    """The syntax of ``text``; the last result is kept, since several steps ask for it.

    Raises:
        MissingLibraryError: the grammar isn't installed.
    """
    return Syntax(text, language)


def _code_points(source: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The code point that each byte belongs to, and the number of code points for the end."""
    first = (np.frombuffer(source, np.uint8) & 0xC0) != 0x80
    counted = np.cumsum(first)
    return np.concatenate([counted - 1, counted[-1:]])


def _is_deep(node: Any) -> bool:
    return bool(node.child_count) and node.end_byte - node.start_byte >= LEAST_BYTES


def _with_leads(node: Any, start: int | None) -> Iterator[tuple[Any, int | None]]:
    """The children that may hold definitions, each with where what leads it begins: comments and decorators right above
    it, and what ``node`` itself was led by, which goes to the first one."""
    lead = node.start_byte if start is None and node.type == "template_declaration" else start
    last = None
    for child in node.children:
        near = last is None or child.start_point[0] - last.end_point[0] <= 1
        lead = lead if near else None
        if any(word in child.type for word in _LEADING):
            lead = child.start_byte if lead is None else lead
        elif _is_deep(child):
            yield child, lead
            lead = None
        elif child.is_named and start is None and node.type != "template_declaration":
            lead = None
        last = child


def _opened(nodes: Sequence[Any]) -> Iterator[Any]:
    """The nodes, those of several lines by their children."""
    for node in nodes:
        if node.child_count and node.end_point[0] > node.start_point[0]:
            yield from node.children
        else:
            yield node


def _name_of(node: Any) -> str | None:
    """What a definition is called, with the type that it belongs to where the language writes that before the name."""
    if node.type == "variable_declarator":
        value = node.child_by_field_name("value")
        if value is None or value.type not in _FUNCTIONS:
            return None
    if node.type == "impl_item":
        return _words(node.child_by_field_name("type"))
    if node.type.endswith("_specifier") and node.child_by_field_name("body") is None:
        return None
    named = node.child_by_field_name("name")
    if named is None:
        named = next((child for child in node.children if child.type in {"object_reference", "word"}), None) or _declared(node)
    receiver = node.child_by_field_name("receiver")
    name = _words(named)
    if name and receiver is not None:
        owner = _words(receiver).strip("()").split(" ")[-1].lstrip("*").partition("[")[0]
        return f"{owner}.{name}" if owner else name
    return name.replace("::", ".") or None


def _declared(node: Any) -> Any:
    """The name inside the declarators of C."""
    found = node.child_by_field_name("declarator")
    while found is not None and found.type in _DECLARATORS:
        found = found.child_by_field_name("declarator") or next(
            (child for child in reversed(found.children) if child.is_named), None
        )
    return found


def _words(node: Any) -> str:
    return "" if node is None else " ".join(node.text.decode("utf-8", "replace").split())[:200]
