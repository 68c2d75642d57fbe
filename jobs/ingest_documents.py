"""Ingest files or records into the documents table: new, changed and, when asked, vanished ones only."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunking.errors import ConfigError, InputError
from jobs.common.command import add_force, build_parser, run_as_script
from jobs.common.config import IngestConfig, JobConfig, load_config
from jobs.common.documents import content_hash
from jobs.common.recording import check_quarantined, fail_if_noted, recorded, settings_of
from jobs.common.report import Report
from jobs.common.schemas import DOCUMENTS
from jobs.common.session import get_spark
from jobs.common.slices import spread
from jobs.common.sources import is_table, is_uri, list_files, read_records, read_table, remote_files
from jobs.common.state import Lake
from jobs.common.summary import print_summary
from jobs.common.tables import Table, create, delta_version, materialise, merge, rows, tombstones
from jobs.common.worklist import Worklist, make_worklist
from udfs.parse import with_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)
EXAMPLE = "sparkchunk ingest --config conf/local.yaml --set ingest.source=./docs"
PER_PARTITION = 8_000_000
FAILED = ("doc_id", "doc_hash", "error_class", "message", "transient")


def run(spark: "SparkSession", config: JobConfig, force: bool = False) -> Report:
    """Read the source and bring the documents table to it.

    Raises:
        ConfigError: no source is named.
        InputError: the source isn't there, holds nothing, or has null or duplicate ids.
        RunError: too many documents were quarantined.
    """
    report = Report("ingest")
    parsed_df = _read(spark, config, report)
    target = Table(config.documents.table)
    if config.documents.missing == "delete" and not report.counts["documents_in"] and not force:
        raise InputError(
            "ingest.source came back empty, and documents.missing: delete would empty the table; --force does it all the same"
        )
    with recorded(spark, config, report, (), settings_of(config)) as lake:
        create(spark, target, DOCUMENTS)
        with report.timed("ingest"):
            _commit(lake, target, config, parsed_df, report)
        report.input_table, report.input_version = config.documents.table, delta_version(spark, target)
        fail_if_noted(report)
    return report


def _read(spark: "SparkSession", config: JobConfig, report: Report) -> "DataFrame":
    """Every document of the source, or why it isn't one; computed once."""
    from pyspark.sql import functions as F

    if config.ingest is None:
        raise ConfigError("this job needs an 'ingest' block with a source: --set ingest.source=./docs")
    with report.timed("read"):
        parsed_df = _parsed(spark, config.ingest, report)
        hashed = F.when(F.col("error_class").isNull(), content_hash()).otherwise(F.sha2("message", 256))
        parsed_df = materialise(parsed_df.withColumn("doc_hash", hashed))
        _check_ids(parsed_df, config.ingest.source, report)
    return parsed_df


def _parsed(spark: "SparkSession", config: IngestConfig, report: Report) -> "DataFrame":
    """The source through the workers, whatever kind it is of."""
    if is_table(config.source):
        return with_texts(read_table(spark, config), config.encoding)
    if config.records is not None:
        good_df, bad_df = read_records(spark, config)
        return with_texts(good_df, config.encoding).unionByName(_refused(bad_df), allowMissingColumns=True)
    if is_uri(config.source):
        return with_texts(remote_files(spark, config.source), config.encoding)
    files = list_files(config.source)
    report.counts["hidden_files_left_out"] = files.hidden
    size = sum(entry[2] for entry in files.entries)
    files_df = spark.createDataFrame(files.entries, "doc_id string, path string, size bigint")
    return with_texts(spread(files_df, size, PER_PARTITION), config.encoding)


def _refused(bad_df: "DataFrame") -> "DataFrame":
    """Records that couldn't be parsed, as failures."""
    from pyspark.sql import functions as F

    return bad_df.select(
        "doc_id",
        F.lit("NotARecord").alias("error_class"),
        F.concat(F.lit("no record: "), F.substring("record", 1, 200)).alias("message"),
        F.lit(False).alias("transient"),
    )


