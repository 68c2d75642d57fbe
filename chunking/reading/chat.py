"""Chat exports, one message a line of JSON, to ``name: words`` with who says them and when as cues."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from chunking.clock import seconds_of
from chunking.document import Cue, Document, Layout, Text
from chunking.reading.html import read_html
from chunking.reading.kinds import HTML, JSON_LINES, PLAIN
from chunking.reading.registry import reads
from chunking.reading.text import repair, source_of

_SAYS = ("text", "message", "content", "body")
_WHO = ("user_profile", "user", "author", "from", "sender", "speaker", "name", "username", "user_name", "role")
_WHEN = ("ts", "timestamp", "time", "date", "created_at", "createdDateTime", "datetime")
_INSIDE = ("real_name", "display_name", "displayName", "name", "username", "user", "content", "text")
_NOT_SAID = frozenset({"title", "headline", "rating", "stars", "url", "level", "levelname", "severity"})
"""What a page, a review or a line of a log has, and a message hasn't."""
_SPEAKS = frozenset({"role", "messages", "sender", "speaker"})
_CLOCK = re.compile(r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:\.\d{1,6})?")
MOST_STRAYS = 0.1
DEEPEST = 4
LATEST = 1e11
"""Seconds up to the year 5138: larger numbers count in smaller units."""


class _Message(NamedTuple):
    """What is said; who is None for a notice, and for a line that is no JSON."""

    words: str
    who: str | None
    time: float | None


@reads(JSON_LINES)
def read_messages(document: Document) -> Text:
    """A chat export as ``name: words`` lines with their times; other JSON lines as they are.

    Times are seconds since 1970, UTC where no zone is named. Events without words are left out; a line that is no JSON,
    such as one that breaks off, stays.
    """
    source = source_of(document)
    lines = [line.strip() for line in source.removeprefix("\ufeff").split("\n") if line.strip()]
    rows = [_row(line) for line in lines]
    messages = [message for line, row in zip(lines, rows, strict=True) for message in _messages(line, row)]
    if not _is_chat(rows, messages):
        return Text(source, JSON_LINES, Layout())
    parts, cues, length = list[str](), list[Cue](), 0
    for message in messages:
        part = f"{message.who}: {message.words}" if message.who else message.words
        parts.append(part)
        cues.append(Cue(length, length + len(part), message.who, message.time, message.time))
        length += len(part) + 1
    return Text("\n".join(parts), PLAIN, Layout(cues=tuple(cues)))


def _row(line: str) -> Mapping[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _messages(line: str, row: Mapping[str, Any] | None) -> Iterator[_Message]:
    """The messages of a line: one, or those of a whole conversation."""
    if row is None:
        yield _Message(repair(line), None, None)
        return
    inside = row.get("messages")
    for part in inside if isinstance(inside, list) else [row]:
        if isinstance(part, dict) and (words := _first(part, _SAYS)):
            when = next((part[key] for key in _WHEN if part.get(key) is not None), None)
            yield _Message(words, " ".join(_first(part, _WHO).split()) or None, _time_of(when))


def _is_chat(rows: Sequence[Mapping[str, Any] | None], messages: Sequence[_Message]) -> bool:
    """Whether nearly all is said by somebody, by two at least, in turns or at times."""
    names = Counter(message.who for message in messages if message.who)
    strays = len(messages) - names.total() + sum(bool(row) and not _is_event(row) for row in rows)
    other = sum(row is not None and not _NOT_SAID.isdisjoint(row) for row in rows)
    if not names or strays > max(1, MOST_STRAYS * len(rows)) or 2 * other >= len(rows):
        return False
    if len(names) < 2 and names.total() >= 4:
        return False
    timed = sum(message.time is not None for message in messages)
    return (
        2 * timed >= len(messages) or 2 * len(names) <= names.total() or any(row and not _SPEAKS.isdisjoint(row) for row in rows)
    )


def _is_event(row: Mapping[str, Any] | None) -> bool:
    return row is not None and any(key in row for key in (*_SAYS, *_WHEN, "messages"))


def _first(row: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((words for key in keys if (words := _words(row.get(key)))), "")


def _words(value: Any, depth: int = 0) -> str:
    """The words of a value: of the parts of a list, of what is named or said inside an object."""
    if isinstance(value, str):
        return repair(value).replace("\r\n", "\n").strip()
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return str(value)
    if depth == DEEPEST or not isinstance(value, list | dict):
        return ""
    if isinstance(value, list):
        return "\n".join(words for part in value if (words := _words(part, depth + 1)))
    words = next((words for key in _INSIDE if (words := _words(value.get(key), depth + 1))), "")
    return read_html(Document("-", words, content_type=HTML)).text.strip() if value.get("contentType") == "html" else words


def _time_of(value: Any) -> float | None:
    """Numbers of seconds or smaller units, dates, or times of day."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    except ValueError:
        return _moment_of(str(value).strip())
    if not math.isfinite(number):
        return None
    while number > LATEST:
        number /= 1000
    return number


def _moment_of(value: str) -> float | None:
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return seconds_of(value) if _CLOCK.fullmatch(value) else None
