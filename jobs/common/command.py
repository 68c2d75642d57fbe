"""What every command shares: its arguments, and errors as one line with exit code 2."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunking import build_chunker
from chunking.errors import SparkchunkError
from jobs.common.config import JobConfig, load_config
from jobs.common.report import Report
from jobs.common.session import get_spark, quiet_logs
from jobs.common.summary import print_summary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Options:
    """What the command line adds to the configuration."""

    retry: bool = False
    force: bool = False


Main = Callable[[Sequence[str] | None], None]
Run = Callable[["SparkSession", JobConfig, Options], Report]


def build_parser(name: str, description: str | None, example: str) -> argparse.ArgumentParser:
    """A parser with ``--config`` and ``--set``, and an example in its help."""
    parser = argparse.ArgumentParser(
        prog=f"sparkchunk {name}",
        description=description,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", metavar="FILE", help="YAML configuration; without it the packaged conf/local.yaml")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="overrides",
        help="override a setting, by its path; repeatable",
    )
    return parser


def add_force(parser: argparse.ArgumentParser) -> None:
    """``--force``, for commands that delete what went."""
    parser.add_argument("--force", action="store_true", help="accept an empty source although documents.missing is delete")


def run_on_documents(name: str, description: str | None, example: str, run: Run, argv: Sequence[str] | None) -> None:
    """The chunk, embed and build commands: arguments, configuration, session, run, summary."""
    parser = build_parser(name, description, example)
    parser.add_argument("--retry", action="store_true", help="try quarantined documents again")
    add_force(parser)
    args = parser.parse_args(argv)
    config = load_config(args.config, args.overrides)
    build_chunker(config.resolved().chunking)  # a tokenizer or model that isn't there is told of before Spark starts
    spark = get_spark(f"sparkchunk {name}")
    print_summary(lambda: run(spark, config, Options(args.retry, args.force)), config)


def run_as_script(main: Main, argv: Sequence[str] | None = None) -> None:
    """Run ``main`` for a shell: a project error is one clear line and exit code 2, success never calls exit."""
    quiet_logs()
    try:
        main(argv)
    except SparkchunkError as error:
        print(f"sparkchunk: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("sparkchunk: interrupted; what was committed stays, run again to go on", file=sys.stderr)
        sys.exit(130)
