"""Exact search as a worker does it: each batch of vectors is one matrix product, of which the best rows go on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chunking.pooling import Floats2d

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCORED = pa.schema([pa.field("chunk_id", pa.string()), pa.field("score", pa.float64())])


def best_rows(chunk_ids: list[str], vectors: Floats2d, query: Floats2d, depth: int) -> list[tuple[str, float]]:
    """The ``depth`` rows of the highest cosine with ``query``, ties by chunk id."""
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    products = np.einsum("ij,j->i", vectors, query, dtype=np.float64)  # unlike BLAS, equal rows give equal scores anywhere
    scores = products / np.where(norms == 0, 1, norms)
    ranked = sorted(zip(chunk_ids, scores.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
    return ranked[:depth]


def with_scores(vectors_df: "DataFrame", query: Floats2d, depth: int) -> "DataFrame":
    """Rows of ``SCORED``: the best ``depth`` of every batch of ``vectors_df`` (``chunk_id, embedding``)."""
    from pyspark.sql.pandas.types import from_arrow_schema

    def on_worker(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            flat = batch.column("embedding").flatten().to_numpy(zero_copy_only=False)
            vectors = flat.astype(np.float32, copy=False).reshape(batch.num_rows, len(query))
            rows = best_rows(batch.column("chunk_id").to_pylist(), vectors, query, depth)
            yield pa.RecordBatch.from_pylist([{"chunk_id": key, "score": score} for key, score in rows], schema=SCORED)

    return vectors_df.select("chunk_id", "embedding").mapInArrow(on_worker, from_arrow_schema(SCORED))
