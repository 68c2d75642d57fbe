"""Whole sentences, packed up to the size."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from chunking.cutting import Cutter
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import CLAUSES, WORDS, Known
from chunking.outline import Outline
from chunking.sentences import load_segmenter
from chunking.strategies.registry import Piece, Strategy, register


@register("sentence")
@dataclass(frozen=True, slots=True)
class Sentence(Strategy):
    """As many whole sentences as fit; one that alone doesn't is split at clause marks, words, grapheme clusters.

    Args:
        language: ISO 639-1 code.
        library: the segmenter.
        max_sentences: at most so many to a chunk; such chunks aren't merged, however short.
        overlap_sentences: start each chunk with the last so many sentences of the one before, where there is room.
    """

    language: str = "en"
    library: Literal["sentencex", "pysbd"] = "sentencex"
    max_sentences: int | None = None
    overlap_sentences: int = 0

    def __post_init__(self) -> None:
        if self.max_sentences is not None and self.max_sentences < 1:
            raise ValueError(f"max_sentences must be at least 1, got {self.max_sentences}")
        if not 0 <= self.overlap_sentences < (self.max_sentences or self.overlap_sentences + 1):
            raise ValueError(f"overlap_sentences must be 0 or more and under max_sentences, got {self.overlap_sentences}")

    @property
    def merges(self) -> bool:
        return self.max_sentences is None

    def parents(self) -> "Sentence":
        return replace(self, max_sentences=None, overlap_sentences=0)

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        sentences = load_segmenter(self.library, self.language)(text.text)
        starts = [sentence.start for sentence in sentences]

        def cap(start: int) -> int:
            first = bisect_right(starts, start) - 1
            last = min(first + (self.max_sentences or 0), len(sentences)) - 1
            return sentences[last].end

        def restarts(start: int, end: int) -> Iterator[int]:
            stop = bisect_left(starts, end)
            yield from starts[max(stop - self.overlap_sentences, bisect_left(starts, start)) : stop]

        cutter = Cutter(
            fit,
            (Known.between(text.text, sentences),),
            (CLAUSES, WORDS),
            cap=cap if self.max_sentences else None,
            restarts=restarts if self.overlap_sentences else None,
        )
        return [Piece(start, end) for start, end in cutter.cut(Span(0, len(text.text)))]
