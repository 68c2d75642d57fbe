"""The tables: columns with their comments, partitioning and properties. Created by DDL once, never overwritten whole."""

from dataclasses import dataclass

FORMAT = "1"

CHUNK_COLUMNS = {
    "chunk_version": ("string", "key of the settings that made the chunk"),
    "chunk_id": ("string", "the same on any machine; key together with chunk_version"),
    "doc_id": ("string", "the document"),
    "kind": ("string", "chunk or parent"),
    "index": ("int", "place among the document's chunks, from 0"),
    "start": ("int", "first code point of the chunk in the document's text"),
    "end": ("int", "code point after the last one"),
    "text": ("string", "the document's text from start to end, verbatim"),
    "header": ("string", "what stands before the text for embedding"),
    "embed_text": ("string", "header and text as they are embedded"),
    "token_count": ("int", "tokens of the text in the sizing tokenizer"),
    "strategy": ("string", "the strategy that cut it"),
    "section_path": ("array<string>", "headings above the chunk, outermost first"),
    "parent_id": ("string", "chunk_id of the parent"),
    "page_start": ("int", "first page, from 1"),
    "page_end": ("int", "last page"),
    "speakers": ("array<string>", "who speaks in it"),
    "time_start": ("double", "seconds"),
    "time_end": ("double", "seconds"),
    "symbol": ("string", "function or class of source code"),
    "references": ("array<string>", "what the chunk refers to"),
    "flags": ("array<string>", "what a reader should know: repaired, split, header_shortened, under_min_chunk_size"),
    "metadata": ("map<string,string>", "the document's own, and what the strategy found"),
    "doc_hash": ("string", "content_hash of the document it was cut from"),
    "run_id": ("string", "the run that wrote the row"),
    "created_at": ("timestamp", "when"),
}


@dataclass(frozen=True)
class TableSchema:
    """One table of ours."""

    name: str
    comment: str
    columns: dict[str, tuple[str, str]]
    key: tuple[str, ...]
    partition: str | None = None
    totals: tuple[str, ...] = ()
    """SQL of what ``versions`` says of a version in this table."""

    def ddl(self) -> str:
        """The column list of CREATE TABLE; comments hold no quotes."""
        return ", ".join(
            f"`{name}` {kind}{' NOT NULL' if name in self.key else ''} COMMENT '{comment.replace(chr(39), chr(39) * 2)}'"
            for name, (kind, comment) in self.columns.items()
        )

    @property
    def content(self) -> list[str]:
        """The columns whose change makes a row another one."""
        return [name for name in self.columns if name not in (*self.key, "run_id", "created_at", "updated_at")]


LAYOUT = "struct<pages:array<int>,cues:array<struct<start:int,end:int,speaker:string,time_start:double,time_end:double>>>"
DOCUMENTS = TableSchema(
    "documents",
    "Documents as text, one row each",
    {
        "doc_id": ("string", "path relative to the source, or the source's own key"),
        "text": ("string", "what all spans refer to"),
        "title": ("string", "title"),
        "uri": ("string", "where it came from"),
        "content_type": ("string", "media type of the stored text"),
        "source_type": ("string", "media type of the source"),
        "layout": (LAYOUT, "offsets at which pages start, and a transcript's cues"),
        "metadata": ("map<string,string>", "whatever else the source knew"),
        "content_hash": ("string", "SHA-256 over the canonical JSON of the content columns"),
        "updated_at": ("timestamp", "when the row last changed"),
    },
    key=("doc_id",),
)
COUNTS = ("count(DISTINCT doc_id) AS documents", "count(*) AS rows")
CHUNKS = TableSchema(
    "chunks",
    "Chunks by version",
    CHUNK_COLUMNS,
    key=("chunk_version", "chunk_id"),
    partition="chunk_version",
    totals=(*COUNTS, "coalesce(sum(token_count), 0) AS tokens"),
)
VECTORS = TableSchema(
    "vectors",
    "Embeddings of chunks by version",
    {
        "embed_version": ("string", "key of the settings that made the vector, the chunks included"),
        "chunk_id": ("string", "the chunk"),
        "doc_id": ("string", "the document"),
        "doc_hash": ("string", "content_hash of the document it was made from"),
        "embedding": ("array<float>", "the vector"),
        "embed_hash": ("string", "hash of what the vector depends on; it is current only while this is"),
        "embedder": ("string", "key of the embedding settings without the chunks"),
        "mode": ("string", "naive or late"),
        "run_id": ("string", "the run that wrote the row"),
        "created_at": ("timestamp", "when"),
    },
    key=("embed_version", "chunk_id"),
    partition="embed_version",
    totals=COUNTS,
)
QUARANTINE = TableSchema(
    "quarantine",
    "Documents that failed, alone, with the reason",
    {
        "stage": ("string", "ingest, chunk or embed"),
        "version": ("string", "the version that lacks the document; empty for ingest"),
        "doc_id": ("string", "the document"),
        "doc_hash": ("string", "content_hash of what failed"),
        "error_class": ("string", "kind of error"),
        "message": ("string", "what was found, and what to do"),
        "transient": ("boolean", "true: the cause lies outside the document and every run tries again"),
        "code_version": ("string", "version of the code that failed; another one tries again"),
        "run_id": ("string", "the run that wrote the row"),
        "created_at": ("timestamp", "when"),
    },
    key=("stage", "version", "doc_id"),
)
VERSIONS = TableSchema(
    "versions",
    "What each version key stands for",
    {
        "version": ("string", "the key"),
        "kind": ("string", "chunks or vectors"),
        "parent_version": ("string", "the chunks of a vector version"),
        "config": ("string", "the resolved settings as canonical JSON"),
        "status": ("string", "building, ready or retired"),
        "published_as": ("string", "serving table that holds it"),
        "documents": ("bigint", "documents with rows of this version"),
        "rows": ("bigint", "chunks or vectors"),
        "tokens": ("bigint", "tokens of the chunks in the sizing tokenizer"),
        "libraries": ("string", "parser and segmenter versions as JSON"),
        "code_version": ("string", "version of the code that created it"),
        "created_at": ("timestamp", "when"),
    },
    key=("version",),
)
RUNS = TableSchema(
    "runs",
    "One row a run, appended at its end",
    {
        "run_id": ("string", "the run"),
        "job": ("string", "ingest, chunk, embed or build"),
        "status": ("string", "succeeded or failed"),
        "message": ("string", "why it failed"),
        "chunk_version": ("string", "chunks it worked on"),
        "embed_version": ("string", "vectors it worked on"),
        "input_table": ("string", "documents it read"),
        "input_version": ("bigint", "their Delta version"),
        "counts": ("map<string,bigint>", "documents, chunks, tokens, vectors, slices"),
        "seconds": ("map<string,double>", "time by step"),
        "code_version": ("string", "version of the code"),
        "started_at": ("timestamp", "when"),
        "ended_at": ("timestamp", "when"),
    },
    key=("run_id",),
)
