"""The documents table as the jobs see it: ours, or any table by column mapping; checked before anything is written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunking.errors import InputError
from jobs.common.config import DocumentsConfig
from jobs.common.mapping import CONTENT, mapped
from jobs.common.tables import Table, delta_version, exists

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


@dataclass(frozen=True)
class Documents:
    """``rows_df`` has ``doc_id``, ``doc_hash`` and the content columns, each document once."""

    rows_df: "DataFrame"
    total: int
    table: str
    version: int


def content_hash() -> "Column":
    """SHA-256 over the canonical JSON of the content columns: null ones left out, map entries sorted."""
    from pyspark.sql import functions as F

    columns = [F.col(name) for name in CONTENT if name != "metadata"]
    metadata = F.array_sort(F.map_entries("metadata")).alias("metadata")
    return F.sha2(F.to_json(F.struct(*columns, metadata)), 256)


def open_documents(spark: "SparkSession", config: DocumentsConfig) -> tuple["DataFrame", int]:
    """The table's rows in our columns, unchecked, and its latest Delta version, at which they stay while it changes.

    Raises:
        InputError: no such table, no Delta table, a mapped column missing or of another type.
    """
    table = Table(config.table)
    if not exists(spark, table):
        raise InputError(f"documents.table {config.table}: no such table; run the ingest job first, or name another")
    version = delta_version(spark, table)
    table_df = spark.read.option("versionAsOf", version).table(table.sql)
    columns = mapped(table_df, config.columns, f"documents.table {config.table}", "documents.columns")
    return table_df.select(*columns), version


def read_documents(spark: "SparkSession", config: DocumentsConfig) -> Documents:
    """The documents with their hashes, each once.

    Raises:
        InputError: as ``open_documents``; null or duplicate ``doc_id``s.
    """
    rows_df, version = open_documents(spark, config)
    rows_df = rows_df.withColumn("doc_hash", content_hash())
    total, repeated = _check_ids(rows_df, config.table)
    if repeated:
        rows_df = rows_df.dropDuplicates(["doc_id", "doc_hash"])
    return Documents(rows_df, total, config.table, version)


def _check_ids(rows_df: "DataFrame", name: str) -> tuple[int, bool]:
    """Number of documents, and whether some rows stand there twice, equal in every column."""
    from pyspark.sql import functions as F

    counts = rows_df.agg(
        F.count("*").alias("rows"),
        F.sum(F.col("doc_id").isNull().cast("int")).alias("nulls"),
        F.sum((F.col("doc_id") == "").cast("int")).alias("blanks"),
        F.countDistinct("doc_id").alias("ids"),
    ).first()
    if missing := (counts["nulls"] or 0) + (counts["blanks"] or 0):
        raise InputError(f"documents.table {name}: {missing} of {counts['rows']} rows have no doc_id; every document needs one")
    if counts["ids"] < counts["rows"]:
        several = rows_df.groupBy("doc_id").agg(F.countDistinct("doc_hash").alias("n"), F.count("*").alias("rows")).where("n > 1")
        if found := several.orderBy("doc_id").limit(3).collect():
            listed = ", ".join(f"{row['doc_id']!r} occurs {row['rows']} times" for row in found)
            raise InputError(f"documents.table {name}: doc_id must be unique: {listed}, with different content")
    return counts["ids"], counts["ids"] < counts["rows"]
