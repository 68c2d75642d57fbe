"""Sizes in code points."""

from dataclasses import dataclass

import numpy as np

from chunking.tokenizers.registry import register_tokenizer
from chunking.tokenizers.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Characters:
    """One token for each code point."""

    name: str = "characters"
    fingerprint: str = "characters"
    special_tokens: int = 0

    def count(self, text: str) -> int:
        return len(text)

    def spans(self, text: str) -> Tokens:
        edges = np.arange(len(text) + 1, dtype=np.int64)
        return Tokens(edges[:-1], edges[1:])

    def count_slice(self, text: str, tokens: Tokens, start: int, end: int) -> int:
        return end - start


@register_tokenizer("characters")
def load(rest: str) -> Characters:
    """The only tokenizer that needs nothing."""
    return Characters()
