"""A real process killed in the middle of a build, and what the next run makes of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jobs import build_tables
from jobs.common.config import load_config
from tests.spark.conftest import Lake

TEXTS: dict[str, str | None] = {f"d{i:02}": f"Document {i} says hello.\n\nIt has number {i * 7}." for i in range(24)}


def commits(table: Path) -> int:
    """How many commits a table has."""
    return len(list((table / "_delta_log").glob("*.json")))


def test_a_killed_build_is_finished_by_the_next(lake: Lake, other_lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SIGKILL after the first committed slice; the next run ends in the tables of an undisturbed one."""
    for each in (lake, other_lake):
        each.put(TEXTS)
    config = lake.write_config(tmp_path_factory.mktemp("conf") / "c.yaml", slice_tokens=100)
    process = subprocess.Popen(
        [sys.executable, "-m", "jobs", "build", "--config", str(config)],
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while commits(lake.folder / "chunks") < 2 and process.poll() is None:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = lake.read("chunks").select("doc_id").distinct().count()
    assert 0 < done < len(TEXTS)

    report = build_tables.run(lake.spark, load_config(str(config), ["output.slice_tokens=auto"]))
    other = other_lake.write_config(config.with_name("other.yaml"))
    build_tables.run(lake.spark, load_config(str(other)))

    assert report.counts["unchanged"] == done
    assert report.counts["chunked"] == len(TEXTS) - done
    for name in ("chunks", "quarantine", "versions"):
        assert lake.rows(name) == other_lake.rows(name)
    assert [row["chunk_id"] for row in lake.rows("vectors")] == [row["chunk_id"] for row in other_lake.rows("vectors")]
