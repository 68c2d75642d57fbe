"""Embed one version of chunks into one version of vectors: only what isn't current, in slices."""

import logging
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from chunking import build_chunker
from chunking.errors import InputError
from jobs.chunk_documents import read_checked
from jobs.common.command import Options, run_as_script, run_on_documents
from jobs.common.config import JobConfig
from jobs.common.documents import CONTENT, Documents
from jobs.common.recording import check_quarantined, fail_if_noted, recorded, settings_of
from jobs.common.report import Report
from jobs.common.schemas import CHUNKS, VECTORS, VERSIONS
from jobs.common.slices import count_slices, spread, take_slice
from jobs.common.state import Lake
from jobs.common.tables import Table, exists, materialise
from jobs.common.worklist import Worklist, make_worklist
from udfs.embed_rows import with_vectors
from udfs.models import EncoderSpec

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

logger = logging.getLogger(__name__)
EXAMPLE = "sparkchunk embed --config conf/local.yaml --set embedding.mode=naive"
PER_PARTITION = 100_000
SLICE_COUNTS = ("count_if(error_class IS NOT NULL) AS failed", "coalesce(sum(size(vectors)), 0) AS vectors")


def run(spark: "SparkSession", config: JobConfig, options: Options = Options()) -> Report:
    """Bring the vectors of the configured version to its chunks.

    Raises:
        ConfigError, InputError: before anything is written.
        RunError: too many documents were quarantined, or the totals don't add up.
    """
    resolved = config.resolved()
    spec = resolved.need_spec()
    version = build_chunker(resolved.chunking).version
    report = Report("embed", chunk_version=version, embed_version=spec.embed_version(version))
    if not exists(spark, Table(config.output.location).child(CHUNKS.name)):
        raise InputError(f"output.location {config.output.location}: no chunks table; run the chunk job first")
    documents = read_checked(spark, config, options, report)
    with recorded(spark, config, report, (CHUNKS, VECTORS, VERSIONS), settings_of(config, resolved)) as lake:
        with report.timed("embed"):
            embed(lake, config, spec, documents, report, options)
        fail_if_noted(report)
    return report


def embed(lake: Lake, config: JobConfig, spec: EncoderSpec, documents: Documents, report: Report, options: Options) -> None:
    """The work itself: slice by slice, each slice one commit."""
    version = str(report.embed_version)
    was_ready = lake.begin_version(version, "vectors", spec.vector_settings() | {"model": spec.model}, report.chunk_version)
    if spec.mode == "late" and config.chunking.header != "none":
        logger.info("embed: late vectors ignore headers (chunking.header: %s); naive ones use them", config.chunking.header)
    chunks_df = lake.read(CHUNKS).where(f"chunk_version = '{report.chunk_version}' AND kind = 'chunk'")
    todo = _worklist(lake, version, chunks_df, documents, options)
    report.count(
        embedded=0, embed_quarantined=todo.count("held"), embed_unchanged=todo.count("done"), stale=todo.count("stale"), vectors=0
    )
    total = sum(todo.count(state) for state in ("done", "held", "stale", "pending"))
    if todo.count("gone"):
        lake.release("embed", version, todo.gone_df)
        lake.replace(VECTORS, version, None, todo.gone_df)
    if todo.count("pending"):
        work = _Work(lake, spec, documents, report, chunks_df, todo)
        slices = count_slices(todo.characters, config.output.slice_tokens)
        for number in range(slices):
            work.embed_slice(number, slices)
    parts = {name: report.counts[name] for name in ("embedded", "embed_quarantined", "embed_unchanged", "stale")}
    report.reconcile("embed", total, parts)
    if todo.count("pending") or todo.count("gone") or not was_ready:
        lake.finish_version(version, VECTORS)
    check_quarantined("embed", report.counts["embed_quarantined"], total, config.output.max_quarantined, report)


def _worklist(lake: Lake, version: str, chunks_df: "DataFrame", documents: Documents, options: Options) -> Worklist:
    """The chunked documents by what there is to do; one that changed after it was chunked is stale: chunk comes first."""
    from pyspark.sql import functions as F

    keys = ["doc_id", "doc_hash"]
    sized_df = documents.rows_df.selectExpr(*keys, "length(text) AS characters")
    wanted_df = chunks_df.select(*keys).distinct().join(sized_df, keys, "left")
    done_df = lake.read(VECTORS).where(f"embed_version = '{version}'").select(*keys)
    stale = F.when(F.col("characters").isNull(), "stale")
    return make_worklist(wanted_df, done_df, lake.quarantined("embed", version), stale, options.retry)


def embed_hash(mode: str) -> "Column":
    """What a vector depends on: naive, the embedded text; late, the document's text (by ``text_hash``) and the span."""
    from pyspark.sql import functions as F

    if mode == "naive":
        return F.sha2("embed_text", 256)
    return F.sha2(F.concat_ws("|", "text_hash", F.col("start").cast("string"), F.col("end").cast("string")), 256)


