"""Cuts transcripts between turns, then between captions, and says who speaks and when."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.document import Cue, Span, Text
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.outline import Outline, Repeat
from chunking.strategies.registry import Piece, Strategy, register
from chunking.turns import read_turns, spoken_from

SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f", '."', ".\u201d", "?\u201d", "!\u201d")


@register("transcript")
@dataclass(frozen=True, slots=True)
class Transcript(Strategy):
    """A chunk takes as many whole turns as fit. A longer turn is cut where a caption ends a sentence, then between
    captions; only one that alone is over size is cut inside. Later parts of a turn have its speaker in their header.

    Args:
        split_on_speaker: each turn by itself; such chunks aren't merged.
        window_seconds: a chunk begins no later than so many seconds after its first turn does; such chunks aren't merged.
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
        layout = replace(text.layout, cues=cues)
        return Outline(layout=layout, repeats=() if text.layout.cues else tuple(_speaker_repeats(text.text, cues)))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = prose_levels(text.text, self.language)
        groups = self._groups(text, outline.layout.cues if outline.layout else ())
        return [Piece(start, end) for group in groups for start, end in cut_blocks(group, fit, finer)]

    def _groups(self, text: Text, cues: Sequence[Cue]) -> Iterator[tuple[Block, ...]]:
        """The blocks that may share chunks."""
        turns = (
            [list(turn) for _, turn in groupby(cues, key=lambda cue: cue.speaker)]
            if text.layout.cues
            else [[cue] for cue in cues]
        )
        units = turns if self.window_seconds is None else [[cue] for cue in cues]
        runs = self._runs(units)
        edges = [0, *(run[0][0].start for run in runs[1:]), len(text.text)]
        if runs and text.text[: runs[0][0][0].start].strip():  # words before the first turn
            edges.insert(1, runs[0][0][0].start)
            runs.insert(0, [])
        for (start, end), run in zip(pairwise(edges), runs or [[]], strict=True):
            if text.text[start:end].strip():
                yield without_gaps(tuple(_turn(text.text, unit) for unit in run), Span(start, end), text.text)

    def _runs(self, units: list[list[Cue]]) -> list[list[list[Cue]]]:
        """Turns, or captions, that may share a chunk."""
        runs: list[list[list[Cue]]] = []
        for unit in units:
            if not runs or self.split_on_speaker or self._is_late(runs[-1][0][0], unit[0]):
                runs.append([unit])
            else:
                runs[-1].append(unit)
        return runs

    def _is_late(self, first: Cue, cue: Cue) -> bool:
        if self.window_seconds is None or first.time_start is None or cue.time_start is None:
            return False
        return cue.time_start - first.time_start >= self.window_seconds


def _turn(text: str, cues: Sequence[Cue]) -> Block:
    """A turn, its sentences where captions end them, and its captions."""
    sentences, current = list[list[Cue]](), list[Cue]()
    for cue in cues:
        current.append(cue)
        if text[cue.start : cue.end].endswith(SENTENCE_ENDS):
            sentences.append(current)
            current = []
    sentences += [current] if current else []
    blocks = tuple(
        Block(part[0].start, part[-1].end, tuple(Block(cue.start, cue.end) for cue in part) if len(part) > 1 else ())
        for part in sentences
    )
    return Block(cues[0].start, cues[-1].end, blocks if len(blocks) > 1 else blocks[0].children)


def _speaker_repeats(text: str, cues: Sequence[Cue]) -> Iterator[Repeat]:
    """A turn's name for those of its parts that begin behind it."""
    for cue in cues:
        begin = spoken_from(text, cue)
        if cue.speaker and begin + 1 < cue.end:
            yield Repeat(begin + 1, cue.end, f"{cue.speaker}:", "\n\n", lambda: iter(()))
