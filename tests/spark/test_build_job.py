"""The build job with the bundled model: vectors for every chunk, kept current, tracked, and searched."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from pyspark.sql import SparkSession

from chunking import Document, chunk_document
from chunking.errors import InputError
from jobs import build_tables, chunk_documents, embed_chunks, search_chunks
from jobs.common.config import JobConfig
from jobs.common.passages import render_passages
from jobs.common.report import Report
from tests.spark.conftest import Lake
from udfs import EmbeddingConfig, embed_documents, embed_texts

TEXTS: dict[str, str | None] = {
    "cats": "Cats sleep most of the day.\n\nA cat purrs when it is content.",
    "boats": "Boats wait in the harbour for the tide.\n\nFog hides the pier at dawn.",
    "blank": "  ",
}
SIZES = {"tokenizer": "words", "chunk_size": 10, "parent_chunk_size": 20, "recursive": {"separators": ["\n\n"]}}


def config_of(lake: Lake, mode: str, **blocks: object) -> JobConfig:
    """A configuration with the bundled model."""
    return lake.config(chunking=SIZES, embedding={"mode": mode}, **blocks)


def vectors(lake: Lake, version: str | None) -> dict[str, np.ndarray]:
    """Vectors of a version by chunk text."""
    rows = (
        lake.read("vectors")
        .where(f"embed_version = '{version}'")
        .join(lake.read("chunks").select("chunk_id", "text"), "chunk_id")
    )
    return {row["text"]: np.array(row["embedding"], dtype=np.float32) for row in rows.collect()}


@pytest.fixture(scope="module")
def built(spark: SparkSession, empty_tables: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Lake, Report]:
    """A lake after its first build in late mode, tracked in its own folder: to be read, and copied by who changes it."""
    folder = tmp_path_factory.mktemp("built") / "lake"
    shutil.copytree(empty_tables, folder)
    lake = Lake(spark, folder)
    lake.put(TEXTS)
    tracking = {"enabled": True, "uri": f"sqlite:///{folder}/mlflow.db"}
    return lake, build_tables.run(spark, config_of(lake, "late", tracking=tracking))


@pytest.fixture
def lake(built: tuple[Lake, Report], tmp_path: Path) -> Lake:
    """A copy of it."""
    shutil.copytree(built[0].folder, tmp_path / "lake")
    return Lake(built[0].spark, tmp_path / "lake")


def test_the_tables_hold_what_the_pure_functions_give(built: tuple[Lake, Report]) -> None:
    """A vector for every chunk, normalised; the run and its keys are in MLflow."""
    lake, report = built
    assert (report.counts["chunks"], report.counts["vectors"], report.counts["empty"]) == (4, 4, 1)
    text = str(TEXTS["cats"])
    expected = embed_documents([(text, [(0, 27), (29, len(text))])], EmbeddingConfig())[0]
    found = vectors(lake, report.embed_version)
    np.testing.assert_allclose(found["Cats sleep most of the day."], expected[0], atol=1e-5)
    assert all(abs(np.linalg.norm(vector) - 1) < 1e-5 for vector in found.values())
    _check_tracking(f"sqlite:///{lake.folder}/mlflow.db", report.chunk_version, report.embed_version)


def test_an_edit_costs_its_document_only(lake: Lake) -> None:
    """Nothing is done twice, and what an edit takes away is gone."""
    before = lake.versions()
    again = build_tables.run(lake.spark, config_of(lake, "late"))
    assert (again.counts["vectors"], again.counts["embed_unchanged"]) == (0, 2)
    assert lake.versions() == before

    lake.put(TEXTS | {"cats": "A cat purrs when it is content."})
    edited = build_tables.run(lake.spark, config_of(lake, "late"))
    assert (edited.counts["embedded"], edited.counts["embed_unchanged"]) == (1, 1)
    assert set(vectors(lake, edited.embed_version)) == {
        "A cat purrs when it is content.", "Boats wait in the harbour for the tide.", "Fog hides the pier at dawn.",
    }  # fmt: skip


def test_naive_vectors_are_reused(lake: Lake) -> None:
    """Another mode is another version of the same chunks; another size takes over the vectors of texts that stayed."""
    naive = build_tables.run(lake.spark, config_of(lake, "naive"))
    assert (naive.counts["unchanged"], naive.counts["vectors"]) == (2, 4)
    expected = embed_texts(["Fog hides the pier at dawn."], EmbeddingConfig(mode="naive"))
    np.testing.assert_allclose(vectors(lake, naive.embed_version)["Fog hides the pier at dawn."], expected[0], atol=1e-5)

    smaller = lake.config(chunking=SIZES | {"chunk_size": 9}, embedding={"mode": "naive"})
    reused = build_tables.run(lake.spark, smaller)
    assert (reused.counts["vectors"], reused.counts["vectors_reused"]) == (4, 4)


def _check_tracking(uri: str, chunk_version: str | None, embed_version: str | None) -> None:
    from mlflow import MlflowClient

    client = MlflowClient(uri)
    experiment = client.get_experiment_by_name("sparkchunk")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.info.status == "FINISHED"
    assert run.data.params["chunking.chunk_size"] == "10"
    assert (run.data.tags["chunk_version"], run.data.tags["embed_version"]) == (chunk_version, embed_version)
    assert run.data.metrics["vectors"] == 4
    assert run.inputs.dataset_inputs[0].dataset.digest == "v0"
    assert [artifact.path for artifact in client.list_artifacts(run.info.run_id)] == ["config.yaml"]


def test_search(built: tuple[Lake, Report]) -> None:
    """The right passage first, with its span; a context within its budget; a version that isn't there is named."""
    lake, _ = built
    searcher = search_chunks.Searcher(lake.spark, config_of(lake, "late"))

    best = searcher.search("Which animal purrs?", 2)[0]
    assert best.hit.doc_id == "cats"
    assert str(TEXTS["cats"])[best.hit.start : best.hit.end] == best.text
    assert "cats [" in render_passages([best])

    context = searcher.context("Where do boats wait?", 15)
    assert sum(len(text.split()) for _, _, text in context) <= 15
    assert context[0][2].startswith("Boats wait")

    (parent, *others) = searcher.search("Which animal purrs?", 2, parents=True)
    assert (parent.text, parent.hit.score) == (TEXTS["cats"], best.hit.score)
    assert "cats" not in {other.hit.doc_id for other in others}
    assert searcher.search("Which animal purrs?", 2, neighbours=1)[0].text == TEXTS["cats"]

    with pytest.raises(InputError, match="isn't there; run build with it"):
        search_chunks.Searcher(lake.spark, config_of(lake, "naive"))


