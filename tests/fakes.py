"""Encoders without a model, for what the engine itself must get right."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chunking.errors import OutOfMemoryError
from chunking.pooling import Floats2d
from chunking.tokenizers.tokens import Tokens
from udfs.models import EncoderSpec
from udfs.token_ids import TextTokens

CLS, SEP, INSTRUCTION = 1000, 2000, 9000


def spec_of(**settings: Any) -> EncoderSpec:
    """A spec of two dimensions and 64 positions that leaves vectors as they are."""
    fixed: dict[str, Any] = {
        "model": "fake", "revision": None, "fingerprint": "fake", "dimension": 2, "max_tokens": 64, "mode": "late", "window": 64,
        "window_overlap": 0, "ownership": "centre", "pooling": "mean", "query_prefix": "", "passage_prefix": "",
        "normalize": False, "truncate_dim": None, "dtype": "float32", "batch_tokens": 4096, "device": "cpu", "attention": "sdpa",
    }  # fmt: skip
    return EncoderSpec(**fixed | settings)


@dataclass
class OrdinalEncoder:
    """Stub-ordinal: the tokens are the matches of ``t[0-9]+``; the state of ``tN`` is ``[N, 1]`` and nothing else's is small.

    ``calls`` keeps the ids of every forward pass; more than ``memory`` positions in one are out of memory.
    """

    spec: EncoderSpec = field(default_factory=spec_of)
    memory: int = 1 << 30
    calls: list[list[list[int]]] = field(default_factory=list)

    def tokenize(self, text: str, prefix: str = "") -> TextTokens:
        found = list(re.finditer("t([0-9]+)", text))
        edges = np.array([match.span() for match in found], dtype=np.int64).reshape(-1, 2)
        ids = np.array([int(match[1]) for match in found], dtype=np.int64)
        lead = [CLS, *(INSTRUCTION for _ in prefix.split())]
        return TextTokens(ids, Tokens(edges[:, 0], edges[:, 1]), np.arange(len(ids)), lead, [SEP])

    def states(self, windows: Sequence[Sequence[int]]) -> list[Floats2d]:
        positions = len(windows) * max(map(len, windows))
        if positions > self.memory:
            raise OutOfMemoryError(f"{positions} positions are over {self.memory}")
        self.calls.append([list(window) for window in windows])
        return [np.array([[token, 1] for token in window], dtype=np.float32) for window in windows]


@dataclass
class TableEncoder:
    """One token a word, whose state is what ``table`` holds for it; no special tokens."""

    table: Mapping[str, Sequence[float]]
    spec: EncoderSpec = field(default_factory=spec_of)
    seen: list[str] = field(default_factory=list)

    def tokenize(self, text: str, prefix: str = "") -> TextTokens:
        found = list(re.finditer(r"\S+", text))
        edges = np.array([match.span() for match in found], dtype=np.int64).reshape(-1, 2)
        self.seen += [match[0] for match in found if match[0] not in self.seen]
        ids = np.array([self.seen.index(match[0]) for match in found], dtype=np.int64)
        return TextTokens(ids, Tokens(edges[:, 0], edges[:, 1]), np.arange(len(ids)), [], [])

    def states(self, windows: Sequence[Sequence[int]]) -> list[Floats2d]:
        return [np.array([self.table[self.seen[token]] for token in window], dtype=np.float32) for window in windows]


def letter_counts(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Texts as vectors of how often each letter comes; a text without any is a vector of zeros."""
    return np.array(
        [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts], dtype=np.float32
    ).reshape(-1, 26)
