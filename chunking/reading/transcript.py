"""Captions (WebVTT, SRT) to plain words, with who says them and when as cues."""

import html
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chunking.clock import seconds_of
from chunking.document import Cue, Document, Layout, Text
from chunking.errors import MissingLibraryError, NotReadableError
from chunking.reading.kinds import PLAIN, SRT, VTT, content_type_of
from chunking.reading.registry import reads
from chunking.reading.text import repair, source_of
from chunking.reading.timings import is_webvtt, with_sound_timings
from chunking.sentences import ends_sentence
from chunking.turn_forms import name_before

ADJOINING = 0.05
"""Seconds between captions that scroll on: the second one shows lines of the first again."""
MOST_LINES = 8
"""That captions show again."""
_VOICE = re.compile(r"<v(?:\.[^\s<>.]+)*\s([^<>]+)>")
_TAG = re.compile(r"<(?:/|[A-Za-z]|[0-9]+:)[^<>]*>")
_STYLED = re.compile(r"\{(?:\\[^{}]*|/?[biu])\}")


@dataclass(frozen=True, slots=True)
class _Caption:
    """Lines shown from one time to another, said by ``voice``; ``named``: the name stands in their words."""

    lines: tuple[str, ...]
    voice: str | None
    start: float
    end: float
    named: bool = False

    @property
    def words(self) -> str:
        return " ".join(self.lines)


@reads(VTT, SRT)
def read_captions(document: Document) -> Text:
    """The words of all cues: those of one speaker in a line, parted by blanks, each speaker's in a line of their own.

    Timings, numbers, notes, styles and tags are left out, and lines that scroll on are there once. A name before the
    words stays at the first of a speaker's captions, and is the speaker of a sentence that goes on in the next ones; the
    name of a voice tag is in the cues alone.

    Raises:
        MissingLibraryError: the parser isn't installed.
        NotReadableError: no cue can be read.
    """
    kind = content_type_of(document.content_type, document.uri)
    source = source_of(document)
    source = repair(source).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    captions = sorted(_captions(source, is_webvtt(source, kind)), key=lambda caption: caption.start)
    if not captions and source.strip() and ("-->" in source or not source.startswith("WEBVTT") or "\n\n" in source):
        raise NotReadableError(f"{kind}: no cue can be read; a cue is a line '00:00:01.000 --> 00:00:02.000' and its words")
    return _joined(_named(_fresh(captions)))


def _captions(source: str, webvtt_form: bool) -> Iterator[_Caption]:
    try:
        import webvtt
    except ImportError as error:
        raise MissingLibraryError("captions need webvtt-py: pip install 'sparkchunk[documents]'") from error
    sound = with_sound_timings(source, webvtt_form)
    try:
        found = webvtt.from_buffer(io.StringIO(sound), format="vtt" if webvtt_form else "srt")
    except webvtt.errors.MalformedFileError:
        return
    for caption in found.captions:
        start, end = seconds_of(caption.start), seconds_of(caption.end)
        before, *voices = _VOICE.split(caption.raw_text)
        for voice, words in [(None, before), *zip(voices[::2], voices[1::2], strict=True)]:
            if lines := tuple(line for shown in words.split("\n") if (line := _cleaned(shown))):
                yield _Caption(lines, _cleaned(voice or "") or None, start, end)


def _cleaned(words: str) -> str:
    return " ".join(html.unescape(_STYLED.sub("", _TAG.sub("", words))).split())


def _fresh(captions: Sequence[_Caption]) -> list[_Caption]:
    """Without the lines that the caption before showed at its end; one with nothing new lengthens that one."""
    fresh, shown = list[_Caption](), tuple[str, ...]()
    for caption in captions:
        last = fresh[-1] if fresh else None
        if last and last.voice == caption.voice and abs(caption.start - last.end) <= ADJOINING:
            known = _overlap(shown, caption.lines)
            if known == len(caption.lines):
                fresh[-1] = replace(last, end=max(last.end, caption.end))
                continue
        else:
            known = 0
        shown = caption.lines
        fresh.append(replace(caption, lines=caption.lines[known:]))
    return fresh


def _overlap(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    """How many lines end ``before`` and begin ``after``."""
    if before == after:
        return len(after)
    longest = min(len(before), len(after), MOST_LINES)
    return next((size for size in range(longest, 0, -1) if before[-size:] == after[:size]), 0)


def _named(captions: Sequence[_Caption]) -> Iterator[_Caption]:
    """With the names before the words as their speakers: in capitals, twice the same, or in half of the captions."""
    found = [None if caption.voice else name_before(caption.words) for caption in captions]
    names = Counter(name for name, _ in filter(None, found))
    usual = 2 * names.total() >= len(captions)
    speaker, ended = None, True
    for caption, prefix in zip(captions, found, strict=True):
        if prefix and (usual or prefix[0].isupper() or names[prefix[0]] > 1):
            before, speaker = speaker, prefix[0].title() if prefix[0].isupper() else prefix[0]
            words = caption.words[prefix[1] :] if speaker == before else caption.words
            yield replace(caption, lines=(words,), voice=speaker, named=True)
        else:
            speaker = None if ended or caption.voice else speaker
            yield replace(caption, voice=caption.voice or speaker)
        ended = ends_sentence(caption.words)


def _joined(captions: Iterator[_Caption]) -> Text:
    """One text, its cues placed in it."""
    parts, cues, length = list[str](), list[Cue](), 0
    for caption in captions:
        gap = "" if not cues else " " if caption.voice == cues[-1].speaker else "\n"
        start = length + len(gap)
        length = start + len(caption.words)
        parts += [gap, caption.words]
        cues.append(Cue(start, length, caption.voice, caption.start, caption.end))
    return Text("".join(parts), PLAIN, Layout(cues=tuple(cues)))
