"""Vectors for chunks, naive and late: one engine that packs windows of many texts into each forward pass."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from chunking.document import Span
from chunking.errors import EmbeddingError, NoDirectionError, OutOfMemoryError
from chunking.pooling import Floats2d, RangeMeans, finish_vectors, token_ranges
from chunking.windows import Window, plan_windows
from udfs.models import EmbeddingConfig, EncoderSpec, Kind, load_encoder, resolve_spec
from udfs.rows import FAULTS
from udfs.token_ids import TextTokens

Item = TypeVar("Item")
GROUP_BATCHES = 16
"""So many batches of windows are sorted together by length before they are packed."""


class AnyEncoder(Protocol):
    """What the engine needs of an encoder."""

    spec: EncoderSpec

    def tokenize(self, text: str, prefix: str = "") -> TextTokens:
        """The text's tokens with their places in it."""

    def states(self, windows: Sequence[Sequence[int]]) -> list[Floats2d]:
        """The states of every position of every window, in one forward pass."""


def embed_documents(documents: Sequence[tuple[str, Sequence[tuple[int, int]]]], config: EmbeddingConfig) -> list[Floats2d]:
    """Late vectors: for each ``(text, spans)`` one float32 array ``(n_spans, dimension)``; source: arXiv 2409.04701.

    Raises:
        DocumentError: a document has no token, or its vectors aren't finite.
    """
    encoder = load_encoder(resolve_spec(config))
    return [_value(result) for result in late_vectors(documents, encoder)]


def embed_texts(texts: Sequence[str], config: EmbeddingConfig, kind: Kind = "passage") -> Floats2d:
    """Naive vectors of ``texts``, ``(n, dimension)``; ``kind`` picks the model's prefix.

    Raises:
        DocumentError: a text has no token, or its vector isn't finite.
    """
    encoder = load_encoder(resolve_spec(config))
    vectors = [_value(result) for result in naive_vectors(texts, encoder, kind)]
    return np.concatenate(vectors) if vectors else np.zeros((0, encoder.spec.out_dimension), dtype=np.float32)


Result = Floats2d | Exception


def _value(result: Result) -> Floats2d:
    if isinstance(result, Exception):
        raise result
    return result


@dataclass
class Unit:
    """One text on its way through the model."""

    text: TextTokens
    windows: list[Window]
    means: RangeMeans
    whole: bool
    error: OutOfMemoryError | None = None

    def take(self, window: Window, states: Floats2d, pooling: str) -> None:
        """Keep what ``window`` owns of its states; special and prefix tokens only count in a vector of a whole text."""
        low, high = (int(edge) for edge in self.text.places.searchsorted((window.own_first, window.own_last)))
        if self.whole and (len(self.windows) == 1 or pooling != "mean"):
            pooled = {"mean": states.mean(axis=0), "cls": states[0], "last": states[-1]}[pooling]
            owned = np.broadcast_to(pooled, (high - low, len(pooled)))
        else:
            owned = states[self.text.places[low:high] + (len(self.text.lead) - window.first)]
        self.means.add(low, owned)

    def length(self, window: Window) -> int:
        """Positions of a window, its own special and prefix tokens included."""
        return window.last - window.first + len(self.text.lead) + len(self.text.trail)


def late_vectors(documents: Iterable[tuple[str, Sequence[tuple[int, int]]]], encoder: AnyEncoder) -> Iterator[Result]:
    """For each document its chunks' vectors or why there are none, in order."""
    return run_units(documents, lambda document: late_unit(*document, encoder), encoder)


def late_unit(text: str, spans: Sequence[tuple[int, int]], encoder: AnyEncoder) -> Unit:
    """A whole document, to be pooled over each span.

    Raises:
        EmbeddingError: there is no token to pool.
    """
    tokens = encoder.tokenize(text, encoder.spec.passage_prefix)
    return _unit(tokens, token_ranges(tokens.tokens, [Span(*span) for span in spans]), encoder.spec, whole=False)


def naive_vectors(texts: Iterable[str], encoder: AnyEncoder, kind: Kind = "passage") -> Iterator[Result]:
    """For each text its vector ``(1, dimension)`` or why there is none, in order."""
    prefix = encoder.spec.query_prefix if kind == "query" else encoder.spec.passage_prefix

    def start(text: str) -> Unit:
        tokens = encoder.tokenize(text, prefix)
        if not len(tokens.tokens):
            raise NoDirectionError("the text has no token in the embedder's vocabulary")
        return _unit(tokens, np.array([[0, len(tokens.tokens)]], dtype=np.int64), encoder.spec, whole=True)

    return run_units(texts, start, encoder)


def _unit(text: TextTokens, ranges: NDArray[np.int64], spec: EncoderSpec, whole: bool) -> Unit:
    """Where prefix and text share a token, the prefix can take a position more than it does alone: the overlap gives way."""
    size = spec.window - len(text.lead) - len(text.trail)
    if size < 1:
        raise EmbeddingError(f"special and prefix tokens leave no room in the window of {spec.window} positions")
    windows = plan_windows(len(text.ids), size, min(spec.window_overlap, size - 1), spec.ownership)
    return Unit(text, windows, RangeMeans(ranges, spec.dimension), whole)


def run_units(items: Iterable[Item], start: Callable[[Item], Unit], encoder: AnyEncoder) -> Iterator[Result]:
    """Take in a group of items, send their windows through the model together, give back the results in order."""
    group: list[Unit | Exception] = []
    positions = 0
    for item in items:
        try:
            unit = start(item)
            positions += sum(map(unit.length, unit.windows))
            group.append(unit)
        except FAULTS as error:
            group.append(error)
        if positions >= GROUP_BATCHES * encoder.spec.batch_tokens:
            yield from _embed_group(group, encoder)
            group, positions = [], 0
    yield from _embed_group(group, encoder)


def _embed_group(group: Sequence[Unit | Exception], encoder: AnyEncoder) -> Iterator[Result]:
    units = [unit for unit in group if isinstance(unit, Unit)]
    for batch in _pack([(unit, window) for unit in units for window in unit.windows], encoder.spec.batch_tokens):
        _forward(batch, encoder)
    for member in group:
        yield _finish(member, encoder.spec) if isinstance(member, Unit) else member


def _pack(windows: list[tuple[Unit, Window]], budget: int) -> Iterator[list[tuple[Unit, Window]]]:
    """Batches of windows of like length, each within ``budget`` positions, padding included."""

    def length(pair: tuple[Unit, Window]) -> int:
        return pair[0].length(pair[1])

    batch: list[tuple[Unit, Window]] = []
    for pair in sorted(windows, key=length, reverse=True):
        if batch and length(batch[0]) * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


def _forward(batch: Sequence[tuple[Unit, Window]], encoder: AnyEncoder) -> None:
    """One forward pass; when memory runs out, two of half the size, and the document whose window alone is too large fails."""
    batch = [(unit, window) for unit, window in batch if unit.error is None]
    if not batch:
        return
    try:
        states = encoder.states([unit.text.window(window.first, window.last) for unit, window in batch])
    except OutOfMemoryError as error:
        full = error
    else:
        for (unit, window), of_window in zip(batch, states, strict=True):
            unit.take(window, of_window, encoder.spec.pooling)
        return
    if len(batch) == 1:
        batch[0][0].error = full
        return
    middle = len(batch) // 2
    _forward(batch[:middle], encoder)
    _forward(batch[middle:], encoder)


def _finish(unit: Unit, spec: EncoderSpec) -> Result:
    try:
        return unit.error or finish_vectors(unit.means.means(), spec.truncate_dim, spec.normalize)
    except EmbeddingError as error:
        return error
