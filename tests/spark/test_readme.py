"""What the README says, tried from a clone in another folder."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from jobs.common.config import JobConfig

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The README's fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_example_prints_what_stands_below_it() -> None:
    """To the letter."""
    (code,) = blocks("python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - our own README
    shown = README.partition(code)[2].removeprefix("```\n\n").partition("\n\n")[0]
    assert printed.getvalue().splitlines() == [line.removeprefix("    ") for line in shown.splitlines()]


def test_the_yaml_example_is_a_configuration() -> None:
    """No key of it is unknown."""
    for block in blocks("yaml"):
        JobConfig.model_validate(yaml.safe_load(block))


def test_the_packaged_configuration_holds_the_defaults() -> None:
    """What conf/local.yaml shows is what a job takes when nothing is set."""
    shown = JobConfig.model_validate(yaml.safe_load((ROOT / "conf" / "local.yaml").read_text(encoding="utf-8")))
    bare = JobConfig.model_validate({"ingest": {"source": "./docs"}, "embedding": {}})
    assert shown == bare


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout can be cloned")
def test_the_demo_from_a_clone(tmp_path: Path) -> None:
    """The two commands are there, and the demo runs on a folder of one's own: ingest, build, three answers, nothing to do."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        subprocess.run(["make", "--dry-run", target], cwd=clone, check=True, capture_output=True)
    documents = tmp_path / "own"
    documents.mkdir()
    (documents / "retry.md").write_text("# Retrying\n\nCall again with a growing pause between tries.", encoding="utf-8")
    (documents / "notes.txt").write_text("Boats wait in the harbour for the tide.", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(clone), "HF_HUB_OFFLINE": "1", "DOCS": str(documents)}

    done = subprocess.run(
        [sys.executable, "-m", "jobs.run_demo"], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert "2 documents read, 0 quarantined" in done.stdout
    assert "1. Retrying" in done.stdout
    assert "2 documents unchanged, 0 chunks and 0 vectors written" in done.stdout
    assert (clone / "demo" / "own" / "lake" / "vectors" / "_delta_log").is_dir()
