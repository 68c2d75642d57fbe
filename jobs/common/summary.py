"""The end of a run as a person reads it: counts, seconds, keys and where to look next."""

from collections.abc import Callable

from chunking.errors import RunError
from jobs.common.config import JobConfig
from jobs.common.report import Report
from jobs.common.tables import Table
from jobs.common.tracking import tracking_uri


def render(title: str, rows: list[tuple[str, str]]) -> str:
    """A block of aligned lines under a title."""
    width = max((len(name) for name, _ in rows), default=0)
    lines = [f"  {name:<{width}}  {value}" for name, value in rows]
    return "\n".join([title, *lines])


def number(value: float) -> str:
    """With thousands separators."""
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def table(header: list[str], lines: list[list[str]]) -> str:
    """Columns aligned to their widest cell."""
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    aligned = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in [header, *lines]
    ]
    return "\n".join(aligned)


LABELS = {
    "documents_in": "documents in",
    "new": "new",
    "changed": "changed",
    "chunked": "chunked",
    "empty": "empty",
    "quarantined": "quarantined",
    "unchanged": "unchanged",
    "deleted": "deleted",
    "hidden_files_left_out": "hidden files left out",
    "chunks": "chunks written",
    "tokens": "tokens in them",
    "parents": "parents written",
    "embedded": "documents embedded",
    "embed_quarantined": "quarantined by embed",
    "embed_unchanged": "with current vectors",
    "stale": "stale, left to the next chunk",
    "vectors": "vectors written",
    "vectors_reused": "of them reused",
}
ALWAYS = {"documents_in", "chunked", "quarantined", "unchanged", "chunks", "tokens", "vectors"}
CHANGES = ("new", "changed", "deleted", "chunked", "chunks", "vectors")


def print_summary(run: Callable[[], Report], config: JobConfig) -> Report:
    """Run a job and print how it ended, also when it ends with too many documents in quarantine."""
    try:
        report = run()
    except RunError as error:
        if isinstance(error.report, Report):
            print(render_report(error.report, config))
        raise
    print(render_report(report, config))
    return report


def strategies_taken(report: Report) -> str:
    """How many documents ``auto`` cut by which strategy, most first; empty without ``auto``."""
    taken = {name.removeprefix("as_"): count for name, count in report.counts.items() if name.startswith("as_")}
    return ", ".join(f"{number(count)} {name}" for name, count in sorted(taken.items(), key=lambda item: (-item[1], item[0])))


def render_report(report: Report, config: JobConfig) -> str:
    """Counts, seconds, version keys, and where to look next."""
    counts = [
        (label, number(report.counts[name]))
        for name, label in LABELS.items()
        if report.counts.get(name) or (name in ALWAYS and name in report.counts)
    ]
    if taken := strategies_taken(report):
        counts.append(("documents as", taken))
    seconds = ", ".join(f"{step} {value:.1f}" for step, value in report.seconds.items())
    keys = [("chunk version", report.chunk_version), ("embed version", report.embed_version)]
    where = [("documents", config.documents.table), ("tables", config.output.location)]
    if config.tracking.enabled:
        where.append(("runs", f"mlflow ui --backend-store-uri {tracking_uri(config.tracking, Table(config.output.location))}"))
    rows = [*counts, ("seconds", seconds), *((name, key) for name, key in keys if key), *where, ("run", report.run_id)]
    title = (
        f"{report.job}: done"
        if any(report.counts.get(name) for name in CHANGES)
        else f"{report.job}: nothing to do, all is current"
    )
    return render(title, rows)