class _Work:
    """One run's embedding, slice by slice."""

    def __init__(
        self, lake: Lake, spec: EncoderSpec, documents: Documents, report: Report, chunks_df: "DataFrame", todo: Worklist
    ) -> None:
        self._lake = lake
        self._spec = spec
        self._report = report
        self._chunks_df = chunks_df
        self._documents_df = documents.rows_df
        self._todo = todo
        self._reuse = not lake.read(VECTORS).where(f"embedder = '{spec.embedder}'").isEmpty()

    def embed_slice(self, number: int, slices: int) -> None:
        """Embed the documents of one slice and commit their vectors."""
        from pyspark.sql import functions as F

        started, report, version = monotonic(), self._report, str(self._report.embed_version)
        ids_df = take_slice(self._todo.pending_df, number, slices)
        slice_df = self._documents_df.join(ids_df, ["doc_id", "doc_hash"], "left_semi")
        wanted_df = self._wanted(slice_df)
        known_df = self._known(wanted_df)
        missing_df = wanted_df.join(known_df, "embed_hash", "left_anti") if known_df is not None else wanted_df
        characters = self._todo.characters // slices
        worked_df = materialise(
            with_vectors(spread(self._by_document(missing_df, slice_df), characters, PER_PARTITION), self._spec)
        )
        counts = worked_df.selectExpr(*SLICE_COUNTS).first()
        failed_df = worked_df.where("error_class IS NOT NULL")
        vectors_df = worked_df.select("doc_id", "doc_hash", F.explode("vectors").alias("v")).select("doc_id", "doc_hash", "v.*")
        reused = 0
        if known_df is not None:
            reused_df = wanted_df.join(known_df, "embed_hash").join(failed_df.select("doc_id"), "doc_id", "left_anti")
            reused = reused_df.count()
            vectors_df = vectors_df.unionByName(reused_df.select("doc_id", "doc_hash", "chunk_id", "embedding", "embed_hash"))
        if self._todo.any_quarantined:
            self._lake.release("embed", version, ids_df.join(failed_df.select("doc_id"), "doc_id", "left_anti"))
        self._lake.replace(VECTORS, version, self._as_rows(vectors_df), ids_df, only_new=self._todo.all_new)
        if counts["failed"]:
            self._lake.quarantine("embed", version, failed_df, report.run_id)
        documents, vectors = ids_df.count(), counts["vectors"] + reused
        report.count(
            embedded=documents - counts["failed"], embed_quarantined=counts["failed"],
            vectors=vectors, vectors_reused=reused, embed_slices=1,
        )  # fmt: skip
        logger.info("embed: slice %d of %d: %d documents, %d vectors, %.1f s", number + 1, slices,
                    documents, vectors, monotonic() - started)  # fmt: skip

    def _wanted(self, slice_df: "DataFrame") -> "DataFrame":
        """The chunks of the slice's documents, each with its ``embed_hash``."""
        from pyspark.sql import functions as F

        texts_df = slice_df.select("doc_id", "doc_hash", F.sha2("text", 256).alias("text_hash"))  # once a document
        chunks_df = self._chunks_df.select("doc_id", "doc_hash", "chunk_id", "index", "start", "end", "embed_text")
        hashed_df = chunks_df.join(texts_df, ["doc_id", "doc_hash"]).withColumn("embed_hash", embed_hash(self._spec.mode))
        return hashed_df.drop("text_hash")

    def _known(self, wanted_df: "DataFrame") -> "DataFrame | None":
        """Vectors already paid for by the same embedder, in whatever version."""
        from pyspark.sql import functions as F

        if not self._reuse:
            return None
        old_df = self._lake.read(VECTORS).where(f"embedder = '{self._spec.embedder}'").select("embed_hash", "embedding")
        needed_df = wanted_df.select("embed_hash").distinct()
        return materialise(
            old_df.join(needed_df, "embed_hash", "left_semi").groupBy("embed_hash").agg(F.first("embedding").alias("embedding"))
        )

    def _by_document(self, missing_df: "DataFrame", slice_df: "DataFrame") -> "DataFrame":
        """A row a document with the chunks that need a vector, in order."""
        from pyspark.sql import functions as F

        chunk = F.struct("index", "chunk_id", "start", "end", "embed_text", "embed_hash")
        grouped_df = missing_df.groupBy("doc_id").agg(F.sort_array(F.collect_list(chunk)).alias("chunks"))
        return slice_df.select("doc_id", "doc_hash", *CONTENT).join(grouped_df, "doc_id")

    def _as_rows(self, vectors_df: "DataFrame") -> "DataFrame":
        from pyspark.sql import functions as F

        return vectors_df.select(
            F.lit(self._report.embed_version).alias("embed_version"),
            "*",
            F.lit(self._spec.embedder).alias("embedder"),
            F.lit(self._spec.mode).alias("mode"),
            F.lit(self._report.run_id).alias("run_id"),
            F.current_timestamp().alias("created_at"),
        )


def main(argv: Sequence[str] | None = None) -> None:
    """The embed command."""
    run_on_documents("embed", __doc__, EXAMPLE, run, argv)


if __name__ == "__main__":
    run_as_script(main)
