"""What every command shares: its arguments, and errors as one line with exit code 2."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunking.errors import SparkchunkError
from jobs.common.session import quiet_logs

Main = Callable[[Sequence[str] | None], None]


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


@dataclass(frozen=True)
class Options:
    """What the command line adds to the configuration."""

    retry: bool = False
    force: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments that the chunk, embed and build commands share."""
    parser.add_argument("--retry", action="store_true", help="try quarantined documents again")
    parser.add_argument("--force", action="store_true", help="accept an empty source although documents.missing is delete")


def read_options(args: argparse.Namespace) -> Options:
    """Their values."""
    return Options(args.retry, args.force)


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
