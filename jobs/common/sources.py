"""Where ``ingest`` finds documents: files below a folder or glob, or the records of data files."""

import glob
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.errors import InputError
from jobs.common.config import IngestConfig, RecordColumns
from jobs.common.mapping import mapped
from jobs.common.tables import Table, exists, first_line, materialise

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORD_FORMATS = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
CORRUPT = "_corrupt_record"


@dataclass(frozen=True)
class Files:
    """Local files: document id (path relative to the source), absolute path, bytes; and how many hidden ones were left."""

    entries: list[tuple[str, str, int]]
    hidden: int


def is_uri(source: str) -> bool:
    """Whether the source lies in a remote file system, which only Spark can list."""
    return bool(re.match(r"[a-z][a-z0-9+.-]+:/", source))


def list_files(source: str) -> Files:
    """The files of a folder (recursively), a glob, or one file; names that begin with a dot are left out.

    Raises:
        InputError: there is no such path, or no file in it.
    """
    path = Path(source).expanduser()
    if path.is_file():
        return Files([_entry(path, path.parent)], 0)
    if path.is_dir():
        found = _walk(path)
    elif glob.has_magic(source):
        root = _glob_root(path)
        matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))
        found = Files([_entry(match, root) for match in matches if match.is_file()], 0)
    else:
        raise InputError(f"ingest.source {source}: no such file or folder (looked in {Path.cwd()})")
    if not found.entries:
        raise InputError(f"ingest.source {source}: holds no files")
    return found


def _entry(path: Path, root: Path) -> tuple[str, str, int]:
    return path.relative_to(root).as_posix(), str(path.absolute()), path.stat().st_size


def _walk(root: Path) -> Files:
    entries, hidden = [], 0
    for folder, names, files in os.walk(root):
        hidden += sum(name.startswith(".") for name in (*files, *names))
        names[:] = sorted(name for name in names if not name.startswith("."))
        paths = [Path(folder, name) for name in sorted(files) if not name.startswith(".")]
        entries += [_entry(path, root) for path in paths if path.is_file()]
    return Files(entries, hidden)


def _glob_root(pattern: Path) -> Path:
    fixed = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        fixed.append(part)
    return Path(*fixed)


def remote_files(spark: "SparkSession", source: str) -> "DataFrame":
    """``doc_id, path, data`` of every file below a URI; Spark leaves out names that begin with ``_`` or ``.``."""
    from pyspark.sql import functions as F

    root = source.rstrip("/") + "/"
    files_df = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    relative = F.regexp_replace("path", "^[^:]+:/+", "")
    prefix = re.sub("^[^:]+:/+", "", root)
    doc_id = F.when(relative.startswith(prefix), F.substring(relative, len(prefix) + 1, 1 << 20)).otherwise(relative)
    return files_df.select(doc_id.alias("doc_id"), "path", F.col("content").alias("data"))


def is_table(source: str) -> bool:
    """Whether the source is a Delta table: a folder with its log, ``schema.table`` or ``catalog.schema.table``."""
    if (Path(source).expanduser() / "_delta_log").is_dir():
        return True
    named = re.fullmatch(r"[\w-]+(\.[\w-]+){1,2}", source)
    return bool(named) and Path(source).suffix.lower() not in RECORD_FORMATS and not Path(source).exists()


def read_table(spark: "SparkSession", config: IngestConfig) -> "DataFrame":
    """Documents (``doc_id`` and the content columns) from a table, by the column mapping ``ingest.records``.

    Raises:
        InputError: no such table, or a column that isn't there.
    """
    table = Table(config.source)
    if not exists(spark, table):
        raise InputError(f"ingest.source {config.source}: no such file, folder or table (looked in {Path.cwd()})")
    table_df = spark.table(table.sql)
    return table_df.select(
        *mapped(table_df, config.records or RecordColumns(), f"ingest.source {config.source}", "ingest.records")
    )


def read_records(spark: "SparkSession", config: IngestConfig) -> tuple["DataFrame", "DataFrame"]:
    """Documents (``doc_id`` and the content columns), and the records that couldn't be parsed (``doc_id, record``).

    Raises:
        InputError: no such file, a format we don't know, or a mapped column that isn't there.
    """
    from pyspark.sql import functions as F

    table_df = _load(spark, config.source)
    place = f"ingest.source {config.source}"
    columns = mapped(table_df, config.records or RecordColumns(), place, "ingest.records", implied=False)
    corrupt = F.col(CORRUPT) if CORRUPT in table_df.columns else F.lit(None).cast("string")
    # Spark refuses to look for broken records alone in a raw file: read it once
    all_df = materialise(table_df.select(*columns, corrupt.alias("record"), F.col("_metadata.file_name").alias("file")))
    bad_df = all_df.where("record IS NOT NULL").select(
        F.concat_ws("#", "file", F.substring(F.sha2("record", 256), 1, 16)).alias("doc_id"), "record"
    )
    return all_df.where("record IS NULL").drop("record", "file"), bad_df


def _load(spark: "SparkSession", source: str) -> "DataFrame":
    from pyspark.errors import AnalysisException

    names = [source] if is_uri(source) else [name for name, _, _ in list_files(source).entries]
    suffixes = {Path(name).suffix.lower() for name in names}
    formats = {RECORD_FORMATS.get(suffix, "") for suffix in suffixes}
    if len(suffixes) != 1 or "" in formats:
        raise InputError(
            f"ingest.source {source}: records come from one kind of file, {', '.join(RECORD_FORMATS)}; found {sorted(suffixes)}"
        )
    path = source if is_uri(source) else str(Path(source).expanduser().absolute())
    try:
        return _reader(spark, formats.pop(), suffixes.pop(), path)
    except AnalysisException as error:
        raise InputError(f"ingest.source {source}: {first_line(error)}") from error


def _reader(spark: "SparkSession", kind: str, suffix: str, path: str) -> "DataFrame":
    reader = spark.read.option("recursiveFileLookup", "true")
    if kind == "parquet":
        return reader.parquet(path)
    if kind == "json":
        return reader.option("multiLine", str(suffix == ".json")).option("mode", "PERMISSIVE").json(path)
    reader = reader.option("header", "true").option("multiLine", "true").option("escape", '"').option("mode", "PERMISSIVE")
    schema = reader.csv(path).schema.add(CORRUPT, "string")
    return reader.schema(schema).csv(path)
