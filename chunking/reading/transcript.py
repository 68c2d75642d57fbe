"""Captions (WebVTT, SRT) and chat exports to plain words, with who says them and when as cues."""

import html
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from chunking.clock import seconds_of
from chunking.document import Cue, Document, Layout, Text
from chunking.errors import MissingLibraryError, NotReadableError
from chunking.reading.kinds import JSON_LINES, PLAIN, SRT, VTT, content_type_of
from chunking.reading.registry import reads
from chunking.reading.text import repair

_STYLED = re.compile(r"\{\\[^}]*\}")
_PREFIX = re.compile(r"(?:>>\s*|-\s*)?([A-Z][A-Z0-9 .'-]{1,30}):\s")
_SAYS = ("text", "message", "content", "body")
_WHO = ("user", "author", "from", "sender", "speaker", "name", "username", "user_name", "role")
_WHEN = ("ts", "timestamp", "time", "date", "created_at", "datetime")
MOST_NO_MESSAGE = 0.1


@reads(VTT, SRT)
def read_captions(document: Document) -> Text:
    """The words of all cues: those of one speaker in a line, parted by blanks, each speaker's in a line of their own.
    Timings, numbers, notes, styles and tags are left out; a name written before the words stays.

    Raises:
        MissingLibraryError: the parser isn't installed.
        NotReadableError: no cue can be read.
    """
    kind = content_type_of(document.content_type, document.uri)
    source = repair(document.text if document.text is not None else (document.data or b"").decode("utf-8", "replace"))
    cues = list(_captions(source, kind))
    if not cues and source.strip():
        raise NotReadableError(f"{kind}: no cue can be read; a cue is a line '00:00:01.000 --> 00:00:02.000' and its words")
    return _joined(sorted(cues, key=lambda cue: cue[1].time_start or 0))


def _captions(source: str, kind: str) -> Iterable[tuple[str, Cue]]:
    try:
        import webvtt
    except ImportError as error:
        raise MissingLibraryError("captions need webvtt-py: pip install 'sparkchunk[documents]'") from error
    source = source.removeprefix("\ufeff")
    source = source if kind == SRT or source.startswith("WEBVTT") else f"WEBVTT\n\n{source}"
    try:
        found = webvtt.from_buffer(io.StringIO(source, newline=None), format="srt" if kind == SRT else "vtt")
    except webvtt.errors.MalformedFileError:
        return
    for caption in found.captions:
        words = " ".join(html.unescape(_STYLED.sub("", caption.text)).split())
        prefix = _PREFIX.match(words)
        speaker = html.unescape(caption.voice or "").strip() or (prefix.group(1).title() if prefix else None)
        yield words, Cue(0, 0, speaker, seconds_of(caption.start), seconds_of(caption.end))


def _joined(captions: Iterable[tuple[str, Cue]]) -> Text:
    """One text, its cues placed in it; a caption that only repeats the one before lengthens it."""
    parts, cues, length, before = list[str](), list[Cue](), 0, ""
    for words, cue in captions:
        if not words:
            continue
        if cues and words == before and cue.speaker == cues[-1].speaker:
            cues[-1] = replace(cues[-1], time_end=max(cues[-1].time_end or 0, cue.time_end or 0))
            continue
        gap = "" if not cues else " " if cue.speaker == cues[-1].speaker else "\n"
        parts += [gap, words]
        length += len(gap)
        cues.append(replace(cue, start=length, end=length + len(words)))
        length += len(words)
        before = words
    return Text("".join(parts), PLAIN, Layout(cues=tuple(cues)))


@reads(JSON_LINES)
def read_messages(document: Document) -> Text:
    """A chat export, one message a line, as ``name: words`` lines with their times; other JSON lines as they are.

    Times are seconds: since 1970 where the messages have dates.
    """
    source = document.text if document.text is not None else (document.data or b"").decode("utf-8", "replace")
    lines = [line for line in source.split("\n") if line.strip()]
    messages = [message for line in lines if (message := _message(line))]
    if not messages or len(messages) < (1 - MOST_NO_MESSAGE) * len(lines):
        return Text(source, JSON_LINES, document.layout or Layout())
    parts, cues, length = list[str](), list[Cue](), 0
    for speaker, words, time in messages:
        line = f"{speaker}: {words}"
        cues.append(Cue(length, length + len(line), speaker, time, time))
        parts.append(line)
        length += len(line) + 1
    return Text("\n".join(parts), PLAIN, Layout(cues=tuple(cues)))


def _message(line: str) -> tuple[str, str, float | None] | None:
    """Who said what, and when."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    words, speaker = _first(row, _SAYS), _first(row, _WHO)
    if not words or not speaker:
        return None
    return speaker, "\n".join(words.split("\n")), _time_of(next((row[key] for key in _WHEN if row.get(key) is not None), None))


def _first(row: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    for key in keys:
        value = row.get(key)
        if isinstance(value, dict):
            value = value.get("name") or value.get("displayName") or value.get("text")
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


def _time_of(value: Any) -> float | None:
    """Numbers of seconds or milliseconds, dates, or times of day."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
        return number / 1000 if number > 1e11 else number
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(str(value).strip()).timestamp()
    except ValueError:
        return seconds_of(str(value)) if re.fullmatch(r"(\d{1,2}:)?\d{1,2}:\d{2}(\.\d+)?", str(value).strip()) else None
