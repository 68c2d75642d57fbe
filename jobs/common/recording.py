"""Around the work of a job: its tables, its row in ``runs``, its MLflow run and its summary."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chunking.errors import RunError, SparkchunkError
from jobs.common.config import JobConfig, Resolved
from jobs.common.report import Report
from jobs.common.schemas import QUARANTINE, RUNS, TableSchema
from jobs.common.state import Lake
from jobs.common.tables import Table, first_line
from jobs.common.tracking import tracked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)


@contextmanager
def recorded(
    spark: "SparkSession", config: JobConfig, report: Report, schemas: tuple[TableSchema, ...], settings: Mapping[str, Any]
) -> Iterator[Lake]:
    """Create the tables, run the block, then append the run's row; a run that fails leaves its reason there."""
    lake = Lake(spark, Table(config.output.location))
    with tracked(config.tracking, lake.location, report) as tracker:
        lake.create(*schemas, QUARANTINE, RUNS)
        if tracker:
            tracker.log_config(settings)
            if report.input_table and report.input_version is not None:
                tracker.log_input(report.input_table, report.input_version)
        try:
            yield lake
        except Exception as error:
            message = str(error) if isinstance(error, SparkchunkError) else first_line(error)
            lake.add_run(report, "failed", message[:2000])
            raise
        lake.add_run(report, "succeeded")


def settings_of(config: JobConfig, resolved: Resolved | None = None) -> dict[str, Any]:
    """The whole configuration with what was filled in, as plain values."""
    settings: dict[str, Any] = config.model_dump(mode="json")
    if resolved:
        settings["chunking"] = resolved.chunking.model_dump(mode="json")
        settings["embedding"] = resolved.spec.vector_settings() | {"model": resolved.spec.model} if resolved.spec else None
    return settings


def check_quarantined(stage: str, quarantined: int, total: int, most: float, report: Report) -> None:
    """Note a quarantine over the limit; ``fail_if_noted`` ends the run once everything good is committed."""
    if total and quarantined > most * total:
        report.notes.append(
            f"{stage}: {quarantined} of {total} documents are in quarantine, over output.max_quarantined {most:g}; "
            f"what is good is committed; read the quarantine table for the reasons"
        )


def fail_if_noted(report: Report) -> None:
    """End the run as failed when a stage noted too many failures.

    Raises:
        RunError: so that a scheduler notices.
    """
    if report.notes:
        raise RunError("; ".join(report.notes), report)
