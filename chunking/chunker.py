"""``chunk_document``: read, split, merge, header, id. The only place where the steps meet."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from chunking.config import ChunkingConfig
from chunking.document import Chunk, Document, Text
from chunking.errors import ConfigError
from chunking.fitting import Fit, Gauge
from chunking.headers import SHORTENED, Headers
from chunking.outline import Outline
from chunking.places import place_of
from chunking.reading import read_text, repair
from chunking.sections import Sections
from chunking.strategies import Embed, Piece
from chunking.tokenizers import Tokenizer, load_tokenizer
from chunking.versions import CHUNK_FORMAT, chunk_id, version_key

SMALL = "under_min_chunk_size"


def chunk_document(document: Document, config: ChunkingConfig, embed: Embed | None = None) -> list[Chunk]:
    """The chunks of one document; a blank one has none.

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
        """The chunks of ``document``, in order, within every limit."""
        text = read_text(document)
        if not text.text or text.text.isspace():
            return []
        strategy = self.config.block().resolve(text, self.config.block, embed)
        outline = strategy.outline(text)
        headers = self._headers(text, outline)
        fit = self._fit(text, headers)
        pieces = strategy.split(text, fit, outline)
        if strategy.merges and self.config.min_chunk_size:
            pieces = merge_small(pieces, fit, self.config.min_chunk_size, outline.sections)
        return self._finish(document, text, pieces, fit, headers, strategy.name)

    def _headers(self, text: Text, outline: Outline) -> Headers:
        title = repair(text.title or "").strip()
        room = self.room if self.embedder else None
        return Headers(self.config.header, title, outline, text.text, self.embedder or self.sizing, room)

    def _fit(self, text: Text, headers: Headers) -> Fit:
        sizing = Gauge(self.sizing, text.text)
        embed = None
        if self.embedder:
            embed = sizing if self.embedder is self.sizing else Gauge(self.embedder, text.text)
        outline = headers.outline
        leads = headers if self.config.header != "none" or outline.repeats or outline.rendered else None
        return Fit(text.text, sizing, self.config.chunk_size, self.config.chunk_overlap, embed, self.room, leads)

    def _finish(
        self, document: Document, text: Text, pieces: list[Piece], fit: Fit, headers: Headers, strategy: str
    ) -> list[Chunk]:
        outline = headers.outline
        repeats: Counter[str] = Counter()
        layout = replace(text.layout, cues=outline.cues) if outline.cues else text.layout
        chunks = []
        for index, piece in enumerate(pieces):
            start, end = piece.start, piece.end
            body, header = text.text[start:end], headers.of(start, end)
            rendered = headers.rendered(start, end)
            embed_text = header.lead + (body if rendered is None else rendered)
            token_count = fit.count(start, end) if piece.token_count is None else piece.token_count
            detail = outline.detail(start, end)
            flags = (*text.flags, *piece.flags, *detail.flags)
            if header.shortened or outline.head_is_cut(start, end):
                flags = (*flags, SHORTENED)
            if token_count < self.config.min_chunk_size:
                flags = (*flags, SMALL)
            chunks.append(
                Chunk(
                    chunk_id=chunk_id(self.version, document.doc_id, "chunk", embed_text, repeats[embed_text]),
                    doc_id=document.doc_id,
                    kind="chunk",
                    index=index,
                    start=start,
                    end=end,
                    text=body,
                    header=header.text,
                    embed_text=embed_text,
                    token_count=token_count,
                    strategy=strategy,
                    section_path=outline.sections.common(start, end),
                    symbol=detail.symbol,
                    references=detail.references,
                    flags=flags,
                    metadata={
                        **document.metadata,
                        **outline.table_metadata(start, end),
                        **detail.metadata,
                        **piece.metadata,
                    },
                    **place_of(layout, start, end)._asdict(),
                )
            )
            repeats[embed_text] += 1
        return chunks


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


def merge_small(pieces: list[Piece], fit: Fit, smallest: int, sections: Sections) -> list[Piece]:
    """Join pieces under ``smallest`` tokens with a neighbour where the two fit: within a section first, then with the
    nearest relative: sections of one parent before those of one grandparent."""
    deepest = max((len(path) for path in sections.paths), default=0)
    for depth in range(deepest + 1, -1, -1):
        merged: list[Piece] = []
        for piece in pieces:
            while merged and _joinable(merged[-1], piece, fit, smallest, sections, depth):
                piece = replace(merged.pop(), end=piece.end)
            merged.append(piece)
        pieces = merged
    return pieces


def _joinable(left: Piece, right: Piece, fit: Fit, smallest: int, sections: Sections, depth: int) -> bool:
    """Whether one is small, their sections have ``depth`` headings in common (or are the same), and the two fit."""
    if min(fit.count(left.start, left.end), fit.count(right.start, right.end)) >= smallest:
        return False
    one, other = sections.at(left.start), sections.at(right.start)
    if one != other and len(sections.common(left.start, right.start + 1)) < depth:
        return False
    return fit.fits(left.start, right.end)


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
