"""The only place that reads and writes Delta: DataFrames and SQL alone, so that Spark Connect and serverless work."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from tenacity import retry, retry_if_exception, stop_after_attempt, wait_random_exponential

from chunking.errors import InputError
from jobs.common.schemas import FORMAT, TableSchema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

GONE = "_gone"
NO_TABLE = re.compile(
    r"PATH_NOT_FOUND|PATH_DOES_NOT_EXIST|TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|do(es)?n't exist|does not exist"
)
NOT_DELTA = re.compile(r"DELTA_MISSING_DELTA_TABLE|DELTA_TABLE_NOT_FOUND|not a Delta table|DELTA_READ_TABLE_WITHOUT_COLUMNS")
CONFLICTS = re.compile(r"Concurrent\w*Exception|ProtocolChanged|MetadataChanged|DELTA_CONCURRENT")


def quoted(name: str) -> str:
    """A name as SQL takes it, whatever it holds."""
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """A string as SQL takes it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@dataclass(frozen=True)
class Table:
    """A Delta table by folder, or by ``[catalog.]schema.table``."""

    name: str

    @property
    def is_path(self) -> bool:
        """Whether the name is a folder or a URI."""
        return bool(re.search(r"[/\\:]|^\.{1,2}$|^~", self.name))

    @property
    def sql(self) -> str:
        """How a query names it."""
        if self.is_path:
            return "delta." + quoted(self.path)
        return ".".join(quoted(part) for part in self.name.split("."))

    @property
    def path(self) -> str:
        """The folder, absolute where it is a local one."""
        return self.name if "://" in self.name or self.name.startswith("dbfs:") else str(Path(self.name).expanduser().absolute())

    def child(self, name: str) -> "Table":
        """The table ``name`` in this location."""
        return Table(f"{self.name.rstrip('/')}/{name}" if self.is_path else f"{self.name}.{name}")


def exists(spark: "SparkSession", table: Table) -> bool:
    """Whether there is such a table.

    Raises:
        InputError: something else than a Delta table lies there.
    """
    return columns_of(spark, table) is not None


def columns_of(spark: "SparkSession", table: Table) -> list[str] | None:
    """The table's columns; none where there is no such table.

    Raises:
        InputError: something else than a Delta table lies there.
    """
    from pyspark.errors import AnalysisException

    try:
        return spark.table(table.sql).columns
    except AnalysisException as error:
        found = f"{error.getCondition() or ''} {error}"
        if NO_TABLE.search(found) or (NOT_DELTA.search(found) and not (table.is_path and _holds_files(table.path))):
            return None
        if NOT_DELTA.search(found):
            raise InputError(f"{table.name}: the folder holds something else than a Delta table; name another") from error
        raise InputError(f"{table.name}: {first_line(error)}") from error


def _holds_files(path: str) -> bool:
    folder = Path(path)
    return folder.is_file() or (folder.is_dir() and any(folder.iterdir()))


def first_line(error: BaseException) -> str:
    """What an error of Spark's says, without the plan and the Java stack."""
    return str(error).strip().splitlines()[0].strip() if str(error).strip() else type(error).__name__


def create(spark: "SparkSession", table: Table, schema: TableSchema) -> None:
    """Create the table if it isn't there, with comments, change data feed and statistics on its keys.

    Raises:
        InputError: a table of somebody else lies there.
    """
    columns = columns_of(spark, table)
    if columns is not None:
        if missing := [name for name in schema.columns if name not in columns]:
            raise InputError(
                f"{table.name}: this table isn't one of ours, it has no column {missing[0]!r}; name another location"
            )
        return
    indexed = dict.fromkeys([*schema.key, *(name for name in ("doc_id", "doc_hash") if name in schema.columns)])
    properties = {
        "delta.enableChangeDataFeed": "true",
        "delta.dataSkippingStatsColumns": ",".join(name for name in indexed if name != schema.partition),
        "sparkchunk.format": FORMAT,
    }
    if schema.partition:
        properties["delta.enableDeletionVectors"] = "true"
    settings = ", ".join(f"{literal(key)} = {literal(value)}" for key, value in properties.items())
    partition = f"PARTITIONED BY ({quoted(schema.partition)}) " if schema.partition else ""
    spark.sql(
        f"CREATE TABLE IF NOT EXISTS {table.sql} ({schema.ddl()}) USING delta {partition}"
        f"COMMENT {literal(schema.comment)} TBLPROPERTIES ({settings})"
    )


def _is_conflict(error: BaseException) -> bool:
    return bool(CONFLICTS.search(f"{type(error).__name__} {error}"[:2000]))


