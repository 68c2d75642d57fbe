"""List the versions in the output location: what each key stands for and how many rows it has."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunking.errors import InputError
from jobs.common.command import build_parser, run_as_script
from jobs.common.config import JobConfig, load_config
from jobs.common.schemas import VERSIONS
from jobs.common.session import get_spark
from jobs.common.state import Lake
from jobs.common.summary import number, table
from jobs.common.tables import Table

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

EXAMPLE = "sparkchunk versions list --config conf/local.yaml"


def run(spark: "SparkSession", config: JobConfig) -> list["Row"]:
    """The rows of ``versions``, oldest first.

    Raises:
        InputError: there is no such table.
    """
    lake = Lake(spark, Table(config.output.location))
    if not lake.has(VERSIONS):
        raise InputError(f"output.location {config.output.location}: no versions yet; run build first")
    return lake.read(VERSIONS).orderBy("created_at", "version").collect()


def render(versions: Sequence["Row"]) -> str:
    """A line a version."""
    header = ["version", "kind", "status", "documents", "rows", "settings", "created"]
    lines = [
        [
            row["version"], row["kind"], row["status"], number(row["documents"] or 0), number(row["rows"] or 0),
            _settings(row["kind"], json.loads(row["config"])) + (f" on {row['parent_version']}" if row["parent_version"] else ""),
            f"{row['created_at']:%Y-%m-%d %H:%M}",
        ]
        for row in versions
    ]  # fmt: skip
    return table(header, lines)


def _settings(kind: str, config: dict[str, object]) -> str:
    if kind == "chunks":
        return f"{config['strategy']} {config['chunk_size']}/{config['chunk_overlap']} {config['tokenizer']}"
    return f"{config['mode']} {config['window']}/{config['window_overlap']} {config.get('model', '')}"


def main(argv: Sequence[str] | None = None) -> None:
    """The versions command."""
    parser = build_parser("versions", __doc__, EXAMPLE)
    parser.add_argument("action", choices=["list"], help="what to do")
    args = parser.parse_args(argv)
    print(render(run(get_spark("sparkchunk versions"), load_config(args.config, args.overrides))))


if __name__ == "__main__":
    run_as_script(main)
