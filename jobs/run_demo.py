"""The demo: documents that are on every machine, ingested, chunked, embedded late, searched; then a second build."""

import importlib.metadata
import os
import re
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from chunking.errors import SparkchunkError
from jobs import build_tables, ingest_documents, search_chunks
from jobs.common.command import build_parser, run_as_script
from jobs.common.config import JobConfig, load_config
from jobs.common.passages import render_passages
from jobs.common.report import Report
from jobs.common.session import get_spark
from jobs.common.state import Lake
from jobs.common.summary import number, render, strategies_taken
from jobs.common.tables import Table
from jobs.common.tracking import tracking_uri
from udfs import embed_texts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLE = "python -m jobs.run_demo --docs ./my-documents"
SUFFIXES = {"text/markdown": ".md", "text/x-rst": ".rst"}
SHORTEST = 200
LONGEST = 40_000
"""Characters: a handful of packages append their whole changelog; the demo leaves those out unless asked for all."""
QUESTIONS = (
    "How can I retry a function that fails?",
    "How do I count the tokens of a text?",
    "Which library splits text into sentences?",
)


@dataclass(frozen=True)
class Demo:
    """Where the demo works and what it asks: nothing stands for the titles of what it finds."""

    folder: Path
    source: Path
    questions: Sequence[str]

    def overrides(self) -> list[str]:
        """The settings in which the demo differs from the packaged configuration."""
        return [
            f"ingest.source={self.source}",
            f"documents.table={self.folder / 'lake' / 'documents'}",
            f"output.location={self.folder / 'lake'}",
            "output.max_quarantined=1",
            "documents.missing=delete",
            "chunking.strategy=auto",
            "chunking.chunk_size=256",
        ]


def write_descriptions(folder: Path, longest: int | None = LONGEST) -> tuple[int, int]:
    """Write the long description of every installed package as a file; returns how many, and how many were too long."""
    folder.mkdir(parents=True, exist_ok=True)
    written, left_out = set(), 0
    for package in importlib.metadata.distributions():
        text = str(package.metadata.get("Description") or package.metadata.get_payload() or "")
        name = re.sub(r"[^A-Za-z0-9._-]", "_", package.metadata["Name"])
        if len(text.strip()) < SHORTEST or name == "sparkchunk":
            continue
        if longest and len(text) > longest:
            left_out += 1
            continue
        kind = (package.metadata.get("Description-Content-Type") or "").partition(";")[0].strip()
        path = folder / f"{name}{SUFFIXES.get(kind, '.txt')}"
        path.write_text(text, encoding="utf-8", errors="replace")
        written.add(path)
    for stale in set(folder.iterdir()) - written:
        stale.unlink()
    return len(written), left_out


def run(spark: "SparkSession", demo: Demo, config: JobConfig) -> list[Report]:
    """Ingest, build, ask, build again; returns the three reports."""
    step("1  Ingest: files into a Delta table of documents")
    reports = [ingest_documents.run(spark, config)]
    print(f"   {count(reports[0], 'documents_in')} documents read, {count(reports[0], 'quarantined')} quarantined")
    step("2  Build: chunks of at most 256 tokens, and late vectors pooled from whole documents")
    reports.append(build_tables.run(spark, config))
    print(f"   {count(reports[1], 'chunks')} chunks and {count(reports[1], 'vectors')} vectors written")
    step("3  Ask: exact search over the vectors, in Spark")
    searcher = search_chunks.Searcher(spark, config)
    for question in demo.questions or titles(spark, config):
        print(f"\n   Q: {question}\n")
        print(textwrap.indent(render_passages(searcher.search(question, 2)), "   "))
    print()
    step("4  Build again: nothing has changed")
    reports.append(build_tables.run(spark, config))
    unchanged, written = count(reports[2], "unchanged"), count(reports[2], "chunks")
    print(f"   {unchanged} documents unchanged, {written} chunks and {count(reports[2], 'vectors')} vectors written")
    return reports


def titles(spark: "SparkSession", config: JobConfig) -> list[str]:
    """Three of the documents' own titles, to ask for: what a folder of one's own is about, nobody knows beforehand."""
    titles_df = spark.table(Table(config.documents.table).sql).where("title IS NOT NULL").select("title").distinct()
    return [row["title"] for row in titles_df.orderBy(titles_df["title"].contains("."), "title").limit(3).collect()]