retry_on_conflict = retry(
    retry=retry_if_exception(_is_conflict), stop=stop_after_attempt(6), wait=wait_random_exponential(0.5, max=20), reraise=True
)


@retry_on_conflict
def merge(
    spark: "SparkSession",
    table: Table,
    schema: TableSchema,
    changes_df: "DataFrame",
    version: str | None = None,
    only_new: bool = False,
) -> None:
    """Bring the table to ``changes_df`` by one commit: new rows in, differing rows updated, rows marked ``_gone`` out.

    Repeating it commits nothing. ``version`` is the literal value of the partition column, so that only its files are
    read. ``only_new`` says that none of the rows is there, which Delta plans far more cheaply; one that is there stays.
    """
    view = f"changes_{uuid4().hex}"
    changes_df.createOrReplaceTempView(view)
    keys = [f"t.{quoted(key)} = s.{quoted(key)}" for key in schema.key]
    if version is not None and schema.partition:
        keys.insert(0, f"t.{quoted(schema.partition)} = {literal(version)}")
    try:
        spark.sql(
            f"MERGE INTO {table.sql} t USING {view} s ON {' AND '.join(keys)} "
            f"{'' if only_new else _matched(schema)}{_not_matched(schema)}"
        )
    finally:
        spark.catalog.dropTempView(view)


def _matched(schema: TableSchema) -> str:
    same = " AND ".join(_equal(name, kind) for name, (kind, _) in schema.columns.items() if name in schema.content)
    updates = ", ".join(f"t.{quoted(name)} = s.{quoted(name)}" for name in schema.columns if name not in schema.key)
    return f"WHEN MATCHED AND s.{GONE} THEN DELETE WHEN MATCHED AND NOT ({same}) THEN UPDATE SET {updates} "


def _not_matched(schema: TableSchema) -> str:
    names = list(schema.columns)
    values = ", ".join("s." + quoted(name) for name in names)
    return f"WHEN NOT MATCHED AND NOT s.{GONE} THEN INSERT ({', '.join(map(quoted, names))}) VALUES ({values})"


def _equal(name: str, kind: str) -> str:
    """Maps can't be compared: their sorted entries can."""
    t, s = f"t.{quoted(name)}", f"s.{quoted(name)}"
    return f"array_sort(map_entries({t})) <=> array_sort(map_entries({s}))" if kind.startswith("map") else f"{t} <=> {s}"


@retry_on_conflict
def update(spark: "SparkSession", table: Table, values: Mapping[str, str], condition: str) -> None:
    """Set columns, given as SQL, in the rows that fulfil ``condition``; where there are none, nothing is committed."""
    settings = ", ".join(f"{quoted(name)} = {value}" for name, value in values.items())
    spark.sql(f"UPDATE {table.sql} SET {settings} WHERE {condition}")


def tombstones(schema: TableSchema, keys_df: "DataFrame") -> "DataFrame":
    """Rows that ``merge`` takes out: the keys from ``keys_df``, all other columns null."""
    from pyspark.sql import functions as F

    columns = [
        F.col(name) if name in schema.key else F.lit(None).cast(kind).alias(name) for name, (kind, _) in schema.columns.items()
    ]
    return keys_df.select(*columns, F.lit(True).alias(GONE))


def rows(schema: TableSchema, rows_df: "DataFrame") -> "DataFrame":
    """Rows that ``merge`` puts in: the table's columns in order, cast to their types."""
    from pyspark.sql import functions as F

    columns = [F.col(quoted(name)).cast(kind).alias(name) for name, (kind, _) in schema.columns.items()]
    return rows_df.select(*columns, F.lit(False).alias(GONE))


@retry_on_conflict
def append(spark: "SparkSession", table: Table, schema: TableSchema, values: Sequence[tuple[object, ...]]) -> None:
    """Add rows, given in the order of the schema's columns."""
    ddl = ", ".join(f"{quoted(name)} {kind}" for name, (kind, _) in schema.columns.items())
    rows_df = spark.createDataFrame([tuple(value) for value in values], ddl)
    writer = rows_df.write.format("delta").mode("append")
    writer.save(table.path) if table.is_path else writer.saveAsTable(table.sql)


def delta_version(spark: "SparkSession", table: Table) -> int:
    """The table's latest Delta version."""
    return int(spark.sql(f"DESCRIBE HISTORY {table.sql} LIMIT 1").select("version").first()[0])


def materialise(rows_df: "DataFrame") -> "DataFrame":
    """Compute ``rows_df`` once: what follows reads the result and doesn't run the workers again."""
    return rows_df.localCheckpoint(eager=True)