def test_stale_chunks_wait_for_the_chunk_job(lake: Lake) -> None:
    """Embed pairs chunks only with the text they were cut from."""
    lake.put(TEXTS | {"cats": "Another text altogether."})

    report = embed_chunks.run(lake.spark, config_of(lake, "naive"))

    assert (report.counts["embedded"], report.counts["stale"]) == (1, 1)
    naive = lake.read("vectors").where(f"embed_version = '{report.embed_version}'")
    assert {row["doc_id"] for row in naive.collect()} == {"boats"}
    config = lake.read("versions").where(f"version = '{report.embed_version}'").first()["config"]
    assert json.loads(config)["mode"] == "naive"


def test_what_was_not_built_is_named(bare_lake: Lake) -> None:
    """No tables yet: which job comes first."""
    bare_lake.put(TEXTS)
    with pytest.raises(InputError, match="run build first"):
        search_chunks.Searcher(bare_lake.spark, config_of(bare_lake, "late"))
    with pytest.raises(InputError, match="run the chunk job first"):
        embed_chunks.run(bare_lake.spark, config_of(bare_lake, "late"))


def test_semantic_chunks_by_the_configured_model(lake: Lake) -> None:
    """Workers load the model; the tables hold what the pure function gives with the same vectors."""
    text = (
        "Cats sleep most of the day. A cat purrs when it is content. The ferry leaves at noon. The harbour is closed to ferries."
    )
    lake.put({"d": text})
    chunking = {"strategy": "semantic", "tokenizer": "words", "chunk_size": 30, "min_chunk_size": 1, "semantic": {"window": 0}}
    config = lake.config(chunking=chunking, embedding={"mode": "late"})

    report = chunk_documents.run(lake.spark, config)

    def embed(texts: Sequence[str]) -> np.ndarray:
        return embed_texts(texts, EmbeddingConfig(mode="naive"))

    wanted = chunk_document(Document("d", text), config.resolved().chunking, embed)
    assert lake.texts("d") == [chunk.text for chunk in wanted]
    assert len(wanted) == report.counts["chunks"] == 2
