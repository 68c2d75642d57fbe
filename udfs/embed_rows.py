"""Embedding as a worker does it: a row a document with its chunks in, a row a document with its vectors out."""

from collections.abc import Iterable, Iterator
from itertools import tee
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chunking import read_text
from chunking.errors import EmbeddingError
from udfs.embed import AnyEncoder, Result, Unit, late_unit, naive_vectors, run_units
from udfs.models import EncoderSpec, load_encoder
from udfs.rows import FAILURE, NO_FAILURE, VECTOR, Row, RowFunction, document_of, failure, map_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EMBEDDED = pa.schema(
    [
        pa.field("doc_id", pa.string()),
        pa.field("doc_hash", pa.string()),
        pa.field("vectors", pa.list_(pa.struct(list(VECTOR)))),
        *FAILURE,
    ]
)


def embed_rows(rows: Iterable[Row], encoder: AnyEncoder) -> Iterator[Row]:
    """For each row with a document and its ``chunks`` one row of ``EMBEDDED``; one bad chunk fails its whole document."""
    rows, to_embed = tee(rows)
    results = _late(to_embed, encoder) if encoder.spec.mode == "late" else _naive(to_embed, encoder)
    for row, result in zip(rows, results, strict=True):
        done = {"doc_id": row["doc_id"], "doc_hash": row["doc_hash"], "vectors": [], **NO_FAILURE}
        if isinstance(result, Exception):
            yield done | failure(result)
            continue
        done["vectors"] = [
            {"chunk_id": chunk["chunk_id"], "embedding": vector, "embed_hash": chunk["embed_hash"]}
            for chunk, vector in zip(row["chunks"], result, strict=True)
        ]
        yield done


def _late(rows: Iterable[Row], encoder: AnyEncoder) -> Iterator[Result]:
    rows, to_embed = tee(rows)

    def start(row: Row) -> Unit:
        return late_unit(read_text(document_of(row)).text, [(chunk["start"], chunk["end"]) for chunk in row["chunks"]], encoder)

    for row, result in zip(rows, run_units(to_embed, start, encoder), strict=True):
        if isinstance(result, EmbeddingError) and result.index is not None:
            yield _of_chunk(result, row["chunks"][result.index]["chunk_id"])
        else:
            yield result


def _naive(rows: Iterable[Row], encoder: AnyEncoder) -> Iterator[Result]:
    """Chunks of many documents go through together; each document takes back as many vectors as it has chunks."""
    rows, to_embed = tee(rows)
    vectors = naive_vectors((chunk["embed_text"] for row in to_embed for chunk in row["chunks"]), encoder)
    for row in rows:
        results = [next(vectors) for _ in row["chunks"]]
        failed = [(chunk, r) for chunk, r in zip(row["chunks"], results, strict=True) if isinstance(r, Exception)]
        if failed:
            chunk, error = failed[0]
            yield _of_chunk(error, chunk["chunk_id"])
        else:
            none = np.zeros((0, encoder.spec.out_dimension), dtype=np.float32)
            yield np.concatenate([none, *(r for r in results if not isinstance(r, Exception))])


def _of_chunk(error: Exception, chunk_id: str) -> Exception:
    """Of the same class, which says whether it is tried again; a class that takes no message keeps the error as it is."""
    try:
        return type(error)(f"chunk {chunk_id}: {error}")
    except TypeError:
        return error


def with_vectors(documents_df: "DataFrame", spec: EncoderSpec) -> "DataFrame":
    """One row of ``EMBEDDED`` for each row of ``documents_df``, which has the document's columns and ``chunks``."""

    def load() -> RowFunction:
        encoder = load_encoder(spec)
        return lambda rows: embed_rows(rows, encoder)

    return map_rows(documents_df, load, EMBEDDED)
