"""Cuts where the topic changes: where neighbouring sentences stop being alike in the embedding model's eyes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunking import graphemes
from chunking.blocks import Block, cut_blocks, without_gaps
from chunking.cutting import Cutter, skip_blanks, trim_end
from chunking.document import Span, Text
from chunking.errors import ConfigError
from chunking.fitting import Fit
from chunking.levels import LOOK_BACK, WORDS, lines_of, prose_levels
from chunking.lines import line_starts
from chunking.outline import Outline
from chunking.sentences import load_segmenter
from chunking.similarity import boundaries, neighbour_similarities
from chunking.strategies.registry import Embed, Piece, Strategy, register

DEFAULT_PERCENTILE = 10.0
SENTENCE_ENDS = (".", "!", "?", "\u2026", ":", "\u3002", "\uff01", "\uff1f", '"', "\u201d", ")")


@register("semantic")
@dataclass(frozen=True, slots=True)
class Semantic(Strategy):
    """A chunk never goes on over a place where the similarity of the sentences before and after falls under a threshold;
    what lies between two such places is cut by size. Of a threshold, a percentile and deviations at most one is set;
    none stands for the lowest tenth.

    Args:
        window: neighbours on each side, besides the two sentences themselves, whose mean is compared.
        threshold: a cosine similarity.
        percentile: of the document's own similarities.
        deviations: so many standard deviations under their mean.
        language: ISO 639-1 code for the sentence ends.
        model: fingerprint of the embedding model, filled in by the jobs: it decides the chunks.
    """

    window: int = 1
    threshold: float | None = None
    percentile: float | None = None
    deviations: float | None = None
    language: str = "en"
    model: str | None = None

    def __post_init__(self) -> None:
        if self.window < 0:
            raise ValueError(f"semantic.window must be 0 or more, got {self.window}")
        given = [name for name in ("threshold", "percentile", "deviations") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"semantic takes one of threshold, percentile and deviations, got {' and '.join(given)}")
        if self.percentile is not None and not 0 < self.percentile < 100:
            raise ValueError(f"semantic.percentile must be over 0 and under 100, got {self.percentile}")

    def resolve(self, text: Text, block: Callable[[str], Strategy], embed: Embed | None) -> Strategy:
        if embed is None:
            raise ConfigError("strategy semantic needs an embedding model: pass embed= to chunk_document, or set embedding")
        return _Bound(self, embed)

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        raise ConfigError("strategy semantic needs an embedding model")

    def units(self, text: str, fit: Fit) -> list[Span]:
        """The sentences of a text, trimmed: lines, where they carry no mark that ends a sentence; parts of those over size."""
        sentences = load_segmenter("sentencex", self.language)(text)
        lines = [line for sentence in sentences for line in _lines(text, sentence)]
        whole = {start for start, _ in lines if graphemes.is_boundary(text, start, max(start - LOOK_BACK, 0))}
        starts = sorted({skip_blanks(text, 0, len(text)), *whole})
        spans = (Span(start, trim_end(text, start, end)) for start, end in pairwise((*starts, len(text))))
        finer = (lines_of(text), WORDS)
        visible = [span for span in spans if span.start < span.end]
        return [
            part for span in visible for part in ((span,) if fit.holds(*span) else _parts(text, span, Cutter(fit, (), finer)))
        ]

    def segments(self, units: Sequence[Span], text: str, embed: Embed) -> Iterator[Sequence[Span]]:
        """The units in runs between two changes of topic."""
        vectors = embed([text[start:end] for start, end in units] if len(units) > 1 else [])
        percentile = self.percentile
        if self.threshold is None and self.deviations is None:
            percentile = DEFAULT_PERCENTILE if percentile is None else percentile
        similarities = neighbour_similarities(vectors, self.window)
        places = boundaries(similarities, self.threshold, percentile, self.deviations)
        for begin, end in pairwise((0, *(int(place) + 1 for place in places), len(units))):
            yield units[begin:end]


@dataclass(frozen=True)
class _Bound(Strategy):
    """The strategy with its model, for one document; its parents use the same vectors."""

    semantic: Semantic
    embed: Embed
    _vectors: dict[str, NDArray[np.floating[Any]]] = field(default_factory=dict)
    name = "semantic"

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        units = self.semantic.units(text.text, fit)
        finer = prose_levels(text.text, self.semantic.language)
        pieces = list[Piece]()
        for segment in self.semantic.segments(units, text.text, self._remembering):
            region = Span(segment[0].start, segment[-1].end)
            blocks = without_gaps(tuple(Block(*unit) for unit in segment), region, text.text)
            pieces += [Piece(*span) for span in cut_blocks(blocks, fit, finer)]
        return pieces

    def _remembering(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """The vectors of ``texts``, asked for once each."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, self.embed(missing), strict=True))
        return np.stack([self._vectors[text] for text in texts]) if texts else np.zeros((0, 1))


def _parts(text: str, span: Span, cutter: Cutter) -> Iterator[Span]:
    """A sentence over size in parts that fit, each up to where the next begins, however they overlap."""
    for start, end in pairwise((*(part.start for part in cutter.cut(span)), span.end)):
        yield Span(start, trim_end(text, start, end))


def _lines(text: str, sentence: Span) -> Iterator[Span]:
    """A sentence, or its lines when no mark ends it: a list, a poem, a log."""
    words = text[sentence.start : sentence.end].rstrip()
    if "\n" not in words or words.endswith(SENTENCE_ENDS):
        yield sentence
        return
    for begin, end in pairwise((*(edge for edge in line_starts(words)[:-1] if edge < len(words)), len(words))):
        if words[begin:end].strip():
            yield Span(sentence.start + begin + len(words[begin:end]) - len(words[begin:end].lstrip()), sentence.start + end)
