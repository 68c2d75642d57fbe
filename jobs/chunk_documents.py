"""Chunk the documents table into one version of chunks: new, changed and failed-before documents only."""

import logging
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from chunking import build_chunker
from chunking.config import AUTO
from chunking.errors import InputError
from jobs.common.command import Options, run_as_script, run_on_documents
from jobs.common.config import JobConfig, Resolved
from jobs.common.documents import Documents, read_documents
from jobs.common.recording import check_quarantined, fail_if_noted, recorded, settings_of
from jobs.common.report import Report
from jobs.common.schemas import CHUNKS, VERSIONS
from jobs.common.slices import count_slices, spread, take_slice
from jobs.common.state import Lake
from jobs.common.tables import materialise
from jobs.common.worklist import Worklist, make_worklist
from udfs.chunk import with_chunks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)
EXAMPLE = "sparkchunk chunk --config conf/local.yaml --set chunking.chunk_size=256"
PER_PARTITION = 4_000_000
BLANK = r"(text IS NULL OR NOT text RLIKE '(?U)[^\\s\\x1c-\\x1f]')"
"""Of nothing but what ``str.isspace`` takes for a blank."""
SLICE_COUNTS = (
    "count_if(size(chunks) > 0) AS chunked",
    "count_if(size(chunks) = 0 AND error_class IS NULL) AS empty",
    "count_if(error_class IS NOT NULL) AS quarantined",
    "coalesce(sum(size(filter(chunks, chunk -> chunk.kind = 'chunk'))), 0) AS chunks",
    "coalesce(sum(size(filter(chunks, chunk -> chunk.kind = 'parent'))), 0) AS parents",
    "coalesce(sum(tokens), 0) AS tokens",
)


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
            chunk(lake, config, resolved, documents, report, options)
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


def chunk(lake: Lake, config: JobConfig, resolved: Resolved, documents: Documents, report: Report, options: Options) -> None:
    """The work itself: slice by slice, each slice one commit."""
    version = str(report.chunk_version)
    was_ready = lake.begin_version(version, "chunks", resolved.chunking.chunk_settings())
    todo = _worklist(lake, version, documents, options)
    report.count(
        documents_in=documents.total, unchanged=todo.count("done"), quarantined=todo.count("held"),
        empty=todo.count("empty"), chunked=0, chunks=0, tokens=0,
    )  # fmt: skip
    pending = todo.count("pending")
    slices = count_slices(todo.characters, config.output.slice_tokens) if pending else 0
    for number in range(slices):
        ids_df = take_slice(todo.pending_df, number, slices)
        slice_df = documents.rows_df.join(ids_df, ["doc_id", "doc_hash"], "left_semi")
        _chunk_slice(lake, resolved, slice_df, todo, report, (number, slices))
    report.counts["deleted"] = _drop_gone(lake, version, todo, config.documents.missing)
    if pending or report.counts["deleted"] or not was_ready:
        lake.finish_version(version, CHUNKS)
    parts = {name: report.counts[name] for name in ("chunked", "empty", "quarantined", "unchanged")}
    report.reconcile("chunk", documents.total, parts)
    check_quarantined("chunk", report.counts["quarantined"], documents.total, config.output.max_quarantined, report)


def _worklist(lake: Lake, version: str, documents: Documents, options: Options) -> Worklist:
    """The documents by what there is to do; blank ones that left no trace are set aside as empty."""
    from pyspark.sql import functions as F

    wanted_df = documents.rows_df.selectExpr("doc_id", "doc_hash", "coalesce(length(text), 0) AS characters", f"{BLANK} AS blank")
    done_df = lake.read(CHUNKS).where(f"chunk_version = '{version}'").select("doc_id", "doc_hash")
    empty = F.when(F.col("blank") & ~F.col("has_rows") & ~F.col("was_quarantined"), "empty")
    return make_worklist(wanted_df, done_df, lake.quarantined("chunk", version), empty, options.retry)


def _chunk_slice(
    lake: Lake, resolved: Resolved, slice_df: "DataFrame", todo: Worklist, report: Report, place: tuple[int, int]
) -> None:
    from pyspark.sql import functions as F

    started, version = monotonic(), str(report.chunk_version)
    number, slices = place
    spread_df = spread(slice_df, todo.characters // slices, PER_PARTITION)
    worked_df = materialise(with_chunks(spread_df, resolved.chunking, resolved.chunk_spec))
    counts = worked_df.selectExpr(*SLICE_COUNTS).first().asDict()
    new_df = worked_df.select("doc_hash", F.explode("chunks").alias("chunk")).select(
        F.lit(version).alias("chunk_version"),
        "chunk.*",
        "doc_hash",
        F.lit(report.run_id).alias("run_id"),
        F.current_timestamp().alias("created_at"),
    )
    if todo.any_quarantined:
        lake.release("chunk", version, worked_df.where("error_class IS NULL"))
    lake.replace(CHUNKS, version, new_df, worked_df, only_new=todo.all_new)
    if counts["quarantined"]:
        lake.quarantine("chunk", version, worked_df.where("error_class IS NOT NULL"), report.run_id)
    if resolved.chunking.strategy == AUTO:
        taken_df = worked_df.where("size(chunks) > 0").groupBy(F.col("chunks")[0]["strategy"].alias("name")).count()
        report.count(**{f"as_{row['name']}": row["count"] for row in taken_df.collect()})
    report.count(**counts, chunk_slices=1)
    logger.info("chunk: slice %d of %d: %d documents, %d chunks, %.1f s", number + 1, slices,
                counts["chunked"] + counts["empty"] + counts["quarantined"], counts["chunks"], monotonic() - started)  # fmt: skip


def _drop_gone(lake: Lake, version: str, todo: Worklist, missing: str) -> int:
    """Take out the rows of documents that are gone from the source when ``missing`` says so, and always those of
    documents that are no text any more; returns how many documents."""
    if not todo.count("gone"):
        return 0
    gone_df, count = todo.gone_df, todo.count("gone", "has_rows")
    if missing == "delete":
        lake.release("chunk", version, gone_df)
    else:
        gone_df = materialise(gone_df.join(lake.refused_at_ingest(), "doc_id", "left_semi"))
        count = gone_df.count()
    if count:
        lake.replace(CHUNKS, version, None, gone_df)
    return count


def main(argv: Sequence[str] | None = None) -> None:
    """The chunk command."""
    run_on_documents("chunk", __doc__, EXAMPLE, run, argv)


if __name__ == "__main__":
    run_as_script(main)
