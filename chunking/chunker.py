"""``chunk_document``: read, split, merge, header, id. The only place where the steps meet."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from chunking.assembling import Naming, assemble
from chunking.config import ChunkingConfig
from chunking.document import Chunk, Document, Text
from chunking.errors import ConfigError
from chunking.fitting import Fit, Gauge
from chunking.headers import Headers
from chunking.merging import merge_small
from chunking.outline import Outline
from chunking.reading import read_text
from chunking.strategies import Embed, Piece, Strategy
from chunking.tokenizers import Tokenizer, load_tokenizer
from chunking.versions import CHUNK_FORMAT, version_key


def chunk_document(document: Document, config: ChunkingConfig, embed: Embed | None = None) -> list[Chunk]:
    """The chunks of one document, then their parents if any are asked for; a blank document has none.

    Args:
        embed: texts to vectors, for strategies that need a model.

    Raises:
        ConfigError: a tokenizer can't be loaded, or nothing would fit into the embedder.
        DocumentError: this document can't be read or chunked.
    """
    return build_chunker(config).chunk(document, embed)


@lru_cache(maxsize=8)
def _build(canonical: str) -> "Chunker":
    return Chunker.from_config(ChunkingConfig.model_validate_json(canonical))


def build_chunker(config: ChunkingConfig) -> "Chunker":
    """The chunker of a configuration, its tokenizers loaded; the same one for equal configurations."""
    return _build(config.model_dump_json())


@dataclass(frozen=True)
class Chunker:
    """A configuration with everything it needs loaded."""

    config: ChunkingConfig
    sizing: Tokenizer
    embedder: Tokenizer | None
    room: int
    version: str

    @classmethod
    def from_config(cls, config: ChunkingConfig) -> "Chunker":
        """Load the tokenizers and derive the version key.

        Raises:
            ConfigError: a tokenizer can't be loaded, or special tokens, prefix and context leave no room.
        """
        sizing = load_tokenizer(config.tokenizer)
        embedder = load_tokenizer(config.embed_tokenizer or config.tokenizer) if config.max_embed_tokens else None
        room = embed_room(config, embedder) if embedder else 0
        return cls(config, sizing, embedder, room, _version(config, sizing, embedder, room))

    def chunk(self, document: Document, embed: Embed | None = None) -> list[Chunk]:
        """The chunks of ``document``, in order, within every limit; then its parents."""
        text = read_text(document)
        if not text.text or text.text.isspace():
            return []
        strategy = self.config.block().resolve(text, self.config.block, embed)
        gauge = Gauge(self.sizing, text.text)
        parents = self._parents(document, text, strategy, gauge)
        outline = strategy.outline(text)
        headers = Headers(self.config.header, text, outline, self.embedder or self.sizing, self.room if self.embedder else None)
        fit = Fit(
            text.text, gauge, self.config.chunk_size, self.config.chunk_overlap, self._embed_gauge(text, gauge), self.room,
            headers if self.config.header != "none" or outline.repeats or outline.rendered else None,
            tuple(sorted({*outline.walls, *(parent.start for parent in parents[1:])})),
        )  # fmt: skip
        pieces = _cut(strategy, text, fit, outline, self.config.min_chunk_size)
        chunks = assemble(document, text, pieces, fit, headers, self._naming("chunk", strategy))
        return [*_with_parents(chunks, parents), *parents]

    def _parents(self, document: Document, text: Text, strategy: Strategy, gauge: Gauge) -> list[Chunk]:
        """Cut by the same rules, only larger; what is under ``chunk_size`` is joined with a neighbour."""
        if self.config.parent_chunk_size is None:
            return []
        strategy = strategy.parents()
        outline = strategy.outline(text)
        fit = Fit(text.text, gauge, self.config.parent_chunk_size, walls=outline.walls)
        pieces = _cut(strategy, text, fit, outline, self.config.chunk_size)
        headers = Headers(self.config.header, text, outline, self.sizing, None)
        return assemble(document, text, pieces, fit, headers, self._naming("parent", strategy))

    def _embed_gauge(self, text: Text, sizing: Gauge) -> Gauge | None:
        if self.embedder is None:
            return None
        return sizing if self.embedder is self.sizing else Gauge(self.embedder, text.text)

    def _naming(self, kind: Literal["chunk", "parent"], strategy: Strategy) -> Naming:
        return Naming(self.version, kind, strategy.name, self.config.min_chunk_size)


def _cut(strategy: Strategy, text: Text, fit: Fit, outline: Outline, smallest: int) -> list[Piece]:
    pieces = strategy.split(text, fit, outline)
    return merge_small(pieces, fit, smallest, outline.sections) if strategy.merges and smallest else pieces


def _with_parents(chunks: list[Chunk], parents: list[Chunk]) -> list[Chunk]:
    """The chunks, each with the id of the parent that it lies in."""
    if not parents:
        return chunks
    starts = [parent.start for parent in parents]
    return [replace(chunk, parent_id=parents[bisect_right(starts, chunk.start) - 1].chunk_id) for chunk in chunks]


def embed_room(config: ChunkingConfig, embedder: Tokenizer) -> int:
    """Tokens that a chunk's ``embed_text`` may take, after special tokens, prefix and reserved context.

    Raises:
        ConfigError: nothing is left, or ``chunk_size`` counts in the same tokens and is over it.
    """
    if config.max_embed_tokens is None:
        raise ConfigError("chunking.max_embed_tokens isn't set")
    prefix = embedder.count(config.embed_prefix)
    room = config.max_embed_tokens - embedder.special_tokens - prefix - config.context_tokens
    parts = [f"{config.max_embed_tokens}", f"{embedder.special_tokens} special", f"{prefix} prefix"]
    sum_text = " - ".join(parts + ([f"{config.context_tokens} context"] if config.context_tokens else [])) + f" = {room}"
    if room < 1:
        raise ConfigError(
            f"chunking.max_embed_tokens: nothing is left for the text: {sum_text}; shorten the prefix or context_tokens"
        )
    same = config.embed_tokenizer in (None, config.tokenizer)
    if same and config.chunk_size > room:
        raise ConfigError(
            f"chunking.chunk_size {config.chunk_size} is over what fits the embedder: {sum_text}; set it to {room} or less"
        )
    return room


def _version(config: ChunkingConfig, sizing: Tokenizer, embedder: Tokenizer | None, room: int) -> str:
    """The vocabularies count, not the names they were loaded by."""
    settings = config.chunk_settings()
    for key in ("tokenizer", "embed_tokenizer", "embed_prefix", "max_embed_tokens", "context_tokens"):
        del settings[key]
    return version_key(
        "c",
        settings
        | {"format": CHUNK_FORMAT, "tokenizer": sizing.fingerprint}
        | {"embedder": embedder.fingerprint if embedder else None, "room": room},
    )
