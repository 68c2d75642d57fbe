"""What a run did, filled in while it runs: counts, seconds, keys."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from uuid import uuid4

from chunking.errors import RunError


@dataclass
class Report:
    """Filled in while a job runs."""

    job: str
    run_id: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid4().hex[:6]}")
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    chunk_version: str | None = None
    embed_version: str | None = None
    input_table: str | None = None
    input_version: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the block's time to ``step``."""
        start = monotonic()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + monotonic() - start

    def count(self, **counts: int) -> None:
        """Add to the counts."""
        for name, value in counts.items():
            self.counts[name] = self.counts.get(name, 0) + value

    def reconcile(self, stage: str, total: int, parts: Mapping[str, int]) -> None:
        """Check that every document of a stage is accounted for.

        Raises:
            RunError: the parts don't add up to ``total``.
        """
        if sum(parts.values()) != total:
            listed = " + ".join(f"{value} {name}" for name, value in parts.items())
            raise RunError(
                f"{stage}: {total} documents in, but {listed} = {sum(parts.values())}; the tables hold what was committed"
            )
