"""What a tokenizer gives: the spans of a text's tokens, and counts."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Tokens:
    """Starts and ends of a text's tokens, in code points; a token that holds part of a character spans the whole one."""

    starts: NDArray[np.integer]
    ends: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.starts)


class Tokenizer(Protocol):
    """Counts and locates the tokens of a text; special-token text is ordinary text, nothing is ever truncated."""

    @property
    def name(self) -> str:
        """The name under which ``load_tokenizer`` finds it."""

    @property
    def fingerprint(self) -> str:
        """Identity of the vocabulary and its rules, wherever it was loaded from."""

    @property
    def special_tokens(self) -> int:
        """How many tokens the model's own template adds around a text."""

    def count(self, text: str) -> int:
        """Number of tokens of ``text`` encoded on its own, special tokens not included."""

    def spans(self, text: str) -> Tokens:
        """The tokens of ``text`` in order."""

    def count_slice(self, text: str, tokens: Tokens, start: int, end: int) -> int:
        """``count(text[start:end])``; ``tokens`` are those of the whole ``text``, to save encoding it again."""
