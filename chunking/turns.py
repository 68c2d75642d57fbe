"""Who speaks where in a plain text: turns that begin with a name, a time, or both."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from chunking.clock import Stamp, moments
from chunking.document import Cue, Text
from chunking.lines import line_starts
from chunking.sentences import ends_sentence
from chunking.turn_forms import opening_of

LEAST_TURNS = 4


@dataclass(frozen=True, slots=True)
class _Start:
    """A line that begins a turn."""

    start: int
    words: int
    speaker: str | None
    stamp: Stamp | None
    bare: bool


@lru_cache(maxsize=1)
def read_turns(text: str) -> tuple[Cue, ...]:
    """The turns of a transcript, each from its name or time on; none where no line begins one.

    A name without a time counts when it comes twice, since a single ``word:`` is rarely a speaker; a name and a time alone
    in a line when words follow. A turn ends, in time, where the next one begins.
    """
    starts = list(_starts(text))
    names = Counter(start.speaker for start in starts)
    nexts = [*(start.start for start in starts), len(text)][1:]
    kept = [
        start
        for start, after in zip(starts, nexts, strict=True)
        if (start.stamp or names[start.speaker] > 1) and not (start.bare and not text[start.words : after].strip())
    ]
    if not kept:
        return ()
    ends = [*(start.start for start in kept[1:]), len(text)]
    times = moments([start.stamp for start in kept])
    return tuple(
        Cue(start.start, start.start + len(text[start.start : end].rstrip()), start.speaker, time, after)
        for start, end, time, after in zip(kept, ends, times, [*times[1:], None], strict=True)
    )


def spoken_from(text: str, cue: Cue) -> int:
    """Where the words of a turn begin, behind its name and time."""
    line = text[cue.start : min(cue.end, cue.start + 300)].partition("\n")[0].partition("\r")[0]
    found = opening_of(line)
    return cue.start + found.words if found else cue.start


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
    said = sum(ends_sentence(text.text[cue.start : cue.end]) for cue in cues)  # the values of fields end none
    if not timed and (not _are_names(speakers) or 2 * said < len(cues)):
        return None
    covered = sum(cue.end - cue.start for cue in cues)
    if timed >= 0.8 * len(cues) and covered > 0.8 * len(text.text):
        return f"{len(cues)} turns with times"
    repeated = len(cues) >= 2 * len(speakers)
    return f"{len(cues)} turns of {len(speakers)} speakers" if repeated and len(cues) >= 0.4 * lines else None


def _are_names(speakers: set[str]) -> bool:
    return sum(not speaker[0].islower() for speaker in speakers) >= 0.8 * len(speakers)


def _starts(text: str) -> Iterator[_Start]:
    for begin, end in pairwise(line_starts(text)):
        if found := opening_of(text[begin : min(end, begin + 300)]):
            yield _Start(begin, begin + found.words, found.speaker, found.stamp, found.bare)
