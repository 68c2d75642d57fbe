"""Comma- and tab-separated text as a table with offsets."""

import csv
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from chunking.document import Span
from chunking.lines import line_starts
from chunking.tables import Row, Table

DELIMITERS = ",;\t|"
SAMPLE = 16_384
csv.field_size_limit(2**31 - 1)


@lru_cache(maxsize=1)
def read_delimited(text: str, delimiter: str | None = None) -> Table:
    """The table that ``text`` is, its first row the head; rows of several lines, in quotes, are one row.

    Args:
        delimiter: None: the one that fits the text's beginning best.
    """
    delimiter = delimiter or _guess(text)
    rows = list(_rows(text, delimiter))
    if not rows:
        return Table(Span(0, 0), (), (), delimiter)
    head = rows[0]
    return Table(Span(head.start, head.end), head.cells, tuple(rows[1:]), delimiter)


def _guess(text: str) -> str:
    try:
        return csv.Sniffer().sniff(text[:SAMPLE], DELIMITERS).delimiter
    except csv.Error:
        return ","


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    starts = line_starts(text)
    lines = (text[start:end] for start, end in pairwise(starts))
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    for cells in reader:
        start, end = starts[before], starts[min(reader.line_num, len(starts) - 1)]
        before = reader.line_num
        visible = text[start:end].strip()
        if visible:
            start += text[start:end].index(visible)
            yield Row(start, start + len(visible), tuple(cells))
