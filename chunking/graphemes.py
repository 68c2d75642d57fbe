"""Boundaries of grapheme clusters (UAX 29), the finest place at which a text may be cut."""

import re
from collections.abc import Iterator

import regex

# Flags without marks are paired by hand: for each of them the library's \X counts the flags back to the start of their run.
_CLUSTER = regex.compile(r"[\U0001F1E6-\U0001F1FF]{1,2}+(?![\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}])|\X")
# Two neighbours of these scripts never share a cluster, so no look further back is needed between them.
_LONERS = (
    "\x00-\x09\x0b\x0c\x0e-\u02ff\u0370-\u0482\u048a-\u0590\u05d0-\u05ea\u0620-\u064a\u2010-\u2027"
    "\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e"
)
_APART = re.compile(f"\n(?!\r)[{_LONERS}\n]|[{_LONERS}][{_LONERS}\r\n]|\r\r")
_LOOK_BACK = 64


def is_boundary(text: str, position: int, start: int) -> bool:
    """Whether no grapheme cluster lies across ``position``; ``start`` is a boundary at or before it."""
    if not start < position < len(text) or _APART.match(text, position - 1):
        return True
    anchor = _anchor(text, start, position)
    return any(match.end() == position for match in _CLUSTER.finditer(text, anchor, position + 1))


def last_boundary(text: str, start: int, limit: int) -> int:
    """The last boundary in ``(start, limit]``; ``start`` itself when a single cluster reaches beyond ``limit``."""
    if limit >= len(text) or _APART.match(text, limit - 1):
        return limit
    best = _anchor(text, start, limit)
    for match in _CLUSTER.finditer(text, best, limit + 1):
        if match.end() <= limit:
            best = match.end()
    return best


def boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """The boundaries in ``(start, end]``; ``start`` must be one itself."""
    for match in _CLUSTER.finditer(text, start, end + 1):
        if match.end() <= end:
            yield match.end()


def _anchor(text: str, start: int, position: int) -> int:
    """A boundary in ``[start, position)``, near ``position`` where one is easily seen."""
    for candidate in range(position - 1, max(start, position - _LOOK_BACK), -1):
        if _APART.match(text, candidate - 1):
            return candidate
    return start
