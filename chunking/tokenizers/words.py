"""Sizes in words: runs of characters that aren't blank."""

import re
from dataclasses import dataclass

import numpy as np

from chunking.tokenizers.registry import register_tokenizer
from chunking.tokenizers.tokens import Tokens

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Words:
    """One token for each run of non-blank characters."""

    name: str = "words"
    fingerprint: str = "words"
    special_tokens: int = 0

    def count(self, text: str) -> int:
        return len(text.split())

    def spans(self, text: str) -> Tokens:
        edges = np.array([match.span() for match in _WORD.finditer(text)], dtype=np.int64).reshape(-1, 2)
        return Tokens(edges[:, 0], edges[:, 1])

    def count_slice(self, text: str, tokens: Tokens, start: int, end: int) -> int:
        return self.count(text[start:end])


@register_tokenizer("words")
def load(rest: str) -> Words:
    """Needs no vocabulary."""
    return Words()