def _check_ids(parsed_df: "DataFrame", source: str, report: Report) -> None:
    """Records can lack an id or share one; files can't."""
    from pyspark.sql import functions as F

    missing = F.sum((F.col("doc_id").isNull() | (F.col("doc_id") == "")).cast("int"))
    counts = parsed_df.agg(F.count("*").alias("n"), missing.alias("missing"), F.countDistinct("doc_id").alias("ids")).first()
    if counts["missing"]:
        raise InputError(f"ingest.source {source}: {counts['missing']} records have no doc_id; every document needs one")
    if counts["ids"] < counts["n"]:
        repeated = parsed_df.groupBy("doc_id").agg(F.count("*").alias("n"), F.countDistinct("doc_hash").alias("kinds"))
        if found := repeated.where("kinds > 1").orderBy("doc_id").limit(3).collect():
            listed = ", ".join(f"{row['doc_id']!r} occurs {row['n']} times" for row in found)
            raise InputError(f"ingest.source {source}: doc_id must be unique: {listed}, with different content")
    report.counts["documents_in"] = counts["ids"]


def _commit(lake: Lake, target: Table, config: JobConfig, parsed_df: "DataFrame", report: Report) -> None:
    from pyspark.sql import functions as F

    parsed_df = parsed_df.dropDuplicates(["doc_id"])
    todo = _worklist(lake, target, parsed_df)
    quarantined, delete = todo.count("failed") + todo.count("held"), config.documents.missing == "delete"
    # what is no text any more leaves the table, whatever is said of files that are missing
    left = ["failed", "held", *(["gone"] if delete else [])]
    deleted = sum(todo.count(state, "has_rows") for state in left)
    if todo.any_quarantined:
        lake.release("ingest", "", todo.pending_df)
    if delete and todo.count("gone"):
        lake.release("ingest", "", todo.gone_df)
    if todo.count("pending") or deleted:
        new_df = parsed_df.join(todo.pending_df.select("doc_id"), "doc_id", "left_semi").withColumn(
            "content_hash", F.col("doc_hash")
        )
        gone_df = todo.rows_df.where(F.col("has_rows") & F.col("state").isin(left)).selectExpr("doc_id AS doc_id")
        changes_df = rows(DOCUMENTS, new_df.withColumn("updated_at", F.current_timestamp()))
        merge(lake.spark, target, DOCUMENTS, changes_df.unionByName(tombstones(DOCUMENTS, gone_df)))
    if todo.count("failed"):
        lake.quarantine("ingest", "", parsed_df.where("error_class IS NOT NULL").select(*FAILED), report.run_id)
    changed = todo.count("pending", "has_rows")
    report.count(
        new=todo.count("pending") - changed,
        changed=changed,
        unchanged=todo.count("done"),
        quarantined=quarantined,
        deleted=deleted,
    )
    total = report.counts["documents_in"]
    report.reconcile("ingest", total, {name: report.counts[name] for name in ("new", "changed", "unchanged", "quarantined")})
    check_quarantined("ingest", quarantined, total, config.output.max_quarantined, report)


def _worklist(lake: Lake, target: Table, parsed_df: "DataFrame") -> Worklist:
    """What was read by what there is to do; what isn't text is set aside as failed."""
    from pyspark.sql import functions as F

    failed = F.col("error_class").isNotNull()
    wanted_df = parsed_df.select("doc_id", "doc_hash", F.lit(0).alias("characters"), failed.alias("failed"))
    done_df = lake.spark.table(target.sql).selectExpr("doc_id", "content_hash AS doc_hash")
    return make_worklist(wanted_df, done_df, lake.quarantined("ingest", ""), F.when(F.col("failed"), "failed"), retry=False)


def main(argv: Sequence[str] | None = None) -> None:
    """The ingest command."""
    parser = build_parser("ingest", __doc__, EXAMPLE)
    add_force(parser)
    args = parser.parse_args(argv)
    config = load_config(args.config, args.overrides)
    spark = get_spark("sparkchunk ingest")
    print_summary(lambda: run(spark, config, args.force), config)


if __name__ == "__main__":
    run_as_script(main)
