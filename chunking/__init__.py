"""Chunking documents for retrieval: exact spans, exact token counts, nothing lost. Pure Python, no Spark, no torch."""

from chunking.chunker import Chunker, build_chunker, chunk_document
from chunking.config import ChunkingConfig
from chunking.document import Chunk, Cue, Document, Layout, Span, Text
from chunking.reading import read_text
from chunking.tokenizers import load_tokenizer

__all__ = [
    "Chunk",
    "Chunker",
    "ChunkingConfig",
    "Cue",
    "Document",
    "Layout",
    "Span",
    "Text",
    "build_chunker",
    "chunk_document",
    "load_tokenizer",
    "read_text",
]
