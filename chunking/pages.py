"""The lines of a paginated document as text: running headers and footers out, paragraphs and words whole again."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

HYPHENS = ("-", "\u00ad", "\u2010", "\ufffe", "\x02")
LEAST_REPEATED = 2
"""Of the two pages before and the two after, on which a header or footer must stand too: chapters and odd pages differ."""
MOST_EDGE_LINES = 3
NEAR_LINES = 80
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_ITEM = re.compile(r"(?:[-*\u2022\u2023\u25aa\u25e6\u2013\u00b7]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)])\s+\S")
_ENDS = (".", "!", "?", ":", ";", "\u2026", '"', "\u201d", "\u3002", "\uff01", "\uff1f")

_INNER = re.compile(r"(\w+)[\ufffe\x02](\w+)")
_GAPS = re.compile(r"\S {3,}\S.* {3,}\S|\t")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page; places in points from the page's lower left corner.

    Args:
        size: of its letters.
        base: where its last letter stands, which is lower where a broken word was joined to its rest on the next line.
    """

    text: str
    left: float
    right: float
    bottom: float
    size: float
    base: float


def join_pages(pages: Sequence[Sequence[Line]]) -> tuple[str, tuple[int, ...]]:
    """The text of all pages, joined by form feeds, and where each page begins. A paragraph, or a word, that goes on over
    the page's end isn't parted from its rest by a blank line."""
    pages = without_running_lines(pages)
    words = Counter(word.lower() for page in pages for line in page for word in re.findall(r"[\w-]+", line.text))
    texts = [_paragraphs(page, words) for page in pages]
    parts, starts, length = list[str](), list[int](), 0
    for number, text in enumerate(texts):
        rest = texts[number + 1] if number + 1 < len(texts) else ""
        text, rest = _over_the_edge(text, rest, words)
        if number + 1 < len(texts):
            texts[number + 1] = rest
        gap = ("" if not number else "\f" if _goes_on(parts[-1], text) else "\n\n\f") if number else ""
        starts.append(length + len(gap))
        parts += [gap, text]
        length += len(gap) + len(text)
    return "".join(parts), tuple(starts)


def without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without lines at their edges that stand, but for their numbers, at the same place of the pages around."""
    keys = [{_key(line) for line in _edge_lines(page)} for page in pages]
    kept = []
    for number, page in enumerate(pages):
        around = [keys[other] for other in range(max(number - 2, 0), min(number + 3, len(pages))) if other != number]
        needed = min(LEAST_REPEATED, len(around))
        seen = Counter(key for near in around for key in near)
        running = {id(line) for line in _edge_lines(page) if needed and seen[_key(line)] >= needed}
        kept.append([line for line in page if id(line) not in running])
    return kept


def _edge_lines(page: Sequence[Line]) -> list[Line]:
    """The lines nearest the upper and lower edge."""
    ordered = sorted(page, key=lambda line: line.bottom)
    return [*ordered[:MOST_EDGE_LINES], *ordered[MOST_EDGE_LINES:][-MOST_EDGE_LINES:]]


def _key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", " ".join(line.text.split()).lower()), round(line.bottom / 6)


def _paragraphs(page: Sequence[Line], words: Counter[str]) -> str:
    """A page's lines as paragraphs, parted by blank lines; items of a list and lines of a table keep their line."""
    page = [line for line in page if line.text.strip()]
    if not page:
        return ""
    leading = median([gap for gap in _gaps(page) if gap > 0] or [12.0])
    edges = _column_edges(page)
    parts = [_clean(page[0].text, words)]
    for before, line in pairwise(page):
        text = _clean(line.text, words)
        separator = _separator(before, line, leading, edges[before])
        if separator == " ":
            parts[-1], text = _joined(parts[-1], text, words)
            parts[-1] += text
        else:
            parts += [separator, text]
    return "".join(parts)


