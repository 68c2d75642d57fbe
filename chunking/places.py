"""Where a chunk stands in its document's layout: the pages it is on, who speaks in it, and when."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from chunking.document import Cue, Layout


class Place(NamedTuple):
    """Pages from 1; speakers in the order of their first word; seconds. What the layout doesn't know is None or empty."""

    page_start: int | None
    page_end: int | None
    speakers: tuple[str, ...]
    time_start: float | None
    time_end: float | None


def place_of(layout: Layout, start: int, end: int) -> Place:
    """The place of ``[start, end)``, which isn't empty."""
    cues = _cues_in(layout.cues, start, end)
    times = [time for cue in cues for time in (cue.time_start, cue.time_end) if time is not None]
    return Place(
        bisect_right(layout.pages, start) or None,
        bisect_right(layout.pages, end - 1) or None,
        tuple(dict.fromkeys(cue.speaker for cue in cues if cue.speaker)),
        min(times, default=None),
        max(times, default=None),
    )


def _cues_in(cues: Sequence[Cue], start: int, end: int) -> Sequence[Cue]:
    first = bisect_right(cues, start, key=lambda cue: cue.end)
    return cues[first : bisect_left(cues, end, lo=first, key=lambda cue: cue.start)]