def warm_up(config: JobConfig) -> None:
    """Load the model that embeds the questions while Spark starts: ten seconds that would be spent waiting."""
    with suppress(SparkchunkError):  # whatever is wrong, the build says it
        if config.embedding is not None:
            embed_texts(["warm"], config.embedding, kind="query")


def step(title: str) -> None:
    """A heading."""
    print(f"\n{title}", flush=True)


def count(report: Report, name: str) -> str:
    """A count as text."""
    return number(report.counts.get(name, 0))


def summary(spark: "SparkSession", reports: Sequence[Report], config: JobConfig, demo: Demo, seconds: float) -> str:
    """What a person wants to know at the end, over all steps."""
    ingest, build, again = reports
    totals = _totals(spark, config, build)
    steps = {
        **ingest.seconds,
        **{f"build: {name}": value for name, value in build.seconds.items()},
        "build again": sum(again.seconds.values()),
    }
    lake = config.output.location
    taken = strategies_taken(build)
    build_counts = ", ".join(f"{count(build, name)} {name}" for name in ("chunked", "unchanged", "empty"))
    return render(
        f"Done in {seconds:.0f} s",
        [
            ("documents", f"{count(ingest, 'documents_in')} in; {build_counts}; {count(ingest, 'quarantined')} quarantined"),
            *([("cut as", taken)] if taken else []),
            ("in the tables", f"{number(totals['chunks'])} chunks, {number(totals['tokens'])} tokens, {number(totals['vectors'])} vectors"),
            ("seconds", ", ".join(f"{name} {value:.1f}" for name, value in steps.items())),
            ("chunk version", str(build.chunk_version)),
            ("embed version", str(build.embed_version)),
            ("tables", f"{lake}/{{documents,chunks,vectors,quarantine,versions,runs}}"),
            ("look at runs", f".venv/bin/mlflow ui --backend-store-uri {tracking_uri(config.tracking, Table(lake))}"),
            ("ask your own", f'.venv/bin/python -m jobs.run_demo{"" if demo.questions else " --docs ."} --ask "your question"'),
        ],
    )  # fmt: skip


def _totals(spark: "SparkSession", config: JobConfig, build: Report) -> dict[str, int]:
    """What the two versions hold."""
    lake = Lake(spark, Table(config.output.location))
    chunks, vectors = lake.version(str(build.chunk_version)), lake.version(str(build.embed_version))
    return {
        "chunks": chunks["rows"] if chunks else 0,
        "tokens": chunks["tokens"] if chunks else 0,
        "vectors": vectors["rows"] if vectors else 0,
    }


def main(argv: Sequence[str] | None = None) -> None:
    """The demo command."""
    parser = build_parser("demo", __doc__, EXAMPLE)
    parser.add_argument(
        "--docs", default=os.environ.get("DOCS") or None, help="a folder of your own instead of the packages' descriptions"
    )
    parser.add_argument("--folder", default="demo", help="where the demo puts its files and tables (./demo)")
    parser.add_argument("--all", action="store_true", help="take the longest descriptions too")
    parser.add_argument("--ask", metavar="QUESTION", help="only ask one question of the tables that are there")
    args = parser.parse_args(argv)
    started = monotonic()
    folder = Path(args.folder) / ("own" if args.docs else "packages")
    demo = Demo(folder, Path(args.docs) if args.docs else folder / "documents", () if args.docs else QUESTIONS)
    config = load_config(args.config, [*demo.overrides(), *args.overrides])
    if not args.docs and not args.ask:
        written, left_out = write_descriptions(demo.source, None if args.all else LONGEST)
        print(f"{written} documents: the descriptions of the packages installed here, in {demo.source}")
        if left_out:
            print(f"{left_out} descriptions over {LONGEST:,} characters are left out to keep the demo short (--all takes them)")
    Thread(target=warm_up, args=(config,), daemon=True).start()
    spark = get_spark("sparkchunk demo")
    if args.ask:
        print(render_passages(search_chunks.Searcher(spark, config).search(args.ask, 5)))
        return
    reports = run(spark, demo, config)
    print("\n" + summary(spark, reports, config, demo, monotonic() - started))


if __name__ == "__main__":
    run_as_script(main)
