"""Search one version of vectors: the best passages for a question, exactly ranked, each place of a text once."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunking import Span, build_chunker, read_text
from chunking.errors import ConfigError, InputError
from chunking.passages import Hit, within_budget, without_overlaps
from jobs.common.command import build_parser, run_as_script
from jobs.common.config import JobConfig, Resolved, load_config
from jobs.common.documents import CONTENT, open_documents
from jobs.common.schemas import CHUNKS, VECTORS, VERSIONS
from jobs.common.session import get_spark
from jobs.common.state import Lake
from jobs.common.tables import Table
from udfs import embed_texts
from udfs.rows import document_of
from udfs.search import with_scores

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLE = 'sparkchunk search "how do I read a parquet file?" --config conf/local.yaml -k 5'
WIDTH = 97
MOST_LINES = 8


@dataclass(frozen=True)
class Passage:
    """A hit with what a reader wants to see of it."""

    hit: Hit
    title: str
    uri: str
    section_path: tuple[str, ...]
    text: str


class Searcher:
    """One version of vectors, ready for questions.

    Raises:
        ConfigError: nothing to embed questions with.
        InputError: the version has no vectors, or was never built to its end.
    """

    def __init__(self, spark: "SparkSession", config: JobConfig) -> None:
        resolved = config.resolved()
        spec = resolved.need_spec()
        if config.embedding is None:
            raise ConfigError("search needs an 'embedding' block")
        self._embedding = config.embedding
        self._lake = Lake(spark, Table(config.output.location))
        self._chunker = build_chunker(resolved.chunking)
        self.version = spec.embed_version(self._chunker.version)
        self._check_ready(config, resolved)
        self._documents_df, _ = open_documents(spark, config.documents)

    def search(self, question: str, k: int) -> list[Passage]:
        """The best ``k`` passages, no two of which share a character of a document."""
        return self._passages(question, 10 * k + 50)[:k]

    def context(self, question: str, budget: int) -> list[tuple[Passage, Span, str]]:
        """The united spans of the best passages within ``budget`` tokens: a passage of the document, the span, its text."""
        passages = self._candidates(question, 200)
        texts = self._texts(passage.hit.doc_id for passage in passages)
        count = self._chunker.sizing.count
        chosen = within_budget(
            [passage.hit for passage in passages], budget, lambda doc_id, span: count(texts[doc_id][span.start : span.end])
        )
        first = {passage.hit.doc_id: passage for passage in reversed(passages)}
        return [(first[doc_id], span, texts[doc_id][span.start : span.end]) for doc_id, spans in chosen.items() for span in spans]

    def _passages(self, question: str, depth: int) -> list[Passage]:
        passages = {passage.hit.chunk_id: passage for passage in self._candidates(question, depth)}
        kept = without_overlaps([passage.hit for passage in passages.values()], len(passages))
        return [passages[hit.chunk_id] for hit in kept]

    def _candidates(self, question: str, depth: int) -> list[Passage]:
        """The best ``depth`` chunks, best first."""
        from pyspark.sql import functions as F

        vectors_df = self._lake.read(VECTORS).where(f"embed_version = '{self.version}'")
        query = embed_texts([question], self._embedding, kind="query")[0]
        best_df = with_scores(vectors_df, query, depth).orderBy(F.desc("score"), "chunk_id").limit(depth)
        scores = {row["chunk_id"]: row["score"] for row in best_df.collect()}
        chunks_df = self._lake.read(CHUNKS).where(f"chunk_version = '{self._chunker.version}'")
        chunks_df = chunks_df.where(F.col("chunk_id").isin(list(scores))).drop("metadata")
        chunks = {row["chunk_id"]: row for row in chunks_df.collect()}
        documents = self._documents({row["doc_id"] for row in chunks.values()}, "title", "uri")
        return [
            _passage(chunks[key], score, documents.get(chunks[key]["doc_id"])) for key, score in scores.items() if key in chunks
        ]

    def _texts(self, doc_ids: Iterable[str]) -> dict[str, str]:
        return {
            key: read_text(document_of(row.asDict(recursive=True))).text
            for key, row in self._documents(doc_ids, *CONTENT).items()
        }

    def _documents(self, doc_ids: Iterable[str], *columns: str) -> dict[str, Any]:
        from pyspark.sql import functions as F

        found_df = self._documents_df.where(F.col("doc_id").isin(sorted(set(doc_ids))))
        return {row["doc_id"]: row for row in found_df.select("doc_id", *columns).collect()}

    def _check_ready(self, config: JobConfig, resolved: Resolved) -> None:
        if not self._lake.has(VERSIONS):
            raise InputError(f"output.location {config.output.location}: nothing built there yet; run build first")
        row = self._lake.read(VERSIONS).where(f"version = '{self.version}'").first()
        if row is None or row["status"] == "building":
            state = "isn't there" if row is None else "was never built to its end"
            raise InputError(f"version {self.version} of this configuration {state}; run build with it, or see 'versions list'")


def _passage(chunk: Any, score: float, document: Any) -> Passage:
    hit = Hit(chunk["chunk_id"], chunk["doc_id"], chunk["start"], chunk["end"], score)
    title, uri = (document["title"], document["uri"]) if document else (None, None)
    return Passage(hit, title or hit.doc_id, uri or hit.doc_id, tuple(chunk["section_path"] or ()), chunk["text"])


def render(passages: Sequence[Passage]) -> str:
    """Passages as a person reads them: title, section, score, span, text."""
    blocks = []
    for place, passage in enumerate(passages, start=1):
        path = passage.section_path[1:] if passage.section_path[:1] == (passage.title,) else passage.section_path
        head = f"{place}. {passage.title}" + (f"  |  {' > '.join(path)}" if path else "")
        where = f"   score {passage.hit.score:.3f}  {passage.uri} [{passage.hit.start}:{passage.hit.end}]"
        blocks.append("\n".join([head, where, textwrap.indent(excerpt(passage.text), "   ")]))
    return "\n\n".join(blocks) or "no passage found"


def excerpt(text: str) -> str:
    """A passage's first lines: long ones wrapped, indentation kept, a count of what is left out."""
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    shown = lines[:MOST_LINES] + ([f"... {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else [])
    return "\n".join(shown)


def render_context(context: Sequence[tuple[Passage, Span, str]]) -> str:
    """One context for a prompt: each united span under its citation."""
    return "\n\n".join(f"[{passage.uri} {span.start}:{span.end}] {passage.title}\n{text}" for passage, span, text in context)


def main(argv: Sequence[str] | None = None) -> None:
    """The search command."""
    parser = build_parser("search", __doc__, EXAMPLE)
    parser.add_argument("question", help="what to look for")
    parser.add_argument("-k", type=int, default=5, help="how many passages (5)")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="print one merged context of at most so many tokens instead")
    args = parser.parse_args(argv)
    if not args.question.strip() or args.k < 1 or (args.budget is not None and args.budget < 1):
        raise ConfigError("search needs a question that isn't blank, and -k and --budget of at least 1")
    searcher = Searcher(get_spark("sparkchunk search"), load_config(args.config, args.overrides))
    if args.budget:
        print(render_context(searcher.context(args.question, args.budget)))
    else:
        print(render(searcher.search(args.question, args.k)))


if __name__ == "__main__":
    run_as_script(main)
