"""Tokenizers of Hugging Face models, the embedder's own among them."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chunking.errors import ConfigError
from chunking.model_files import model_folder
from chunking.tokenizers.registry import register_tokenizer
from chunking.tokenizers.tokens import Tokens
from chunking.versions import canonical_json

TOKENIZER_FILES = ("tokenizer*", "vocab*", "merges*", "*.model", "special_tokens_map.json", "config.json")


@dataclass(frozen=True)
class HfTokenizer:
    """A ``tokenizers`` tokenizer whose truncation and padding are switched off."""

    name: str
    fingerprint: str
    special_tokens: int
    inner: Any

    def count(self, text: str) -> int:
        return len(self.inner.encode(text, add_special_tokens=False))

    def spans(self, text: str) -> Tokens:
        offsets = np.array(self.inner.encode(text, add_special_tokens=False).offsets, dtype=np.int64).reshape(-1, 2)
        return Tokens(np.maximum.accumulate(offsets[:, 0]), np.maximum.accumulate(offsets[:, 1]))

    def count_slice(self, text: str, tokens: Tokens, start: int, end: int) -> int:
        return self.count(text[start:end])


@register_tokenizer("hf")
def load(rest: str) -> HfTokenizer:
    """Read a model's tokenizer.json, or convert its slow tokenizer by transformers.

    Raises:
        ConfigError: the model isn't here, or carries no tokenizer.
    """
    return from_folder(model_folder(rest, files=TOKENIZER_FILES), f"hf:{rest}")


def from_folder(folder: Path, name: str) -> HfTokenizer:
    """The tokenizer whose files lie in ``folder``."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    inner = Tokenizer.from_file(str(path)) if path.is_file() else _convert_slow(folder, name)
    inner.no_truncation()
    inner.no_padding()
    inner.encode_special_tokens = True  # "[SEP]" in a text is ordinary text
    return HfTokenizer(name, _fingerprint(inner), inner.num_special_tokens_to_add(False), inner)


def _convert_slow(folder: Path, name: str) -> Any:
    try:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(str(folder), local_files_only=True).backend_tokenizer
    except ImportError as error:
        raise ConfigError(f"tokenizer {name!r}: no tokenizer.json in {folder}, and transformers isn't installed") from error
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"tokenizer {name!r}: no tokenizer that could be read in {folder}") from error


def _fingerprint(inner: Any) -> str:
    settings = json.loads(inner.to_str())
    return hashlib.sha256(canonical_json(settings).encode()).hexdigest()
