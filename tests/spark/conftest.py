"""One Spark session for all tests, real Delta tables in a temporary folder."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from pyspark.sql import DataFrame, SparkSession

from jobs.common.config import JobConfig
from jobs.common.schemas import CHUNKS, QUARANTINE, RUNS, VECTORS, VERSIONS
from jobs.common.session import get_spark
from jobs.common.state import Lake as Tables
from jobs.common.tables import Table, delta_version

RUN_COLUMNS = {"run_id", "created_at", "updated_at"}


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The session of all Spark tests."""
    session = get_spark("tests")
    session.conf.set("spark.sql.shuffle.partitions", "2")
    yield session
    session.stop()


class Lake:
    """One test's documents and tables."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self.folder = folder

    def config(self, **blocks: Any) -> JobConfig:
        """A small configuration: ten characters a chunk, cut at blank lines; tracking off."""
        chunking = {"tokenizer": "characters", "chunk_size": 10, "min_chunk_size": 0, "recursive": {"separators": ["\n\n"]}}
        settings = {
            "documents": {"table": str(self.folder / "documents"), **blocks.pop("documents", {})},
            "output": {"location": str(self.folder), "max_quarantined": 1.0, **blocks.pop("output", {})},
            "chunking": {**chunking, **blocks.pop("chunking", {})},
            "tracking": {"enabled": False, **blocks.pop("tracking", {})},
            **blocks,
        }
        return JobConfig.model_validate(settings)

    def write_config(self, path: Path, **output: object) -> Path:
        """A configuration file for a process of its own: late vectors, eight words a chunk; tracking off."""
        settings = {
            "documents": {"table": str(self.folder / "documents")},
            "output": {"location": str(self.folder), **output},
            "chunking": {"tokenizer": "words", "chunk_size": 8, "min_chunk_size": 0, "recursive": {"separators": ["\n\n"]}},
            "embedding": {"mode": "late"},
            "tracking": {"enabled": False},
        }
        path.write_text(yaml.safe_dump(settings), encoding="utf-8")
        return path

    def put(self, texts: dict[str, str | None], partitions: int = 1) -> None:
        """Make the documents table hold exactly these texts."""
        documents_df = self.spark.createDataFrame(list(texts.items()), "doc_id string, text string").repartition(partitions)
        documents_df.write.format("delta").mode("overwrite").save(str(self.folder / "documents"))

    def read(self, name: str) -> DataFrame:
        """One of the tables."""
        return self.spark.table(Table(str(self.folder / name)).sql)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A table's rows in a fixed order, without the columns that differ from run to run."""
        rows = [{k: v for k, v in row.asDict(True).items() if k not in RUN_COLUMNS} for row in self.read(name).collect()]
        return sorted(rows, key=repr)

    def texts(self, doc_id: str) -> list[str]:
        """A document's chunk texts in order."""
        return [row["text"] for row in self.read("chunks").where(f"doc_id = '{doc_id}'").orderBy("index").collect()]

    def versions(self) -> dict[str, int]:
        """The Delta version of every table but ``runs``."""
        names = [path.name for path in sorted(self.folder.iterdir()) if (path / "_delta_log").is_dir() and path.name != "runs"]
        return {name: delta_version(self.spark, Table(str(self.folder / name))) for name in names}


@pytest.fixture(scope="session")
def empty_tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables but ``documents``, as the jobs create them; made once and copied, since creating them takes seconds."""
    folder = tmp_path_factory.mktemp("empty")
    Tables(spark, Table(str(folder))).create(CHUNKS, VECTORS, QUARANTINE, VERSIONS, RUNS)
    return folder


@pytest.fixture
def lake(spark: SparkSession, empty_tables: Path, tmp_path: Path) -> Lake:
    """A lake with empty tables."""
    shutil.copytree(empty_tables, tmp_path / "lake")
    return Lake(spark, tmp_path / "lake")


@pytest.fixture
def other_lake(spark: SparkSession, empty_tables: Path, tmp_path: Path) -> Lake:
    """A second one, to compare with."""
    shutil.copytree(empty_tables, tmp_path / "other")
    return Lake(spark, tmp_path / "other")


@pytest.fixture
def bare_lake(spark: SparkSession, tmp_path: Path) -> Lake:
    """A lake without tables."""
    return Lake(spark, tmp_path / "lake")
