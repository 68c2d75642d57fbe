"""Cuts where the topic changes: where neighbouring sentences stop being alike in the embedding model's eyes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chunking.blocks import Block, cut_blocks
from chunking.document import Text
from chunking.errors import ConfigError, EmbeddingError
from chunking.fitting import Fit
from chunking.levels import prose_levels
from chunking.outline import Outline
from chunking.similarity import boundaries, neighbour_similarities
from chunking.strategies.registry import Embed, Piece, Resolved, Strategy, register
from chunking.units import Unit, before_leading, find_units, leading_units

DEFAULT_PERCENTILE = 10.0
PLACES = 2_048
"""Places between sentences that are looked at together: their vectors, and no more, are in memory at once."""
RULES = ("threshold", "percentile", "deviations")


@register("semantic")
@dataclass(frozen=True, slots=True)
class Semantic(Resolved):
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
        given = [name for name in RULES if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"takes one of {', '.join(RULES)}, got {' and '.join(given)}; set the others to null")
        if self.window < 0:
            raise ValueError(f"window must be 0 or more, got {self.window}")
        if self.threshold is not None and not -1 <= self.threshold <= 1:
            raise ValueError(f"threshold is a cosine: it must be from -1 to 1, got {self.threshold}")
        if self.percentile is not None and not 0 < self.percentile < 100:
            raise ValueError(f"percentile must be over 0 and under 100, got {self.percentile}")
        if self.deviations is not None and not 0 <= self.deviations < np.inf:
            raise ValueError(f"deviations must be 0 or more, got {self.deviations}")

    def resolve(self, text: Text, block: Callable[[str], Strategy], embed: Embed | None) -> Strategy:
        if embed is None:
            raise ConfigError("strategy semantic needs an embedding model: pass embed= to chunk_document, or set embedding")
        return _Bound(self, embed)

    def segments(self, text: str, fit: Fit, embed: Embed) -> Iterator[tuple[Block, ...]]:
        """The units of a text in runs between two changes of topic; a title goes with what it is the title of."""
        units = find_units(text, fit, self.language)
        leads = leading_units(text, units)
        percentile = self.percentile
        if self.threshold is None and self.deviations is None:
            percentile = DEFAULT_PERCENTILE if percentile is None else percentile
        similarities = np.concatenate([np.zeros(0), *self._similarities([text[unit.start : unit.end] for unit in units], embed)])
        places = boundaries(similarities, self.threshold, percentile, self.deviations)
        starts = {before_leading(int(place) + 1, leads) for place in places}
        for begin, end in pairwise((0, *sorted(starts - {0}), len(units))):
            yield _blocks(units[begin:end], leads[begin:end])

    def _similarities(self, texts: Sequence[str], embed: Embed) -> Iterator[NDArray[np.float64]]:
        """Of neighbouring texts, so many at a time, each time with the window around them."""
        last = len(texts) - 1
        for begin in range(0, last, PLACES):
            low, end = max(begin - self.window, 0), min(begin + PLACES, last)
            vectors = _vectors(texts[low : end + self.window + 1], embed)
            yield neighbour_similarities(vectors, self.window)[begin - low : end - low]


@dataclass
class _Bound(Strategy):
    """The strategy with its model, for one document; its parents end at the same topics."""

    semantic: Semantic
    embed: Embed
    found: tuple[tuple[Block, ...], ...] = ()
    name = "semantic"

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        self.found = self.found or tuple(self.semantic.segments(text.text, fit, self.embed))
        finer = prose_levels(text.text, self.semantic.language)
        return [Piece(start, end) for segment in self.found for start, end in cut_blocks(segment, fit, finer)]


def _blocks(units: Sequence[Unit], leads: Sequence[bool]) -> tuple[Block, ...]:
    """One block a sentence or line: where its parts are alike, they don't matter."""
    blocks = list[Block]()
    for unit, lead in zip(units, leads, strict=True):
        if unit.goes_on and blocks:
            blocks[-1] = replace(blocks[-1], end=unit.end)
        else:
            blocks.append(Block(unit.start, unit.end, leads=lead))
    return tuple(blocks)


def _vectors(texts: Sequence[str], embed: Embed) -> NDArray[np.float64]:
    """One vector a text; equal texts are embedded once.

    Raises:
        EmbeddingError: a vector isn't finite.
    """
    distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    vectors = np.asarray(embed([*distinct]), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(distinct):
        raise ConfigError(f"embed= must give ({len(distinct)}, dimension) for {len(distinct)} texts, got {vectors.shape}")
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        raise EmbeddingError(f"the vector of {[*distinct][int(np.argmin(finite))][:60]!r} isn't finite")
    return vectors[[distinct[text] for text in texts]]
