"""The timing lines of captions as their parser takes them, whatever wrote them."""

import re

from chunking.reading.kinds import VTT

_TIME = r"(?:([0-9]{1,4}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,3})[0-9]*)?"
_TIMING = re.compile(rf"^[ \t]*{_TIME}[ \t]*-{{1,2}}>[ \t]*{_TIME}(?![^\s])[ \t]*(.*)$", re.MULTILINE)
_NUMBERED = re.compile(rf"(?:^[ \t]*[0-9]+[ \t]*\n)?{_TIMING.pattern}", re.MULTILINE)
_BROKEN = re.compile(r"(?:^[ \t]*[0-9]+[ \t]*\n)?^(?=[^\n]*-->)[ \t0-9:.,>-]+$", re.MULTILINE)
_UNFINISHED = re.compile(r"\n[ \t]*\n[ \t]*[0-9]+[ \t]*(?:\n[ \t0-9:.,>-]*)?\Z")


def is_webvtt(source: str, kind: str) -> bool:
    """Whether captions are WebVTT: they say so at their head, else by their kind unless they are numbered SRT."""
    if source.lstrip().startswith("WEBVTT"):
        return True
    first = _NUMBERED.search(source)
    return kind == VTT and not (first and first[0].lstrip()[:1].isdigit() and "\n" in first[0].strip() and "," in first[0])


def with_sound_timings(source: str, webvtt_form: bool) -> str:
    """With hours and three digits after the right mark in every timing, and what the parser needs before one."""
    if webvtt_form:
        source = source.lstrip()
        source = source if source.startswith("WEBVTT") else f"WEBVTT\n\n{source}"
        return _TIMING.sub(lambda found: f"{_timing(found, '.')} {found[9]}", source)
    sound = _NUMBERED.sub(lambda found: f"\n1\n{_timing(found, ',')}", _UNFINISHED.sub("", source))
    return _BROKEN.sub(lambda found: found[0] if _TIMING.search(found[0]) else "", sound).lstrip("\n")


def _timing(found: re.Match[str], mark: str) -> str:
    first, last = found.groups("0")[:4], found.groups("0")[4:8]
    return " --> ".join(
        f"{int(hours):02}:{int(minutes):02}:{int(seconds):02}{mark}{part:<03}" for hours, minutes, seconds, part in (first, last)
    )
