"""What stands around each place of a text: its section, the table it is part of, the question it answers."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chunking.blocks import Block
from chunking.document import Layout, Text
from chunking.markdown import parse_markdown
from chunking.reading.kinds import MARKDOWN
from chunking.sections import Sections
from chunking.tables import Table


@dataclass(frozen=True, slots=True)
class Repeat:
    """What every chunk that starts in ``[start, end)`` has in its header.

    Args:
        shorter: the text in ever fewer words, for where it doesn't fit.
        units: where the parts start that must not be cut to make room for it; without any it keeps its room.
    """

    start: int
    end: int
    text: str
    joiner: str
    shorter: Callable[[], Iterator[str]]
    units: tuple[int, ...] = ()

    def is_one(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` lies within one unit."""
        return bool(self.units) and bisect_right(self.units, start) == bisect_right(self.units, end - 1)


@dataclass(frozen=True, slots=True)
class Detail:
    """What a chunk has besides its text, for the fields of ``Chunk`` of the same names."""

    symbol: str | None = None
    references: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


def no_detail(start: int, end: int) -> Detail:
    """Nothing is known of any chunk."""
    return _NO_DETAIL


_NO_DETAIL = Detail()


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections, tables and repeated headers of one text.

    Args:
        rendered: the spans that are embedded in other words than their text.
        title: what stands for the title of a document that has none.
        layout: pages and cues as the strategy found them; else those of the text count.
        walls: places that no chunk crosses.
        detail: what the strategy knows of the chunk ``[start, end)``, whichever pieces it was merged from.
    """

    sections: Sections = field(default_factory=Sections)
    tables: tuple[Table, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    rendered: Mapping[tuple[int, int], str] = field(default_factory=dict)
    title: str | None = None
    layout: Layout | None = None
    walls: tuple[int, ...] = ()
    detail: Callable[[int, int], Detail] = no_detail

    def repeat_at(self, start: int) -> Repeat | None:
        """What a chunk from ``start`` repeats."""
        found = bisect_right(self.repeats, start, key=lambda repeat: repeat.start) - 1
        return self.repeats[found] if found >= 0 and start < self.repeats[found].end else None

    def head_is_cut(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` has rows and only the end of their table's head."""
        found = bisect_right(self.tables, start, key=lambda table: table.head.start) - 1
        table = self.tables[found] if found >= 0 else None
        return bool(table and table.head.start < start < table.head.end and table.rows_in(start, end))

    def table_metadata(self, start: int, end: int) -> dict[str, str]:
        """The number of the table that ``[start, end)`` begins in or reaches first, and those of its rows, from 1."""
        found = max(bisect_right(self.tables, start, key=lambda table: table.head.start) - 1, 0)
        for number in range(found, len(self.tables)):
            table = self.tables[number]
            if table.head.start >= end:
                break
            if rows := table.rows_in(start, end):
                return {"table": str(number + 1), "rows": _numbers(rows)}
        return {}


def _numbers(rows: range) -> str:
    return str(rows.start + 1) if len(rows) == 1 else f"{rows.start + 1}-{rows.stop}"


def repeats_of(text: str, tables: tuple[Table, ...]) -> tuple[Repeat, ...]:
    """The head of each table, for every chunk that starts in its rows."""
    return tuple(
        Repeat(
            table.rows[0].start, table.end, text[table.head.start : table.head.end], "\n", table.shorter_heads,
            tuple(row.start for row in table.rows),
        )
        for table in tables
        if table.rows
    )  # fmt: skip


def nested_repeats(outer: Sequence[Repeat], inner: Sequence[Repeat]) -> tuple[Repeat, ...]:
    """Both, each in order and apart: inside an outer one, an inner one is repeated below it."""
    found, place = list[Repeat](), 0
    for repeat in outer:
        begin = repeat.start
        while place < len(inner) and inner[place].end <= repeat.end:
            within = inner[place]
            place += 1
            if within.start < begin:
                continue
            found += [replace(repeat, start=begin, end=within.start)] if begin < within.start else []
            found.append(_below(repeat, within))
            begin = within.end
        found += [replace(repeat, start=begin)] if begin < repeat.end else []
    taken = [(repeat.start, repeat.end) for repeat in outer]
    alone = [repeat for repeat in inner if not _touches(taken, repeat)]
    return tuple(sorted((*found, *alone), key=lambda repeat: repeat.start))


def _below(outer: Repeat, inner: Repeat) -> Repeat:
    def shorter() -> Iterator[str]:
        yield from (outer.text + outer.joiner + text for text in inner.shorter())
        yield from (text + outer.joiner + inner.text for text in outer.shorter())
        yield from (inner.text, *inner.shorter())

    return replace(inner, text=outer.text + outer.joiner + inner.text, shorter=shorter)


def _touches(taken: Sequence[tuple[int, int]], repeat: Repeat) -> bool:
    """Whether a span of ``taken`` shares a place with ``repeat``."""
    place = bisect_right(taken, repeat.start, key=lambda span: span[1])
    return place < len(taken) and taken[place][0] < repeat.end


def outline_of(text: Text) -> Outline:
    """The sections of a Markdown text; other kinds have none."""
    return Outline(parse_markdown(text.text).sections(text.text)) if text.content_type == MARKDOWN else Outline()


def blocks_of(text: Text) -> tuple[Block, ...]:
    """The blocks of a Markdown text; other kinds have none."""
    return parse_markdown(text.text).blocks if text.content_type == MARKDOWN else ()


def tables_of(text: Text) -> tuple[Table, ...]:
    """The tables of a Markdown text; other kinds have none."""
    return parse_markdown(text.text).tables if text.content_type == MARKDOWN else ()
