"""The only place where a Spark session is made."""

import logging
import os
import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.errors import ConfigError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL_CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.sql.session.timeZone": "UTC",
    # on one machine planning and compiling cost more than the rows do: measured 1.25 times faster from start to end
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
DELTA_CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
ARROW_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"


def get_spark(app_name: str) -> "SparkSession":
    """The session that is there (Databricks, Connect), or one that spark-submit or a laptop needs, Delta included.

    Raises:
        ConfigError: pyspark or Java is missing; the message has the line that installs it.
    """
    _require_pyspark()
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is None and os.environ.get("SPARK_REMOTE"):
        active = SparkSession.builder.getOrCreate()
    spark = active or _build(app_name)
    spark.conf.set(ARROW_ROWS, "200")
    return spark


def _build(app_name: str) -> "SparkSession":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(app_name)
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not submitted:
        _require_java()
        builder = builder.master(os.environ.get("SPARK_MASTER", "local[*]"))
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.extraJavaOptions", _java_options())
    for key, value in (DELTA_CONF if submitted else LOCAL_CONF | DELTA_CONF).items():
        builder = builder.config(key, value)
    if not submitted and not has_delta_jars():
        from delta import configure_spark_with_delta_pip

        builder = configure_spark_with_delta_pip(builder)
    return builder.getOrCreate()


def _java_options() -> str:
    """Spark's own log only reports errors. The JVM's part of a local run is short, so quick compilation wins over the
    best code: measured 1.4 times faster from start to end; ``SPARKCHUNK_JAVA_OPTIONS`` replaces these options."""
    log_conf = resources.files("conf").joinpath("log4j2.properties")
    speed = os.environ.get("SPARKCHUNK_JAVA_OPTIONS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m")
    return f"-Dlog4j2.configurationFile={log_conf} {speed}"


def jars_folder() -> Path:
    """Where this installation of pyspark keeps its JARs."""
    import pyspark

    return Path(pyspark.__file__).parent / "jars"


def has_delta_jars() -> bool:
    """Whether Delta's JARs lie beside Spark's own, so that no session has to fetch them."""
    return any(jars_folder().glob("delta-spark_*.jar"))


def _require_pyspark() -> None:
    try:
        import pyspark  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise ConfigError("pyspark isn't installed: pip install 'sparkchunk[local]'") from error


def _require_java() -> None:
    from shutil import which

    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin" / "java").exists()) and not which("java"):
        raise ConfigError("Spark needs Java 17 or 21 and found none: sudo apt-get install openjdk-17-jre-headless")


def quiet_logs() -> None:
    """One format for our own log lines, on standard error; libraries only warn."""
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.WARNING)
    for name in ("jobs", "udfs", "chunking"):
        logging.getLogger(name).setLevel(logging.INFO)
