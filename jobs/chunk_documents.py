"""Chunk the documents table into one version of chunks: new, changed and failed-before documents only."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from chunking import ChunkingConfig, build_chunker
from chunking.errors import InputError
from jobs.common.command import Options, add_options, build_parser, read_options, run_as_script
from jobs.common.config import JobConfig, load_config
from jobs.common.documents import Documents, read_documents
from jobs.common.recording import check_quarantined, fail_if_noted, recorded, settings_of
from jobs.common.report import Report
from jobs.common.schemas import CHUNKS, VERSIONS
from jobs.common.session import get_spark
from jobs.common.slices import count_slices, spread, take_slice
from jobs.common.state import Lake
from jobs.common.summary import print_summary
from jobs.common.tables import materialise
from udfs.chunk import with_chunks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)
EXAMPLE = "sparkchunk chunk --config conf/local.yaml --set chunking.chunk_size=256"
PER_PARTITION = 4_000_000


def run(spark: "SparkSession", config: JobConfig, options: Options = Options()) -> Report:
    """Bring the chunks of the configured version to the documents.

    Raises:
        ConfigError, InputError: before anything is written.
        RunError: too many documents were quarantined, or the totals don't add up.
    """
    resolved = config.resolved()
    report = Report("chunk", chunk_version=build_chunker(resolved.chunking).version)
    documents = read_checked(spark, config, options, report)
    with recorded(spark, config, report, (CHUNKS, VERSIONS), settings_of(config, resolved)) as lake:
        with report.timed("chunk"):
            chunk(lake, config, resolved.chunking, documents, report, options)
        fail_if_noted(report)
    return report


def read_checked(spark: "SparkSession", config: JobConfig, options: Options, report: Report) -> Documents:
    """The documents, refused if they would empty a table by mistake."""
    with report.timed("read"):
        documents = read_documents(spark, config.documents)
    if not documents.total and config.documents.missing == "delete" and not options.force:
        raise InputError(
            f"documents.table {config.documents.table}: came back empty, and documents.missing: delete would empty all tables; "
            f"--force does it all the same"
        )
    report.input_table, report.input_version = documents.table, documents.version
    return documents


def chunk(
    lake: Lake, config: JobConfig, chunking: ChunkingConfig, documents: Documents, report: Report, options: Options
) -> None:
    """The work itself: slice by slice, each slice one commit."""
    version = str(report.chunk_version)
    lake.begin_version(version, "chunks", chunking.chunk_settings())
    plan = _plan(lake, version, documents, options)
    report.count(documents_in=documents.total, quarantined=plan.held, chunked=0, empty=0, chunks=0, tokens=0)
    report.counts["unchanged"] = documents.total - plan.held - plan.pending
    slices = count_slices(plan.characters, config.output.slice_tokens) if plan.pending else 0
    for number in range(slices):
        ids_df = take_slice(plan.pending_df, number, slices)
        slice_df = documents.rows_df.join(ids_df, ["doc_id", "doc_hash"], "left_semi")
        _chunk_slice(lake, chunking, slice_df, plan.characters // slices, report, (number, slices))
    deleted = _delete_gone(lake, version, documents, config.documents.missing)
    report.counts["deleted"] = deleted
    if plan.pending or deleted or not is_ready(lake, version):
        _finish_version(lake, version)
    parts = {name: report.counts[name] for name in ("chunked", "empty", "quarantined", "unchanged")}
    report.reconcile("chunk", documents.total, parts)
    check_quarantined("chunk", report.counts["quarantined"], documents.total, config.output.max_quarantined, report)


@dataclass(frozen=True)
class Plan:
    """``pending_df`` (``doc_id, doc_hash, characters``) is what there is to do, decided before anything is committed;
    ``held`` counts the documents that stay in quarantine."""

    pending_df: "DataFrame"
    pending: int
    characters: int
    held: int


def _plan(lake: Lake, version: str, documents: Documents, options: Options) -> Plan:
    """The documents without rows of their present content, but for those that a quarantine holds."""
    from pyspark.sql import functions as F

    keys = ["doc_id", "doc_hash"]
    done_df = lake.read(CHUNKS).where(f"chunk_version = '{version}'").select(*keys).distinct()
    held_df = lake.held("chunk", version).withColumn("held", F.lit(not options.retry))
    sized_df = documents.rows_df.selectExpr(*keys, "coalesce(length(text), 0) AS characters")
    open_df = materialise(sized_df.join(done_df, keys, "left_anti").join(held_df, keys, "left").fillna(False, ["held"]))
    counts = open_df.groupBy("held").agg(F.count("*").alias("n"), F.sum("characters").alias("characters")).collect()
    by_held = {row["held"]: row for row in counts}
    pending = by_held.get(False, {"n": 0, "characters": 0})
    return Plan(
        # columns of its own: Spark can't join a checkpoint with the deduplicated documents that it was made from
        open_df.where("NOT held").selectExpr("doc_id AS doc_id", "doc_hash AS doc_hash", "characters"),
        pending["n"],
        pending["characters"],
        by_held[True]["n"] if True in by_held else 0,
    )


def _chunk_slice(
    lake: Lake, chunking: ChunkingConfig, slice_df: "DataFrame", characters: int, report: Report, place: tuple[int, int]
) -> None:
    from pyspark.sql import functions as F

    started, version = monotonic(), str(report.chunk_version)
    worked_df = materialise(with_chunks(spread(slice_df, characters, PER_PARTITION), chunking))
    failed_df = worked_df.where("error_class IS NOT NULL")
    new_df = worked_df.select("doc_hash", F.explode("chunks").alias("chunk")).select(
        F.lit(version).alias("chunk_version"),
        "chunk.*",
        "doc_hash",
        F.lit(report.run_id).alias("run_id"),
        F.current_timestamp().alias("created_at"),
    )
    lake.release("chunk", version, worked_df.where("error_class IS NULL"))
    lake.replace(CHUNKS, version, new_df, worked_df)
    lake.quarantine("chunk", version, failed_df, report.run_id)
    counts = worked_df.agg(
        F.sum((F.size("chunks") > 0).cast("int")).alias("chunked"),
        F.sum(F.col("error_class").isNotNull().cast("int")).alias("quarantined"),
        F.sum(((F.size("chunks") == 0) & F.col("error_class").isNull()).cast("int")).alias("empty"),
        F.sum(F.size("chunks")).alias("chunks"),
        F.sum("tokens").alias("tokens"),
    ).first()
    found = {name: int(value or 0) for name, value in counts.asDict().items()}
    report.count(**found, chunk_slices=1)
    number, slices = place
    logger.info("chunk: slice %d of %d: %d documents, %d chunks, %.1f s", number + 1, slices,
                found["chunked"] + found["empty"] + found["quarantined"], found["chunks"], monotonic() - started)  # fmt: skip


def _delete_gone(lake: Lake, version: str, documents: Documents, missing: str) -> int:
    """Take out the rows of documents that are gone from the source when ``missing`` says so, and always those of
    documents that are no text any more; returns how many documents."""
    old_df = lake.read(CHUNKS).where(f"chunk_version = '{version}'").select("doc_id").distinct()
    gone_df = old_df.join(documents.rows_df.select("doc_id"), "doc_id", "left_anti")
    if missing == "delete":
        lake.release_vanished("chunk", version, documents.rows_df)
    else:
        gone_df = gone_df.join(lake.refused_at_ingest(), "doc_id", "left_semi")
    gone_df = materialise(gone_df)
    if deleted := gone_df.count():
        lake.replace(CHUNKS, version, None, gone_df)
    return deleted


def is_ready(lake: Lake, version: str) -> bool:
    """Whether the version was once built to its end."""
    row = lake.version(version)
    return row is not None and row["status"] != "building"


def _finish_version(lake: Lake, version: str) -> None:
    from pyspark.sql import functions as F

    chunks_df = lake.read(CHUNKS).where(f"chunk_version = '{version}'")
    counts = chunks_df.agg(
        F.countDistinct("doc_id").alias("documents"),
        F.count("*").alias("rows"),
        F.coalesce(F.sum("token_count"), F.lit(0)).alias("tokens"),
    ).first()
    lake.finish_version(version, counts.asDict())


def main(argv: Sequence[str] | None = None) -> None:
    """The chunk command."""
    parser = build_parser("chunk", __doc__, EXAMPLE)
    add_options(parser)
    args = parser.parse_args(argv)
    config = load_config(args.config, args.overrides)
    spark = get_spark("sparkchunk chunk")
    print_summary(lambda: run(spark, config, read_options(args)), config)


if __name__ == "__main__":
    run_as_script(main)
