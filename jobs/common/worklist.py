"""What a run has to do, found by one comparison: the documents, the rows a version has of them, and its quarantine."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jobs.common.tables import materialise

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

KEYS = ("doc_id", "doc_hash")


@dataclass(frozen=True)
class Worklist:
    """Every document of a stage with its state, decided before anything is committed.

    ``rows_df`` has ``doc_id, doc_hash, characters, state`` and whether the version ``has_rows`` of the document or it
    ``was_quarantined``. States: ``done``, ``held`` in quarantine, ``pending``, ``gone``, and what the stage sets aside.
    """

    rows_df: "DataFrame"
    groups: tuple["Row", ...]

    def count(self, state: str, only: str | None = None) -> int:
        """How many documents are in a state; ``only`` those of which a column of flags is true."""
        return sum(row["documents"] for row in self.groups if row["state"] == state and (only is None or row[only]))

    @property
    def characters(self) -> int:
        """Of the documents there is something to do for."""
        return sum(row["characters"] or 0 for row in self.groups if row["state"] == "pending")

    @property
    def pending_df(self) -> "DataFrame":
        """``doc_id, doc_hash`` of the documents there is something to do for."""
        # columns of its own: Spark can't join a checkpoint with the deduplicated documents that it was made from
        return self.rows_df.where("state = 'pending'").selectExpr("doc_id AS doc_id", "doc_hash AS doc_hash")

    @property
    def gone_df(self) -> "DataFrame":
        """``doc_id`` of the documents that are gone while the version or its quarantine still knows them."""
        return self.rows_df.where("state = 'gone'").selectExpr("doc_id AS doc_id")

    @property
    def all_new(self) -> bool:
        """Whether the version has no rows of any pending document."""
        return not self.count("pending", "has_rows")

    @property
    def any_quarantined(self) -> bool:
        """Whether a pending document was in quarantine."""
        return bool(self.count("pending", "was_quarantined"))


def make_worklist(
    wanted_df: "DataFrame", done_df: "DataFrame", quarantined_df: "DataFrame", aside: "Column", retry: bool
) -> Worklist:
    """Compare ``wanted_df`` (``doc_id, doc_hash, characters``) with ``done_df`` (``doc_id, doc_hash``, repeated or not) and
    ``quarantined_df`` (``doc_id, failed_hash, tried``: by this code, for a reason that a retry doesn't mend).

    ``aside`` is a state for documents that are neither done nor held, null to work on them; it may refer to
    ``characters, has_rows, was_quarantined`` and whatever else ``wanted_df`` has.
    """
    from pyspark.sql import functions as F

    done_df = done_df.groupBy("doc_id").agg(F.max("doc_hash").alias("done_hash"))
    joined_df = wanted_df.join(done_df, "doc_id", "full").join(quarantined_df, "doc_id", "full")
    flagged_df = joined_df.withColumns(
        {"has_rows": F.col("done_hash").isNotNull(), "was_quarantined": F.col("failed_hash").isNotNull()}
    )
    state = (
        F.when(F.col("doc_hash").isNull(), "gone")
        .when(F.col("done_hash") == F.col("doc_hash"), "done")
        .when(F.col("tried") & (F.col("failed_hash") == F.col("doc_hash")) & F.lit(not retry), "held")
        .otherwise(F.coalesce(aside, F.lit("pending")))
    )
    columns = (*KEYS, "characters", "has_rows", "was_quarantined")
    rows_df = materialise(flagged_df.select(*columns, state.alias("state")))
    grouped_df = rows_df.groupBy("state", "has_rows", "was_quarantined")
    totals_df = grouped_df.agg(F.count("*").alias("documents"), F.sum("characters").alias("characters"))
    return Worklist(rows_df, tuple(totals_df.collect()))
