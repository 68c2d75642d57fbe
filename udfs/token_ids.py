"""A text as the model sees it: content ids with their places, and the special and prefix ids around every window."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunking.tokenizers.tokens import Tokens


@dataclass(frozen=True, slots=True)
class TextTokens:
    """Content ids and their tokens, leading blanks trimmed off; ``lead`` and ``trail`` go around every window of them."""

    ids: NDArray[np.int64]
    tokens: Tokens
    lead: list[int]
    trail: list[int]

    def window(self, first: int, last: int) -> list[int]:
        """The ids of one window, with its own special and prefix tokens."""
        return [*self.lead, *self.ids[first:last].tolist(), *self.trail]


@dataclass(frozen=True)
class Tokenization:
    """Wraps a ``tokenizers`` tokenizer with truncation and padding off."""

    inner: Any

    def tokenize(self, text: str, prefix: str = "") -> TextTokens:
        """Encode prefix and text together, as the model was trained, and tell them apart by their characters."""
        whole = prefix + text
        encoding = self.inner.encode(whole, add_special_tokens=True)
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        ids = np.array(encoding.ids, dtype=np.int64)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        starts, ends = _trim(whole, offsets)
        content = ~special & (starts >= len(prefix)) & (ends > starts)
        inside = np.flatnonzero(content)
        first, after = (inside[0], inside[-1] + 1) if len(inside) else _empty_place(special)
        tokens = Tokens(np.maximum.accumulate(starts[content]) - len(prefix), np.maximum.accumulate(ends[content]) - len(prefix))
        return TextTokens(ids[content], tokens, ids[:first].tolist(), ids[after:].tolist())


def _trim(text: str, offsets: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Some vocabularies glue the blank before a word to it: a token starts at its first character that isn't blank."""
    starts, ends = offsets[:, 0].copy(), offsets[:, 1]
    for row in range(len(starts)):
        start, end = int(starts[row]), int(ends[row])
        if start < end and text[start].isspace():
            starts[row] = end - len(text[start:end].lstrip())
    return starts, ends


def _empty_place(special: NDArray[np.bool_]) -> tuple[int, int]:
    """Where content would stand when there is none: after the leading special token."""
    place = min(1, len(special))
    return place, place
