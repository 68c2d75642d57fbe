"""The cells of a page's table as a Markdown table: spans filled in, one line a row."""

import re
from dataclasses import dataclass, field
from itertools import groupby

from chunking.reading.dom import squeezed

MOST_COLUMNS = 200


@dataclass(slots=True)
class Cell:
    """One cell: its parts of text, and how many columns and rows it spans."""

    columns: int
    rows: int
    heads: bool
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """In one line, its bars escaped."""
        return squeezed("".join(self.parts)).strip().replace("|", "\\|")


class TableWriter:
    """Collects one table; tables inside its cells give their words to the cell."""

    def __init__(self) -> None:
        self.caption: list[str] = []
        self._rows: list[list[Cell]] = []
        self._cell: Cell | None = None
        self._depth = 0
        self._in_caption = False

    def open(self, tag: str, attributes: dict[str, str | None]) -> None:
        """An element inside the table begins."""
        self._depth += tag == "table"
        if self._depth or tag not in {"tr", "td", "th", "caption"}:
            return
        if tag == "tr":
            self._rows.append([])
            self._cell = None
        elif tag == "caption":
            self._in_caption = True
        else:
            self._rows = self._rows or [[]]
            self._cell = Cell(_span(attributes, "colspan"), _span(attributes, "rowspan"), tag == "th")
            self._rows[-1].append(self._cell)

    def close(self, tag: str) -> None:
        """An element inside the table ends."""
        if self._depth:
            self._depth -= tag == "table"
        elif tag == "caption":
            self._in_caption = False
        elif tag in {"td", "th"}:
            self._cell = None

    def write(self, text: str) -> None:
        """Text in the current cell or the caption; a parser leaves only blanks elsewhere."""
        if self._in_caption:
            self.caption.append(text)
        elif self._cell is not None:
            self._cell.parts.append(text)

    def lines(self) -> list[str]:
        """The lines of the table: its head, which several head rows share, the dashes, and the rows; empty for none."""
        rows = [row for row in self._rows if row]
        heads = 0
        while heads < len(rows) and all(cell.heads for cell in rows[heads]):
            heads += 1
        grid = _grid(rows, heads)
        grid = [row for position, row in enumerate(grid) if position < heads or any(row)]
        if not any(any(row) for row in grid):
            return []
        heads = min(max(heads, 1), len(grid))
        width = max(len(row) for row in grid)
        head = [
            " / ".join(name for name, _ in groupby(part for part in column if part)) for column in _columns(grid[:heads], width)
        ]
        body = [[*row, *[""] * (width - len(row))] for row in grid[heads:]]
        return [_line(head), _line(["---"] * width), *map(_line, body)]


def _grid(rows: list[list[Cell]], heads: int) -> list[list[str]]:
    """The texts by row and column. What spans rows stands in each of them, what spans columns in the first; of head cells
    in all, since each column takes its name from there."""
    grid: list[list[str]] = []
    open_spans: dict[int, tuple[int, str]] = {}
    for position, row in enumerate(rows):
        line: list[str] = []

        def fill(line: list[str] = line) -> None:
            while (held := open_spans.get(len(line))) and len(line) < MOST_COLUMNS:
                left, text = held
                open_spans[len(line)] = (left - 1, text)
                if left <= 1:
                    del open_spans[len(line)]
                line.append(text)

        for cell in row:
            fill()
            text = cell.text
            for offset in range(max(min(cell.columns, MOST_COLUMNS - len(line)), 1)):
                part = text if not offset or position < heads else ""
                if cell.rows > 1:
                    open_spans[len(line)] = (cell.rows - 1, part)
                line.append(part)
        fill()
        grid.append(line)
    return grid


def _columns(rows: list[list[str]], width: int) -> list[list[str]]:
    return [[row[column] if column < len(row) else "" for row in rows] for column in range(width)]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _span(attributes: dict[str, str | None], name: str) -> int:
    found = re.match(r"\s*(\d{1,5})", attributes.get(name) or "")
    return max(int(found.group(1)), 1) if found else 1
