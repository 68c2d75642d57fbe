"""The forms in which a line of a plain transcript opens a turn: with a name, a time, or both."""

import re
from typing import NamedTuple

from chunking.clock import Stamp

_TIME = r"(?:\d{1,3}:)?\d{1,2}:[0-5]\d(?:[.,]\d{1,6})?"
_DATE = r"(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
_STAMP = rf"(?:{_DATE}[,T ]\s*)?(?P<time>{_TIME})(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?(?P<zone>Z|[+-]\d\d:?\d\d)?"
_NAME = r"(?P<name>[^\W\d_][\w.'\u2019-]*(?: [\w.'\u2019&()-]+){0,3})"
_SAYS = r"(?:[*_]*\s*:(?=[*_]*(?:\s|$))|\uff1a)"
_NICK = r"<(?P<nick>[^>\s]{1,40})>"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_STAMP}\s+From\s+(?P<name>[^\W\d_][^:]{{0,60}}?)\s+to\s+[^:]{{1,60}}:",
        rf"[\[(]{_STAMP}[\])]\s*(?:{_NAME}{_SAYS}|{_NICK})",
        rf"{_STAMP}\s+(?:-\s+)?(?:{_NAME}{_SAYS}|{_NICK})",
        rf"{_NAME}\s*[\[(]{_STAMP}[\])]\s*:?",
        rf"{_NAME}\s+{_STAMP}[ \t]*$",
        rf"{_STAMP}\s+(?:-\s+)?(?P<bare>[^\W\d_][\w.'\u2019-]*(?: [\w.'\u2019()-]+){{0,3}})[ \t]*$",
        rf"[\[(]{_STAMP}[\])](?=\s|$)",
        rf"{_NAME}(?:[*_]*\s?:(?=[*_]*(?:\s|$))|\uff1a)",
        rf"{_NICK}\s",
    )
)
_BEFORE = " \t*_-\u200e\u200f\u202a\ufeff"
"""Bullets, emphasis, and the marks of direction that messengers write."""
_NO_NAMES = frozenset(
    word
    for line in (
        "note notes warning tip hint example examples summary todo fixme important caution see usage returns args raises parameters",
        "http https ftp file mailto subject date time to from cc re title author source url q a question answer",
        "info debug error warn trace fatal critical notice",
    )
    for word in line.split()
)
_LONGEST = 200
_NAMED = re.compile(rf"(?:>>+\s*|-\s*)?{_NAME}:\s+(?=\S)")


class Opening(NamedTuple):
    """How a line opens a turn.

    Args:
        words: where its words begin in the line.
        bare: a name and a time alone, as a heading over the words: two words that may be anything.
    """

    words: int
    speaker: str | None
    stamp: Stamp | None
    bare: bool


def opening_of(line: str) -> Opening | None:
    """How ``line`` opens a turn; None where it doesn't."""
    line = line[:_LONGEST].rstrip("\r\n")
    indent = len(line) - len(line.lstrip(_BEFORE))
    for form in _FORMS:
        if found := form.match(line, indent):
            return _opening(found)
    return None


def _opening(found: re.Match[str]) -> Opening | None:
    groups = found.groupdict()
    bare = groups.get("bare")
    speaker = bare or groups.get("name") or groups.get("nick")
    if speaker and (speaker.lower() in _NO_NAMES or (bare and not is_capitalised(bare))):
        return None
    time = groups.get("time")
    daily = bool(groups.get("nick"))  # chat servers write hours and minutes
    stamp = Stamp(time, groups["date"], groups["half"], groups["zone"], daily) if time else None
    return Opening(found.end(), speaker, stamp, bool(bare))


def is_capitalised(name: str) -> bool:
    """Whether no word of a name begins with a small letter."""
    return not any(word[0].islower() for word in name.split())


def name_before(words: str) -> tuple[str, int] | None:
    """The name that a caption begins with, and where its words begin behind it."""
    found = _NAMED.match(words[:_LONGEST])
    if not found or found["name"].lower() in _NO_NAMES:
        return None
    return found["name"], found.end()
