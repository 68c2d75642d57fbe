"""Real processes: a build killed in the middle, and spark-submit of the built wheel on a standalone cluster."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from jobs import build_tables
from jobs.common.config import load_config
from tests.spark.conftest import Lake

ROOT = Path(__file__).parents[2]
TEXTS: dict[str, str | None] = {f"d{i:02}": f"Document {i} says hello.\n\nIt has number {i * 7}." for i in range(24)}


def write_config(lake: Lake, path: Path, **output: object) -> Path:
    """The configuration of both tests as a file."""
    settings = {
        "documents": {"table": str(lake.folder / "documents")},
        "output": {"location": str(lake.folder), **output},
        "chunking": {"tokenizer": "words", "chunk_size": 8, "min_chunk_size": 0, "recursive": {"separators": ["\n\n"]}},
        "embedding": {"mode": "late"},
        "tracking": {"enabled": False},
    }
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path


def commits(table: Path) -> int:
    """How many commits a table has."""
    return len(list((table / "_delta_log").glob("*.json")))


def test_a_killed_build_is_finished_by_the_next(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SIGKILL after the first committed slice; the next run ends in the tables of an undisturbed one."""
    undisturbed = Lake(lake.spark, tmp_path_factory.mktemp("undisturbed"))
    for each in (lake, undisturbed):
        each.put(TEXTS)
    config = write_config(lake, tmp_path_factory.mktemp("conf") / "c.yaml", slice_tokens=100)
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
    other = write_config(undisturbed, config.with_name("other.yaml"))
    build_tables.run(lake.spark, load_config(str(other)))

    assert report.counts["unchanged"] == done
    assert report.counts["chunked"] == len(TEXTS) - done
    for name in ("chunks", "quarantine", "versions"):
        assert lake.rows(name) == undisturbed.rows(name)
    assert [row["chunk_id"] for row in lake.rows("vectors")] == [row["chunk_id"] for row in undisturbed.rows("vectors")]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A standalone master and two workers on loopback."""
    import pyspark

    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home)}
    master = f"spark://127.0.0.1:{port}"
    launch = [str(home / "bin" / "spark-class")]
    address = ["--host", "127.0.0.1", "--webui-port", "0"]
    commands = [[*launch, "org.apache.spark.deploy.master.Master", *address, "--port", str(port)]]
    for name in ("one", "two"):
        worker = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / name), master]
        commands.append([*launch, "org.apache.spark.deploy.worker.Worker", *address, *worker])
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands
    ]
    yield master
    for process in processes:
        process.terminate()
        process.wait()


@pytest.mark.skipif("SPARKCHUNK_PROCESS_TESTS" not in os.environ, reason="minutes long: set SPARKCHUNK_PROCESS_TESTS=1")
def test_spark_submit_of_the_built_wheel(lake: Lake, cluster: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The wheel, renamed to .zip, is all that the workers get of us; the tables are those of a local run."""
    work = tmp_path_factory.mktemp("submit")
    source = shutil.copytree(ROOT, work / "source", ignore=shutil.ignore_patterns(".venv", ".git", "demo", "lake", ".*_cache"))
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(work)], cwd=source, check=True, capture_output=True
    )
    (wheel,) = work.glob("*.whl")
    archive = wheel.rename(wheel.with_suffix(".zip"))
    lake.put(TEXTS)
    config = write_config(lake, work / "c.yaml")
    submit = [str(Path(sys.executable).parent / "spark-submit"), "--master", cluster, "--py-files", str(archive)]
    conf = {
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.executor.memory": "1g",
        "spark.ui.enabled": "false",
    }
    arguments = [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "HF_HUB_OFFLINE": "1"}
    job = str(source / "jobs" / "build_tables.py")

    done = subprocess.run(
        [*submit, *arguments, job, "--config", str(config)],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert "chunks written" in done.stdout
    assert lake.read("vectors").count() == lake.read("chunks").count() == 2 * len(TEXTS)
    local = build_tables.run(lake.spark, load_config(str(config)))
    assert (local.counts["unchanged"], local.counts["embed_unchanged"]) == (len(TEXTS), len(TEXTS))
