"""The values that everything passes around: documents, their texts, spans and chunks. All offsets are code points."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Span(NamedTuple):
    """Half-open range ``[start, end)`` of code points of one document's text, exactly Python's ``str`` indexing."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cue:
    """One turn of a transcript: the span of its words, who said them, and from when to when, in seconds."""

    start: int
    end: int
    speaker: str | None = None
    time_start: float | None = None
    time_end: float | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What a reader knew beyond the text: the offset at which each page starts, and a transcript's cues in order."""

    pages: tuple[int, ...] = ()
    cues: tuple[Cue, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One document: ``text``, or ``data`` for formats that are bytes. A given ``layout`` marks an already converted text."""

    doc_id: str
    text: str | None = None
    title: str | None = None
    uri: str | None = None
    content_type: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    data: bytes | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        if not self.doc_id:
            raise ValueError("doc_id must be a non-empty string")


@dataclass(frozen=True, slots=True)
class Text:
    """The text that spans refer to, its kind and layout, the flags that every chunk of it carries, and what its source
    gives as title and place."""

    text: str
    content_type: str
    layout: Layout = Layout()
    flags: tuple[str, ...] = ()
    title: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: a verbatim slice of its document's text, and what is needed to retrieve and cite it.

    ``token_count`` is in tokens of the sizing tokenizer; ``page_start`` and ``page_end`` count from 1; times are seconds.
    """

    chunk_id: str
    doc_id: str
    kind: Literal["chunk", "parent"]
    index: int
    start: int
    end: int
    text: str
    header: str
    embed_text: str
    token_count: int
    strategy: str
    section_path: tuple[str, ...] = ()
    parent_id: str | None = None
    page_start: int | None = None
    page_end: int | None = None
    speakers: tuple[str, ...] = ()
    time_start: float | None = None
    time_end: float | None = None
    symbol: str | None = None
    references: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        """Where the chunk stands in its document's text."""
        return Span(self.start, self.end)
