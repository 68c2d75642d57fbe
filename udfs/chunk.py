"""Chunking as a worker does it: a row a document in, a row a document out, with its chunks or why there are none."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from chunking import ChunkingConfig, build_chunker
from chunking.chunker import Chunker
from chunking.document import Chunk
from chunking.errors import NoDirectionError
from chunking.pooling import Floats2d
from chunking.strategies import Embed
from udfs.embed import AnyEncoder, naive_vectors
from udfs.models import EncoderSpec, load_encoder
from udfs.rows import CHUNK, DOCUMENT_COLUMNS, FAILURE, FAULTS, NO_FAILURE, Row, RowFunction, document_of, failure, map_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHUNKED = pa.schema(
    [
        pa.field("doc_id", pa.string()),
        pa.field("doc_hash", pa.string()),
        pa.field("tokens", pa.int64()),
        pa.field("chunks", pa.list_(pa.struct(list(CHUNK)))),
        *FAILURE,
    ]
)


def chunk_rows(rows: Iterable[Row], chunker: Chunker, embed: Embed | None = None) -> Iterator[Row]:
    """For each document row one row of ``CHUNKED``; a blank document has no chunks, a failed one an error class."""
    for row in rows:
        done = {"doc_id": row["doc_id"], "doc_hash": row["doc_hash"], "tokens": 0, "chunks": [], **NO_FAILURE}
        try:
            chunks = chunker.chunk(document_of(row), embed)
            done["chunks"] = [chunk_row(chunk) for chunk in chunks]
            done["tokens"] = sum(chunk.token_count for chunk in chunks if chunk.kind == "chunk")
        except FAULTS as error:
            done |= failure(error)
        yield done


def sentence_vectors(encoder: AnyEncoder) -> Embed:
    """Texts to naive vectors; one without a token in the model's vocabulary has a vector of zeros.

    Raises:
        DocumentError: a vector isn't finite, or the device's memory is too small.
    """

    def embed(texts: Sequence[str]) -> Floats2d:
        vectors = np.zeros((len(texts), encoder.spec.out_dimension), dtype=np.float32)
        for place, result in enumerate(naive_vectors(texts, encoder)):
            if not isinstance(result, Exception):
                vectors[place] = result[0]
            elif not isinstance(result, NoDirectionError):
                raise result
        return vectors

    return embed


def chunk_row(chunk: Chunk) -> Row:
    """A chunk as a row of ``CHUNK``."""
    row = {name: getattr(chunk, name) for name in CHUNK.names}
    row["metadata"] = sorted(chunk.metadata.items())
    return row


def with_chunks(documents_df: "DataFrame", config: ChunkingConfig, spec: EncoderSpec | None = None) -> "DataFrame":
    """One row of ``CHUNKED`` for each row of ``documents_df``, which has ``DOCUMENT_COLUMNS``.

    Args:
        spec: the model of strategies that need one.

    Raises:
        ConfigError: a tokenizer of the configuration can't be loaded; raised here, on the driver.
    """
    build_chunker(config)
    settings = config.model_dump_json()

    def load() -> RowFunction:
        chunker = build_chunker(ChunkingConfig.model_validate_json(settings))
        embed = sentence_vectors(load_encoder(spec)) if spec else None
        return lambda rows: chunk_rows(rows, chunker, embed)

    return map_rows(documents_df.select(*DOCUMENT_COLUMNS), load, CHUNKED)
