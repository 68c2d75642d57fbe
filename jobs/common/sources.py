"""Where ``ingest`` finds documents: files below a folder or glob, or the records of data files."""

import glob
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.errors import ConfigError, InputError, nearest
from jobs.common.config import IngestConfig
from jobs.common.tables import first_line, materialise, quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORD_FORMATS = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
RECORD_COLUMNS = ("doc_id", "text", "title", "uri", "content_type")
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
    """``doc_id, path, content`` of every file below a URI; Spark leaves out names that begin with ``_`` or ``.``."""
    from pyspark.sql import functions as F

    root = source.rstrip("/") + "/"
    files_df = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    relative = F.regexp_replace("path", "^[^:]+:/+", "")
    prefix = re.sub("^[^:]+:/+", "", root)
    doc_id = F.when(relative.startswith(prefix), F.substring(relative, len(prefix) + 1, 1 << 20)).otherwise(relative)
    return files_df.select(doc_id.alias("doc_id"), "path", "content")


def read_records(spark: "SparkSession", config: IngestConfig) -> tuple["DataFrame", "DataFrame"]:
    """Documents by column mapping, and the records that couldn't be parsed (``doc_id``, ``record``).

    Raises:
        ConfigError: the mapping lacks ``doc_id`` or ``text``, or names an unknown column of ours.
        InputError: no such file, a format we don't know, or a mapped column that isn't there.
    """
    from pyspark.sql import functions as F

    mapping = config.records or {}
    _check_mapping(mapping)
    table_df = _load(spark, config.source)
    kinds = dict(table_df.dtypes)
    for ours, theirs in mapping.items():
        if theirs not in kinds:
            hint = nearest(theirs, kinds) or f"; its columns: {', '.join(kinds)}"
            raise InputError(f"ingest.source {config.source}: no column {theirs!r} for {ours!r}{hint}")
        if kinds[theirs].startswith(("struct", "array", "map")):
            raise InputError(f"ingest.source {config.source}: column {theirs!r} is {kinds[theirs]}, but {ours!r} is text")
    corrupt = F.col(CORRUPT) if CORRUPT in kinds else F.lit(None).cast("string")
    columns = [
        (F.col(quoted(mapping[name])) if name in mapping else F.lit(None)).cast("string").alias(name) for name in RECORD_COLUMNS
    ]
    # Spark refuses to look for broken records alone in a raw file: read it once
    all_df = materialise(table_df.select(*columns, corrupt.alias("record"), F.col("_metadata.file_name").alias("file")))
    bad_df = all_df.where("record IS NOT NULL").select(
        F.concat_ws("#", "file", F.substring(F.sha2("record", 256), 1, 16)).alias("doc_id"), "record"
    )
    return all_df.where("record IS NULL").drop("record", "file"), bad_df


def _check_mapping(mapping: dict[str, str]) -> None:
    if unknown := sorted(mapping.keys() - set(RECORD_COLUMNS)):
        raise ConfigError(
            f"ingest.records: unknown {unknown[0]!r}{nearest(unknown[0], RECORD_COLUMNS)} known: {', '.join(RECORD_COLUMNS)}"
        )
    if missing := [name for name in ("doc_id", "text") if name not in mapping]:
        raise ConfigError(f"ingest.records: needs {missing[0]!r}, such as {{doc_id: id, text: body}}")


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
