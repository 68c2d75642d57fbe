"""The command line: ``python -m jobs <job>``, installed as ``sparkchunk <job>``."""

import sys
from collections.abc import Sequence
from importlib import import_module

from chunking.errors import ConfigError, nearest
from jobs.common.command import Main, run_as_script

JOBS = {
    "ingest": "ingest_documents",
    "chunk": "chunk_documents",
    "embed": "embed_chunks",
    "build": "build_tables",
    "search": "search_chunks",
    "versions": "list_versions",
}


def load_main(job: str) -> Main:
    """The ``main`` of a job; only its own modules are imported.

    Raises:
        ConfigError: there is no such job.
    """
    if job not in JOBS:
        raise ConfigError(f"unknown job {job!r}{nearest(job, JOBS) or ';'} known: {', '.join(JOBS)}")
    main: Main = import_module(f"jobs.{JOBS[job]}").main
    return main


def usage() -> str:
    """A line a job."""
    width = max(map(len, JOBS))
    lines = [f"  {job:<{width}}  {(import_module(f'jobs.{name}').__doc__ or '').splitlines()[0]}" for job, name in JOBS.items()]
    return "\n".join(["usage: sparkchunk <job> [options]   (sparkchunk <job> --help shows them with an example)", "", *lines])


def main(argv: Sequence[str] | None = None) -> None:
    """Dispatch to a job; returns on success and raises on failure."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return
    load_main(arguments[0])(arguments[1:])


def cli() -> None:
    """The installed command."""
    run_as_script(main)


if __name__ == "__main__":
    cli()
