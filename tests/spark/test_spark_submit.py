"""``spark-submit`` of the built wheel on a standalone cluster of one master and two workers."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunking import Document, build_chunker
from jobs.common.config import load_config
from tests.spark.conftest import Lake

ROOT = Path(__file__).parents[2]
TEXTS: dict[str, str | None] = {
    f"d{i:02}": f"Document {i} says hello.\n\nIt has the number {i * 7}, as everyone knows." for i in range(8)
}


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


def test_spark_submit_of_the_built_wheel(lake: Lake, cluster: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The wheel, renamed to .zip, is all that the workers get of us; the tables hold what the pure functions give."""
    work = tmp_path_factory.mktemp("submit")
    source = shutil.copytree(ROOT, work / "source", ignore=shutil.ignore_patterns(".venv", ".git", "demo", "lake", ".*_cache"))
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(work)], cwd=source, check=True, capture_output=True
    )
    (wheel,) = work.glob("*.whl")
    archive = wheel.rename(wheel.with_suffix(".zip"))
    lake.put(TEXTS)
    config = lake.write_config(work / "c.yaml")
    submit = [str(Path(sys.executable).parent / "spark-submit"), "--master", cluster, "--py-files", str(archive)]
    conf = {
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.executor.memory": "1g",
        "spark.executor.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
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
    chunker = build_chunker(load_config(str(config)).resolved().chunking)
    expected = {chunk.chunk_id for key, text in TEXTS.items() for chunk in chunker.chunk(Document(key, text))}
    for name in ("chunks", "vectors"):
        assert {row["chunk_id"] for row in lake.read(name).collect()} == expected
