"""The documents table as the jobs see it: ours, or any table by column mapping; checked before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunking.errors import InputError, nearest
from jobs.common.config import DocumentsConfig
from jobs.common.tables import Table, delta_version, exists, quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

CONTENT = ("text", "title", "uri", "content_type", "layout", "metadata")
TYPES = {"layout": "struct<pages:array<int>>", "metadata": "map<string,string>"}
REQUIRED = ("doc_id", "text")


@dataclass(frozen=True)
class Documents:
    """``rows_df`` has ``doc_id``, ``doc_hash`` and the content columns, each document once."""

    rows_df: "DataFrame"
    total: int
    characters: int
    table: str
    version: int


def content_hash() -> "Column":
    """SHA-256 over the canonical JSON of the content columns: null ones left out, map entries sorted."""
    from pyspark.sql import functions as F

    columns = [F.col(name) for name in CONTENT if name != "metadata"]
    metadata = F.array_sort(F.map_entries("metadata")).alias("metadata")
    return F.sha2(F.to_json(F.struct(*columns, metadata)), 256)


def read_documents(spark: "SparkSession", config: DocumentsConfig) -> Documents:
    """Read the table at its latest version.

    Raises:
        InputError: no such table, a mapped column missing or of another type, null or duplicate ``doc_id``s.
    """
    table = Table(config.table)
    if not exists(spark, table):
        raise InputError(f"documents.table {config.table}: no such table; run the ingest job first, or name another")
    rows_df = _mapped(spark.table(table.sql), config.columns, config.table)
    rows_df = rows_df.withColumn("doc_hash", content_hash())
    total, characters, repeated = _check_ids(rows_df, config.table)
    if repeated:
        rows_df = rows_df.dropDuplicates(["doc_id", "doc_hash"])
    return Documents(rows_df, total, characters, config.table, delta_version(spark, table))


def _mapped(table_df: "DataFrame", mapping: Mapping[str, str], name: str) -> "DataFrame":
    """Our columns from the table's; optional ones that it lacks are null."""
    from pyspark.sql import functions as F

    wanted = ("doc_id", *CONTENT)
    if unknown := sorted(mapping.keys() - set(wanted)):
        raise InputError(f"documents.columns: unknown {unknown[0]!r}{nearest(unknown[0], wanted)} known: {', '.join(wanted)}")
    types = dict(table_df.dtypes)
    columns = []
    for ours in wanted:
        theirs = mapping.get(ours, ours)
        if theirs in types:
            columns.append(_typed(ours, theirs, types[theirs], name))
        elif ours in mapping or ours in REQUIRED:
            hint = nearest(theirs, types) or f"; its columns: {', '.join(types)}"
            raise InputError(
                f"documents.table {name}: no column {theirs!r} for {ours!r}{hint}; map it by documents.columns.{ours}"
            )
        else:
            columns.append(F.lit(None).cast(TYPES.get(ours, "string")).alias(ours))
    return table_df.select(*columns)


def _typed(ours: str, theirs: str, kind: str, name: str) -> "Column":
    from pyspark.sql import functions as F

    column = F.col(quoted(theirs))
    scalar = kind.split("(", maxsplit=1)[0] in ("int", "bigint", "smallint", "tinyint", "decimal", "date")
    if kind != TYPES.get(ours, "string") and not (ours == "doc_id" and scalar):
        raise InputError(f"documents.table {name}: column {theirs!r} is {kind}, but {ours!r} is {TYPES.get(ours, 'string')}")
    return column.cast(TYPES.get(ours, "string")).alias(ours)


def _check_ids(rows_df: "DataFrame", name: str) -> tuple[int, int, bool]:
    """Number of documents, characters in them, and whether some rows stand there twice, equal in every column."""
    from pyspark.sql import functions as F

    counts = rows_df.agg(
        F.count("*").alias("rows"),
        F.sum(F.col("doc_id").isNull().cast("int")).alias("nulls"),
        F.sum((F.col("doc_id") == "").cast("int")).alias("blanks"),
        F.countDistinct("doc_id").alias("ids"),
        F.sum(F.length("text")).alias("characters"),
    ).first()
    if missing := (counts["nulls"] or 0) + (counts["blanks"] or 0):
        raise InputError(f"documents.table {name}: {missing} of {counts['rows']} rows have no doc_id; every document needs one")
    if counts["ids"] < counts["rows"]:
        several = rows_df.groupBy("doc_id").agg(F.countDistinct("doc_hash").alias("n"), F.count("*").alias("rows")).where("n > 1")
        if found := several.orderBy("doc_id").limit(3).collect():
            listed = ", ".join(f"{row['doc_id']!r} occurs {row['rows']} times" for row in found)
            raise InputError(f"documents.table {name}: doc_id must be unique: {listed}, with different content")
    return counts["ids"], counts["characters"] or 0, counts["ids"] < counts["rows"]
