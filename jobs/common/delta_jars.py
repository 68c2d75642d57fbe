"""Put Delta's JARs beside Spark's own, once, so that no later session downloads anything: ``python -m jobs.common.delta_jars``."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from jobs.common.session import has_delta_jars, jars_folder

SPARK_HAS = (
    "org.apache.hadoop:hadoop-client-api",
    "org.apache.hadoop:hadoop-client-runtime",
    "org.apache.parquet:parquet-hadoop",
    "org.apache.logging.log4j:log4j-slf4j2-impl",
    "org.apache.logging.log4j:log4j-core",
    "org.apache.logging.log4j:log4j-api",
)
"""Dependencies of Delta's that Spark brings in its own version; most of the download without them."""


def artifact(jar: Path) -> str:
    """A JAR's name without its version: ``org_jackson-core-2.13.5.jar`` is ``jackson-core``."""
    return re.sub(r"-\d[^/]*\.jar$", "", jar.name)


def fetch() -> list[str]:
    """Resolve delta-spark by Spark's own Ivy and copy what Spark lacks; returns the names of the copied JARs."""
    if has_delta_jars():
        return []
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from delta import configure_spark_with_delta_pip
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as ivy:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.jars.ivy", ivy).config("spark.jars.excludes", ",".join(SPARK_HAS))
        configure_spark_with_delta_pip(builder).getOrCreate().stop()
        return _copy(Path(ivy) / "jars")


def _copy(resolved: Path) -> list[str]:
    present = {artifact(jar) for jar in jars_folder().glob("*.jar")}
    copied = []
    for jar in sorted(resolved.glob("*.jar")):
        name = jar.name.split("_", 1)[1] if "_" in jar.name else jar.name  # Ivy puts the organisation first
        if artifact(Path(name)) not in present and not (jars_folder() / name).exists():
            shutil.copy(jar, jars_folder() / name)
            copied.append(name)
    return copied


if __name__ == "__main__":
    print("\n".join(fetch()) or "Delta's JARs are there")
