"""What runs on workers: batches in, batches out, over ``chunking`` and the encoder."""

from udfs.embed import embed_documents, embed_texts
from udfs.models import EmbeddingConfig

__all__ = ["EmbeddingConfig", "embed_documents", "embed_texts"]
