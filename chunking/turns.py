"""Who speaks where in a plain text: turns that begin with a name, a time, or both."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from chunking.clock import seconds_of
from chunking.document import Cue, Text
from chunking.lines import line_starts

_TIME = r"(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_DATE = r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
_STAMP = rf"(?:{_DATE}[,T ]\s*)?(?P<time>{_TIME})(?:\s?[AaPp][Mm])?"
_NAME = r"(?P<name>[^\W\d_][\w.'\u2019-]*(?: [\w.'\u2019&()-]+){0,3})"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"[\[(]{_STAMP}[\])]\s*(?:{_NAME}[*_]*\s*:|<(?P<nick>[^>\s]{{1,40}})>)",
        rf"{_STAMP}\s+(?:-\s+)?(?:{_NAME}[*_]*\s*:|<(?P<nick>[^>\s]{{1,40}})>)",
        rf"{_NAME}\s*[\[(]{_STAMP}[\])]\s*:?",
        rf"{_NAME}\s+{_STAMP}[ \t]*$",
        rf"[\[(]{_STAMP}[\])](?=\s|$)",
        rf"{_NAME}[*_]*\s?:(?=[*_]*(?:\s|$))",
        r"<(?P<nick>[^>\s]{1,40})>\s",
    )
)
_NO_NAMES = frozenset(
    [
        "note",
        "notes",
        "warning",
        "tip",
        "hint",
        "example",
        "examples",
        "summary",
        "todo",
        "fixme",
        "important",
        "caution",
        "see",
        "usage",
        "returns",
        "args",
        "raises",
        "parameters",
        "http",
        "https",
        "ftp",
        "file",
        "mailto",
        "subject",
        "date",
        "time",
        "to",
        "from",
        "cc",
        "re",
        "title",
        "author",
        "source",
        "url",
        "q",
        "a",
        "question",
        "answer",
    ]
)
LEAST_TURNS = 4


@dataclass(frozen=True, slots=True)
class _Start:
    """A line that begins a turn."""

    start: int
    words: int
    speaker: str | None
    time: float | None


@lru_cache(maxsize=1)
def read_turns(text: str) -> tuple[Cue, ...]:
    """The turns of a transcript, each from its name or time on; none where no line begins one.

    A name without a time counts when it comes twice, since a single ``word:`` is rarely a speaker. A turn ends, in time,
    where the next one begins.
    """
    starts = list(_starts(text))
    names = Counter(start.speaker for start in starts)
    kept = [start for start in starts if start.time is not None or names[start.speaker] > 1]
    if not kept:
        return ()
    ends = [*(start.start for start in kept[1:]), len(text)]
    times = [*(start.time for start in kept[1:]), None]
    return tuple(
        Cue(start.start, start.start + len(text[start.start : end].rstrip()), start.speaker, start.time, after)
        for start, end, after in zip(kept, ends, times, strict=True)
    )


def spoken_from(text: str, cue: Cue) -> int:
    """Where the words of a turn begin, behind its name and time."""
    found = _start_of(text, cue.start, cue.end)
    return found.words if found else cue.start


def looks_like_transcript(text: Text) -> str | None:
    """Why a plain text is taken for a transcript, or None: most of its lines begin turns, of two speakers or timed."""
    if text.layout.cues:
        return f"{len(text.layout.cues)} cues"
    cues = read_turns(text.text)
    speakers = {cue.speaker for cue in cues if cue.speaker}
    timed = sum(cue.time_start is not None for cue in cues)
    lines = sum(1 for line in text.text.split("\n") if line.strip())
    if len(cues) < LEAST_TURNS or (len(speakers) < 2 and timed < len(cues)):
        return None
    if not timed and (not _are_names(speakers) or 2 * sum(_is_said(text.text, cue) for cue in cues) < len(cues)):
        return None
    covered = sum(cue.end - cue.start for cue in cues)
    if timed >= 0.8 * len(cues) and covered > 0.8 * len(text.text):
        return f"{len(cues)} turns with times"
    repeated = len(cues) >= 2 * len(speakers)
    return f"{len(cues)} turns of {len(speakers)} speakers" if repeated and len(cues) >= 0.4 * lines else None


def _are_names(speakers: set[str]) -> bool:
    return sum(speaker[0].isupper() for speaker in speakers) >= 0.8 * len(speakers)


def _is_said(text: str, cue: Cue) -> bool:
    """Whether the words of a turn are a sentence, unlike the value of a field."""
    return text[cue.start : cue.end].endswith((".", "!", "?", "\u2026", '"', "\u201d", "\u3002", "\uff01", "\uff1f", ")"))


def _starts(text: str) -> Iterator[_Start]:
    edges = line_starts(text)
    for begin, end in pairwise(edges):
        if found := _start_of(text, begin, end):
            yield found


def _start_of(text: str, begin: int, end: int) -> _Start | None:
    line = text[begin : min(end, begin + 200)].rstrip("\r\n")
    indent = len(line) - len(line.lstrip(" \t*_-"))
    for form in _FORMS:
        found = form.match(line, indent)
        if not found:
            continue
        groups = found.groupdict()
        speaker = groups.get("name") or groups.get("nick")
        if speaker and speaker.lower() in _NO_NAMES:
            return None
        return _Start(begin, begin + found.end(), speaker, seconds_of(groups["time"]) if groups.get("time") else None)
    return None
