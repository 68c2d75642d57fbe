"""What the tables already hold of a version, and the rows of ``quarantine``, ``versions`` and ``runs`` around it."""

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from chunking.versions import canonical_json
from jobs.common.report import Report
from jobs.common.schemas import QUARANTINE, RUNS, VERSIONS, TableSchema
from jobs.common.tables import Table, append, create, exists, materialise, merge, quoted, rows, tombstones, update

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

LIBRARIES = ("sentencex", "pysbd", "tiktoken", "tokenizers", "markdown-it-py", "transformers", "torch")


def code_version() -> str:
    """The installed version of this code."""
    try:
        return importlib.metadata.version("sparkchunk")
    except importlib.metadata.PackageNotFoundError:
        return "0+unpackaged"


def library_versions() -> str:
    """Versions of the parsers, segmenters and tokenizers that are here, as JSON."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return canonical_json(found)


@dataclass(frozen=True)
class Lake:
    """The tables of one output location."""

    spark: "SparkSession"
    location: Table

    def table(self, schema: TableSchema) -> Table:
        """One of our tables here."""
        return self.location.child(schema.name)

    def create(self, *schemas: TableSchema) -> None:
        """Create the tables that aren't there yet."""
        for schema in schemas:
            create(self.spark, self.table(schema), schema)

    def read(self, schema: TableSchema) -> "DataFrame":
        """A table of ours."""
        return self.spark.table(self.table(schema).sql)

    def has(self, schema: TableSchema) -> bool:
        """Whether the table is there."""
        return exists(self.spark, self.table(schema))

    def replace(
        self, schema: TableSchema, version: str, new_df: "DataFrame | None", worked_df: "DataFrame", only_new: bool = False
    ) -> None:
        """Make ``new_df`` all that the version holds of the documents in ``worked_df`` (``doc_id``), in one commit;
        ``only_new`` says that it holds nothing of them yet."""
        changes_df = None if new_df is None else rows(schema, new_df)
        if not only_new:
            gone_df = self._vanished(schema, version, new_df, worked_df)
            changes_df = gone_df if changes_df is None else changes_df.unionByName(gone_df)
        if changes_df is not None:
            merge(self.spark, self.table(schema), schema, changes_df, version, only_new)

    def _vanished(self, schema: TableSchema, version: str, new_df: "DataFrame | None", worked_df: "DataFrame") -> "DataFrame":
        """Tombstones for the rows that the documents have and no longer should."""
        version_column, id_column = schema.key
        old_df = self.read(schema).where(f"{version_column} = '{version}'").select(*schema.key, "doc_id")
        gone_df = old_df.join(worked_df.select("doc_id").distinct(), "doc_id", "left_semi")
        if new_df is not None:
            gone_df = gone_df.join(new_df.select(id_column), id_column, "left_anti")
        return materialise(tombstones(schema, gone_df))  # MERGE plans its source several times: keep it simple

    def quarantined(self, stage: str, version: str) -> "DataFrame":
        """``doc_id, failed_hash`` of a stage's quarantine; ``tried`` by this code, for a reason that no retry would mend."""
        from pyspark.sql import functions as F

        tried = (F.col("code_version") == code_version()) & ~F.col("transient")
        return self._quarantined(stage, version).select("doc_id", F.col("doc_hash").alias("failed_hash"), tried.alias("tried"))

    def _quarantined(self, stage: str, version: str) -> "DataFrame":
        return self.read(QUARANTINE).where(f"stage = '{stage}' AND version = '{version}'")

    def quarantine(self, stage: str, version: str, failed_df: "DataFrame", run_id: str) -> None:
        """Keep the documents of ``failed_df`` with their reasons; the same failure leaves its row as it is."""
        from pyspark.sql import functions as F

        known_df = self._quarantined(stage, version).where(F.col("code_version") == code_version())
        same = ["doc_id", "doc_hash", "error_class", "message", "transient"]
        failed_df = failed_df.join(known_df.select(*same), same, "left_anti")
        if failed_df.isEmpty():
            return
        columns = {"stage": stage, "version": version, "code_version": code_version(), "run_id": run_id}
        new_df = failed_df.select(
            "doc_id", "doc_hash", "error_class", "message", "transient",
            *(F.lit(value).alias(name) for name, value in columns.items()),
            F.current_timestamp().alias("created_at"),
        )  # fmt: skip
        merge(self.spark, self.table(QUARANTINE), QUARANTINE, rows(QUARANTINE, new_df))

    def release(self, stage: str, version: str, ids_df: "DataFrame") -> None:
        """Let the documents of ``ids_df`` (``doc_id``), mended or gone, out of quarantine. Done before their rows are
        written, so that a run which is killed in between finds them undone."""
        gone_df = self._quarantined(stage, version).select(*QUARANTINE.key).join(ids_df.select("doc_id"), "doc_id", "left_semi")
        gone_df = materialise(tombstones(QUARANTINE, gone_df))
        if not gone_df.isEmpty():
            merge(self.spark, self.table(QUARANTINE), QUARANTINE, gone_df)

    def refused_at_ingest(self) -> "DataFrame":
        """``doc_id`` of the documents that are no text any more: no table holds rows of them."""
        return self._quarantined("ingest", "").select("doc_id")

    def version(self, version: str) -> "Row | None":
        """A row of ``versions``."""
        return self.read(VERSIONS).where(f"version = '{version}'").first()

    def begin_version(self, version: str, kind: str, config: Mapping[str, Any], parent: str | None = None) -> bool:
        """Record a version as being built, unless it is there; whether it was once built to its end."""
        if old := self.version(version):
            return bool(old["status"] != "building")
        row = dict.fromkeys(VERSIONS.columns) | {
            "version": version,
            "kind": kind,
            "parent_version": parent,
            "config": canonical_json(config),
            "status": "building",
            "libraries": library_versions(),
            "code_version": code_version(),
            "created_at": datetime.now(UTC),
        }
        ddl = ", ".join(f"`{name}` {kind}" for name, (kind, _) in VERSIONS.columns.items())
        new_df = self.spark.createDataFrame([tuple(row[name] for name in VERSIONS.columns)], ddl)
        merge(self.spark, self.table(VERSIONS), VERSIONS, rows(VERSIONS, new_df), only_new=True)
        return False

    def finish_version(self, version: str, schema: TableSchema) -> None:
        """Record a version as ready, with what ``schema``'s table holds of it; commits nothing where that stands there."""
        rows_df = self.read(schema).where(f"{schema.key[0]} = '{version}'")
        counts = rows_df.selectExpr(*schema.totals).first().asDict()
        differs = " OR ".join(f"NOT {quoted(name)} <=> {value}" for name, value in counts.items())
        update(
            self.spark,
            self.table(VERSIONS),
            {"status": "if(status = 'building', 'ready', status)"} | {name: str(value) for name, value in counts.items()},
            f"version = '{version}' AND (status = 'building' OR {differs})",
        )

    def add_run(self, report: Report, status: str, message: str | None = None) -> None:
        """Append the run's row."""
        row = {
            "run_id": report.run_id,
            "job": report.job,
            "status": status,
            "message": message,
            "chunk_version": report.chunk_version,
            "embed_version": report.embed_version,
            "input_table": report.input_table,
            "input_version": report.input_version,
            "counts": report.counts,
            "seconds": {step: round(value, 3) for step, value in report.seconds.items()},
            "code_version": code_version(),
            "started_at": report.started_at,
            "ended_at": datetime.now(UTC),
        }
        append(self.spark, self.table(RUNS), RUNS, [tuple(row[name] for name in RUNS.columns)])