def _gaps(page: Sequence[Line]) -> Iterator[float]:
    yield from (before.base - line.bottom for before, line in pairwise(page))


def _column_edges(page: Sequence[Line]) -> dict[Line, float]:
    """The right edge of the column that each line is in: the furthest one of the lines that overlap it sideways."""
    edges = {}
    for place, line in enumerate(page):
        near = page[max(place - NEAR_LINES, 0) : place + NEAR_LINES]
        beside = (one for one in near if one.left < line.right and line.left < one.right and one.left > line.left - 60)
        reach = sorted(one.right for one in beside)
        edges[line] = reach[int(0.9 * (len(reach) - 1))] if reach else line.right
    return edges


def _separator(before: Line, line: Line, leading: float, edge: float) -> str:
    """A blank line between paragraphs, a line break before items and table lines, else a blank."""
    gap = before.base - line.bottom
    if _ITEM.match(line.text.lstrip()) or _GAPS.search(before.text) or _GAPS.search(line.text):
        return "\n" if gap <= 1.8 * leading else "\n\n"
    if gap < 0:  # the next column
        return " " if _continues(before.text, line.text) else "\n\n"
    ends = before.text.rstrip().endswith(_ENDS)
    short = before.right < edge - 0.12 * (edge - before.left)
    if gap > 1.5 * leading or abs(before.size - line.size) > 0.1 * max(before.size, line.size):
        return " " if gap <= 1.5 * leading and _continues(before.text, line.text) else "\n\n"
    indented = line.left > before.left + line.size
    if (short and (ends or not line.text.lstrip()[:1].islower())) or (
        ends and indented and not _ITEM.match(before.text.lstrip())
    ):
        return "\n\n"
    return " "


def _continues(before: str, after: str) -> bool:
    before, after = before.rstrip(), after.lstrip()
    return bool(before and after) and not before.endswith(_ENDS) and (after[0].islower() or before.endswith((*HYPHENS, ",")))


def _goes_on(before: str, after: str) -> bool:
    """Whether a page's last paragraph goes on on the next page."""
    return _continues(before, after) and not _ITEM.match(before.rpartition("\n")[2])


def _joined(before: str, after: str, words: Counter[str]) -> tuple[str, str]:
    """Two lines of a paragraph with what stands between their words: nothing where a hyphen broke one."""
    stem = re.search(r"(\w+)$", before[:-1]) if before.endswith(HYPHENS) else None
    rest = re.match(r"\w+", after)
    if stem is None or rest is None or not after[:1].islower():
        return before, after if before.endswith(("-", "\u2010")) else " " + after
    if keeps_hyphen(stem.group(), rest.group(), words):
        return before[:-1] + "-", after
    return before[:-1], after


def keeps_hyphen(stem: str, rest: str, words: Counter[str]) -> bool:
    """Whether a word is written with its hyphen: elsewhere in the document it is, and more often than without."""
    return words[f"{stem}-{rest}".lower()] > words[f"{stem}{rest}".lower()]


def _clean(text: str, words: Counter[str]) -> str:
    """A line with the hyphens repaired over which a reader joined two lines already."""

    def repair(found: re.Match[str]) -> str:
        stem, rest = found.groups()
        return f"{stem}-{rest}" if keeps_hyphen(stem, rest, words) or not rest[0].islower() else stem + rest

    return _INNER.sub(repair, " ".join(text.split(" ")).strip()).replace("\u00ad", "").replace("\ufffe", "-").replace("\x02", "-")


def _over_the_edge(text: str, rest: str, words: Counter[str]) -> tuple[str, str]:
    """A word broken over the page's end as a whole on the first page."""
    tail = re.match(r"\w+[.,;:!?)]*", rest)
    if not text.endswith(HYPHENS) or tail is None or not rest[:1].islower():
        return text, rest
    before, word = _joined(text, tail.group(), words)
    return before + word, rest[tail.end() :].lstrip(" ")
