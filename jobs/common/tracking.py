"""The only place that imports mlflow: one run a build, with its resolved configuration, keys, counts and timings."""

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from chunking.errors import ConfigError
from jobs.common.config import TrackingConfig, flat
from jobs.common.report import Report
from jobs.common.tables import Table

MOST_PARAM = 500


class Tracker:
    """One MLflow run, addressed by its id so that a run which the caller has open gets no stray value."""

    def __init__(self, client: Any, run_id: str) -> None:
        self._client = client
        self.run_id = run_id

    def log_config(self, settings: Mapping[str, Any]) -> None:
        """Log every setting as a parameter and the whole as YAML; a value too long for a parameter is named, not cut."""
        from mlflow.entities import Param

        params = []
        for key, value in flat(settings).items():
            text = str(value)
            params.append(Param(key, text if len(text) <= MOST_PARAM else "in config.yaml"))
        self._client.log_batch(self.run_id, params=params[:100])
        for start in range(100, len(params), 100):
            self._client.log_batch(self.run_id, params=params[start : start + 100])
        self._log_text(yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True), "config.yaml")

    def log_input(self, table: str, version: int) -> None:
        """Log the documents table at its Delta version as the run's dataset; costs no Spark job."""
        from mlflow.data.delta_dataset_source import DeltaDatasetSource
        from mlflow.data.meta_dataset import MetaDataset
        from mlflow.entities import DatasetInput, InputTag

        source = DeltaDatasetSource(path=table, delta_table_version=version)
        dataset = MetaDataset(source, name=table[-500:], digest=f"v{version}")
        tags = [InputTag("mlflow.data.context", "documents")]
        self._client.log_inputs(self.run_id, datasets=[DatasetInput(dataset._to_mlflow_entity(), tags)])

    def finish(self, report: Report, status: str) -> None:
        """Log keys as tags, counts and seconds as metrics, and end the run."""
        tags = {"chunk_version": report.chunk_version, "embed_version": report.embed_version, "run_id": report.run_id}
        for name, value in tags.items():
            if value:
                self._client.set_tag(self.run_id, name, value)
        for name, value in report.counts.items():
            self._client.log_metric(self.run_id, name, value)
        for name, value in report.seconds.items():
            self._client.log_metric(self.run_id, f"seconds_{name}", value)
        self._client.set_terminated(self.run_id, status)

    def _log_text(self, text: str, name: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            self._client.log_artifact(self.run_id, str(path))


def tracking_uri(config: TrackingConfig, location: Table) -> str:
    """The configured store, MLFLOW_TRACKING_URI, Databricks' own, or an SQLite file in the output folder (in this one
    where the tables have none)."""
    if config.uri or os.environ.get("MLFLOW_TRACKING_URI"):
        return config.uri or os.environ["MLFLOW_TRACKING_URI"]
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        return "databricks"
    local = location.is_path and "://" not in location.path
    return f"sqlite:///{location.path if local else Path.cwd()}/mlflow.db"


@contextmanager
def tracked(config: TrackingConfig, location: Table, report: Report) -> Iterator[Tracker | None]:
    """An MLflow run around the block; it ends as failed when the block raises.

    Raises:
        ConfigError: the store can't be reached.
    """
    if not config.enabled:
        yield None
        return
    tracker = _start(config, location, report)
    try:
        yield tracker
    except BaseException:
        tracker.finish(report, "FAILED")
        raise
    tracker.finish(report, "FINISHED")


def _start(config: TrackingConfig, location: Table, report: Report) -> Tracker:
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    for noisy in ("mlflow", "alembic"):  # importing mlflow sets their levels
        logging.getLogger(noisy).setLevel(logging.ERROR)

    uri = tracking_uri(config, location)
    artifacts = None
    if uri.startswith("sqlite:///"):
        folder = Path(uri.removeprefix("sqlite:///")).parent
        folder.mkdir(parents=True, exist_ok=True)
        artifacts = (folder / "mlartifacts").as_uri()
    try:
        client = MlflowClient(uri)
        found = client.get_experiment_by_name(config.experiment)
        experiment = found.experiment_id if found else client.create_experiment(config.experiment, artifact_location=artifacts)
        run = client.create_run(experiment, run_name=f"{report.job} {report.run_id}")
    except MlflowException as error:
        raise ConfigError(f"tracking.uri {uri!r}: {str(error).splitlines()[0]}") from error
    return Tracker(client, run.info.run_id)
