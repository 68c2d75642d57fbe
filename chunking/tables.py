"""Tables in a text: their head, columns and rows, and the head in fewer words for where it doesn't fit."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from chunking.document import Span

ELLIPSIS = "\u2026"


@dataclass(frozen=True, slots=True)
class Row:
    """One row ``[start, end)`` and its cells without the marks between them."""

    start: int
    end: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """``head`` spans all lines before the first row.

    Args:
        delimiter: between cells; ``|`` for a Markdown table, which has a line of dashes below its columns.
    """

    head: Span
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    delimiter: str = "|"

    @property
    def end(self) -> int:
        """Where its last row ends."""
        return self.rows[-1].end if self.rows else self.head.end

    def rendered(self) -> dict[tuple[int, int], str]:
        """``column: value`` lines for the span of each row, empty cells left out; the first row's begins with the head."""
        starts = (self.head.start, *(row.start for row in self.rows[1:]))
        return {(start, row.end): self._pairs(row) for start, row in zip(starts, self.rows, strict=False)}

    def _pairs(self, row: Row) -> str:
        names = (*self.columns, *("" for _ in row.cells[len(self.columns) :]))
        pairs = ((" ".join(name.split()), " ".join(cell.split())) for name, cell in zip(names, row.cells, strict=False))
        return "\n".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)

    def rows_in(self, start: int, end: int) -> range:
        """Which rows, counted from 0, have a character in ``[start, end)``."""
        first = bisect_right(self.rows, start, key=_end)
        after = bisect_right(self.rows, end - 1, key=_start)
        return range(first, max(first, after))

    def shorter_heads(self) -> Iterator[str]:
        """The head with ever fewer columns."""
        for kept in range(len(self.columns) - 1, 0, -1):
            cells = (*self.columns[:kept], ELLIPSIS)
            if self.delimiter == "|":
                yield f"| {' | '.join(cells)} |\n{'| --- ' * len(cells)}|"
            else:
                yield self.delimiter.join(cells)


def _start(row: Row) -> int:
    return row.start


def _end(row: Row) -> int:
    return row.end
