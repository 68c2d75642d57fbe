"""Search one version of vectors: the best passages for a question, exactly ranked, each place of a text once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chunking import Span, build_chunker, read_text
from chunking.errors import ConfigError, InputError
from chunking.passages import Hit, rebuilt, widened, within_budget, without_overlaps
from jobs.common.command import build_parser, run_as_script
from jobs.common.config import JobConfig, Resolved, load_config
from jobs.common.documents import CONTENT, content_hash, open_documents
from jobs.common.passages import Passage, render_context, render_passages
from jobs.common.schemas import CHUNKS, VECTORS, VERSIONS
from jobs.common.session import get_spark
from jobs.common.state import Lake
from jobs.common.tables import Table
from udfs import embed_texts
from udfs.rows import document_of
from udfs.search import with_scores

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

EXAMPLE = 'sparkchunk search "how do I read a parquet file?" --config conf/local.yaml -k 5'


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

    def search(self, question: str, k: int, parents: bool = False, neighbours: int = 0) -> list[Passage]:
        """The best ``k`` passages, no two of which share a character of a document.

        Args:
            parents: give the parents of the chunks found, each once, with its best chunk's score.
            neighbours: give each chunk with so many before and after it.

        Raises:
            ConfigError: parents of a version that has none.
        """
        if parents and self._chunker.config.parent_chunk_size is None:
            raise ConfigError("this version has no parents: set chunking.parent_chunk_size and run build")
        found = self._passages(question, 10 * k + 50)
        if not (parents or neighbours):
            return found[:k]
        return self._widened(found[: k * (2 * neighbours + 1) if neighbours else len(found)], parents, neighbours)[:k]

    def _widened(self, passages: Sequence[Passage], parents: bool, neighbours: int) -> list[Passage]:
        """The passages over their parents, or with their neighbours; what then is one passage stands there once."""
        chunks = self._chunks_of({passage.hit.doc_id for passage in passages})
        texts = self._texts(chunks)
        wider: dict[str, Span] = {}
        for rows in chunks.values():
            wider |= _parent_spans(rows) if parents else _neighbour_spans(rows, neighbours)
        by_id = {passage.hit.chunk_id: passage for passage in passages}
        return [
            replace(by_id[hit.chunk_id], hit=hit, text=texts[hit.doc_id][hit.start : hit.end])
            for hit in widened([passage.hit for passage in passages], wider)
        ]

    def context(self, question: str, budget: int) -> list[tuple[Passage, Span, str]]:
        """The united spans of the best passages within ``budget`` tokens: a passage of the document, the span, its text."""
        passages = self._candidates(question, 200)
        texts = self._texts(self._chunks_of({passage.hit.doc_id for passage in passages}))
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

    def _chunks_of(self, doc_ids: set[str]) -> dict[str, list[Any]]:
        """All chunks and parents of these documents, by document and in order."""
        from pyspark.sql import functions as F

        found_df = self._lake.read(CHUNKS).where(f"chunk_version = '{self._chunker.version}'")
        found_df = found_df.where(F.col("doc_id").isin(sorted(doc_ids))).orderBy("doc_id", "kind", "index")
        chunks: dict[str, list[Any]] = {doc_id: [] for doc_id in doc_ids}
        for row in found_df.select(
            "doc_id", "doc_hash", "chunk_id", "kind", "parent_id", "index", "start", "end", "text"
        ).collect():
            chunks[row["doc_id"]].append(row)
        return chunks

    def _texts(self, chunks: Mapping[str, list[Any]]) -> dict[str, str]:
        """The text of each document; of one that changed or went since it was chunked, what its chunks hold."""
        found = self._documents(chunks, *CONTENT, content_hash().alias("doc_hash"))
        texts = {}
        for doc_id, rows in chunks.items():
            document = found.get(doc_id)
            if document and rows and document["doc_hash"] == rows[0]["doc_hash"]:
                texts[doc_id] = read_text(document_of(document.asDict(recursive=True))).text
            else:
                texts[doc_id] = rebuilt((row["start"], row["text"]) for row in rows if row["kind"] == "chunk")
        return texts

    def _documents(self, doc_ids: Iterable[str], *columns: "str | Column") -> dict[str, Any]:
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


def _parent_spans(rows: Sequence[Any]) -> dict[str, Span]:
    """For each chunk of one document the span of its parent."""
    parents = {row["chunk_id"]: Span(row["start"], row["end"]) for row in rows if row["kind"] == "parent"}
    return {row["chunk_id"]: parents[row["parent_id"]] for row in rows if row["kind"] == "chunk"}


def _neighbour_spans(rows: Sequence[Any], neighbours: int) -> dict[str, Span]:
    """For each chunk of one document the span from so many before it to so many after it."""
    chunks = [row for row in rows if row["kind"] == "chunk"]
    last = len(chunks) - 1
    return {
        row["chunk_id"]: Span(chunks[max(i - neighbours, 0)]["start"], chunks[min(i + neighbours, last)]["end"])
        for i, row in enumerate(chunks)
    }


def _passage(chunk: Any, score: float, document: Any) -> Passage:
    hit = Hit(chunk["chunk_id"], chunk["doc_id"], chunk["start"], chunk["end"], score)
    title, uri = (document["title"], document["uri"]) if document else (None, None)
    return Passage(hit, title or hit.doc_id, uri or hit.doc_id, tuple(chunk["section_path"] or ()), chunk["text"])


def main(argv: Sequence[str] | None = None) -> None:
    """The search command."""
    parser = build_parser("search", __doc__, EXAMPLE)
    parser.add_argument("question", help="what to look for")
    parser.add_argument("-k", type=int, default=5, help="how many passages (5)")
    parser.add_argument("--parents", action="store_true", help="give the parents of the chunks found, each once")
    parser.add_argument("--expand", type=int, default=0, metavar="N", help="give each chunk with N before and after it")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="print one merged context of at most so many tokens instead")
    args = parser.parse_args(argv)
    if not args.question.strip() or args.k < 1 or args.expand < 0 or (args.budget is not None and args.budget < 1):
        raise ConfigError("search needs a question that isn't blank, -k and --budget of at least 1, and --expand of at least 0")
    if sum((args.parents, args.expand > 0, args.budget is not None)) > 1:
        raise ConfigError("search takes one of --parents, --expand and --budget")
    searcher = Searcher(get_spark("sparkchunk search"), load_config(args.config, args.overrides))
    if args.budget:
        print(render_context(searcher.context(args.question, args.budget)))
    else:
        print(render_passages(searcher.search(args.question, args.k, args.parents, args.expand)))


if __name__ == "__main__":
    run_as_script(main)
