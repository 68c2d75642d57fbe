"""Cuts transcripts between turns, then between captions, and says who speaks and when."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.document import Cue, Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.outline import Outline, Repeat
from chunking.sentences import ends_sentence
from chunking.strategies.registry import Piece, Strategy, register
from chunking.turns import read_turns, spoken_from


@register("transcript")
@dataclass(frozen=True, slots=True)
class Transcript(Strategy):
    """A chunk takes as many whole turns as fit. A longer turn is cut where a caption ends a sentence, then between
    captions; only one that alone is over size is cut inside. Later parts of a turn that is written with its speaker have
    that name in their header.

    Args:
        split_on_speaker: each turn by itself; such chunks aren't merged.
        window_seconds: no turn or caption begins in a chunk later than so many seconds after its first one; such chunks
            aren't merged.
        language: ISO 639-1 code for the sentence ends.
    """

    split_on_speaker: bool = False
    window_seconds: float | None = None
    language: str = "en"

    def __post_init__(self) -> None:
        if self.window_seconds is not None and self.window_seconds <= 0:
            raise ValueError(f"window_seconds must be over 0, got {self.window_seconds}")

    @property
    def merges(self) -> bool:
        return not self.split_on_speaker and self.window_seconds is None

    def parents(self) -> "Transcript":
        return replace(self, split_on_speaker=False, window_seconds=None)

    def outline(self, text: Text) -> Outline:
        cues = text.layout.cues or read_turns(text.text)
        spoken = _spoken_parts if text.layout.cues else _spoken_turns
        return Outline(layout=replace(text.layout, cues=cues), repeats=tuple(spoken(text.text, cues)))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        groups = self._groups(text, outline.layout.cues if outline.layout else ())
        return [Piece(start, end) for group in groups for start, end in cut_blocks(group, fit, finer)]

    def _groups(self, text: Text, cues: Sequence[Cue]) -> Iterator[tuple[Block, ...]]:
        """The blocks that may share chunks."""
        runs = self._runs(cues, bool(text.layout.cues))
        edges = [0, *(run[0][0].start for run in runs[1:]), len(text.text)]
        if not self.merges and runs and text.text[: runs[0][0][0].start].strip():  # words before the first turn
            edges.insert(1, runs[0][0][0].start)
            runs.insert(0, [])
        for (start, end), run in zip(pairwise(edges), runs or [[]], strict=True):
            if text.text[start:end].strip():
                yield without_gaps(tuple(_turn(text.text, unit) for unit in run), Span(start, end), text.text)

    def _runs(self, cues: Sequence[Cue], captions: bool) -> list[list[list[Cue]]]:
        """Turns that may share a chunk; several captions can make a turn."""
        runs: list[list[list[Cue]]] = []
        for window in self._windows(cues):
            turns = [list(turn) for _, turn in groupby(window, key=_speaker)] if captions else [[cue] for cue in window]
            runs += [[turn] for turn in turns] if self.split_on_speaker else [turns]
        return runs

    def _windows(self, cues: Sequence[Cue]) -> list[list[Cue]]:
        """All cues, or those that begin within so many seconds."""
        windows: list[list[Cue]] = []
        for cue in cues:
            if windows and not self._is_late(windows[-1][0], cue):
                windows[-1].append(cue)
            else:
                windows.append([cue])
        return windows

    def _is_late(self, first: Cue, cue: Cue) -> bool:
        if self.window_seconds is None or first.time_start is None or cue.time_start is None:
            return False
        return cue.time_start - first.time_start >= self.window_seconds


def _speaker(cue: Cue) -> str | None:
    return cue.speaker


def _turn(text: str, cues: Sequence[Cue]) -> Block:
    """A turn, its sentences where captions end them, and its captions."""
    sentences, current = list[list[Cue]](), list[Cue]()
    for cue in cues:
        current.append(cue)
        if ends_sentence(text[cue.start : cue.end]):
            sentences.append(current)
            current = []
    sentences += [current] if current else []
    blocks = tuple(
        Block(part[0].start, part[-1].end, tuple(Block(cue.start, cue.end) for cue in part) if len(part) > 1 else ())
        for part in sentences
    )
    return Block(cues[0].start, cues[-1].end, blocks if len(blocks) > 1 else blocks[0].children)


def _spoken_turns(text: str, cues: Sequence[Cue]) -> Iterator[Repeat]:
    """A turn's name for those of its parts that begin behind it."""
    for cue in cues:
        yield from _repeat(cue.speaker, spoken_from(text, cue), cue.end)


def _spoken_parts(text: str, cues: Sequence[Cue]) -> Iterator[Repeat]:
    """The same for captions and messages, of which several can follow one name."""
    name, start, end = None, 0, 0
    for cue in cues:
        named = len(f"{cue.speaker}:") if cue.speaker else 0
        if named and text[cue.start : cue.start + named].casefold() == f"{cue.speaker}:".casefold():
            yield from _repeat(name, start, end)
            name, start = cue.speaker, cue.start + named
        elif cue.speaker != name:
            yield from _repeat(name, start, end)
            name = None
        end = cue.end
    yield from _repeat(name, start, end)


def _repeat(name: str | None, start: int, end: int) -> Iterator[Repeat]:
    if name and start + 1 < end:
        yield Repeat(start + 1, end, f"{name}:", "\n\n", lambda: iter(()))
