"""Work is committed in slices of bounded size; which documents make a slice is decided by their ids alone."""

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHARACTERS_PER_TOKEN = 4
AUTO_TOKENS = 16_000_000
MOST_PARTITIONS = 4000


def count_slices(characters: int, slice_tokens: int | str) -> int:
    """How many slices of about ``slice_tokens`` tokens hold ``characters``."""
    size = AUTO_TOKENS if isinstance(slice_tokens, str) else slice_tokens
    return max(1, ceil(characters / (CHARACTERS_PER_TOKEN * size)))


def take_slice(rows_df: "DataFrame", number: int, total: int) -> "DataFrame":
    """The documents of slice ``number`` of ``total``."""
    from pyspark.sql import functions as F

    return rows_df if total == 1 else rows_df.where(F.pmod(F.xxhash64("doc_id"), F.lit(total)) == number)


def spread(rows_df: "DataFrame", characters: int, per_partition: int) -> "DataFrame":
    """Even out the work: partitions of about ``per_partition`` characters, whatever files the rows came from."""
    from pyspark.sql import functions as F

    partitions = min(MOST_PARTITIONS, max(2, ceil(characters / per_partition)))
    return rows_df.repartition(partitions, F.xxhash64("doc_id"))
