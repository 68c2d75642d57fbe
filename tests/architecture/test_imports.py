"""Imports point down only: ``jobs -> udfs -> chunking``; heavy libraries stay where they belong."""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("chunking", "udfs", "jobs")
FORBIDDEN = {
    "chunking": {
        "jobs",
        "udfs",
        "pyspark",
        "pandas",
        "pyarrow",
        "delta",
        "torch",
        "transformers",
        "mlflow",
        "sentence_transformers",
    },
    "udfs": {"jobs", "mlflow", "delta"},
    "jobs": {"torch", "transformers", "notebooks", "tests"},
}
LAZILY = {"chunking/tokenizers/hf.py": {"transformers"}}
"""What a file may import inside a function although its package must not."""


def imported(path: Path, *, lazily: bool = True) -> set[str]:
    """The top-level packages that a file imports; without ``lazily`` only those imported with the file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {name.partition(".")[0] for node in _nodes(tree, lazily=lazily) for name in _names(node)}


def _nodes(node: ast.AST, *, lazily: bool) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
        if lazily or not (for_types or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)):
            yield child
            yield from _nodes(child, lazily=lazily)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_down(package: str) -> None:
    for path in files(package):
        assert not imported(path, lazily=False) & FORBIDDEN[package], path
        assert not (imported(path) & FORBIDDEN[package]) - LAZILY.get(relative(path), set()), path


def test_only_the_encoder_imports_torch_with_itself() -> None:
    users = {relative(path) for path in files("udfs") if imported(path, lazily=False) & {"torch", "transformers"}}
    assert users <= {"udfs/encoder.py"}


def test_workers_need_no_spark_at_import() -> None:
    assert not [path for path in files("udfs") if "pyspark" in imported(path, lazily=False)]


def test_no_job_is_named_like_another_module() -> None:
    """spark-submit puts the folder of the script first on the path."""
    taken = (set(sys.stdlib_module_names) | packages_distributions().keys()) - {"jobs"}
    names = {path.stem for path in (ROOT / "jobs").glob("*.py")} | {
        path.name for path in (ROOT / "jobs").iterdir() if path.is_dir()
    }
    assert not {name for name in names if not name.startswith("__")} & taken


def test_every_import_is_relative_to_nothing() -> None:
    """Files are moved and run alone: names are absolute."""
    for path in (path for package in PACKAGES for path in files(package)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level], path


def test_no_file_in_a_package_is_called_utils() -> None:
    assert not [path for package in PACKAGES for path in files(package) if path.stem in {"utils", "util", "helpers", "common"}]
