"""A text as the model sees it: content ids with their places, and the special and prefix ids around every window."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunking.reading import repair
from chunking.tokenizers.tokens import Tokens

IS_BLANK = np.array([chr(code).isspace() for code in range(0x3002)])
"""By code point; none beyond these is blank."""


@dataclass(frozen=True, slots=True)
class TextTokens:
    """A text's ids and, for pooling, its tokens: those that hold more than blanks, with their leading blanks trimmed off.

    ``places`` says where in ``ids`` each token stands; ``lead`` and ``trail`` go around every window of ids.
    """

    ids: NDArray[np.int64]
    tokens: Tokens
    places: NDArray[np.int64]
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
        whole = prefix + repair(text)
        encoding = self.inner.encode(whole, add_special_tokens=True)
        ids = np.array(encoding.ids, dtype=np.int64)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        starts, ends = _first_solid(whole, offsets), offsets[:, 1]
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        inside = np.flatnonzero(~special & (starts >= len(prefix)) & (ends > len(prefix)))
        first, after = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (len(ids), len(ids))
        solid = inside[starts[inside] < ends[inside]]
        tokens = Tokens(*(np.maximum.accumulate(edges[solid]) - len(prefix) for edges in (starts, ends)))
        return TextTokens(ids[first:after], tokens, solid - first, ids[:first].tolist(), ids[after:].tolist())


def _first_solid(text: str, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each token's first character that isn't blank stands, else its end: many vocabularies glue blanks to a word."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    solid = np.append(np.flatnonzero(~IS_BLANK[np.minimum(codes, len(IS_BLANK) - 1)]), len(text))
    starts: NDArray[np.int64] = np.minimum(solid[solid.searchsorted(offsets[:, 0])], offsets[:, 1])
    return starts
