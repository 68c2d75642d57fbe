"""Identity: fingerprints of resolved settings, never counters or random ids."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

CHUNK_FORMAT = 4
"""Raised whenever the same settings would give other chunks, so that no version mixes two generations."""


def canonical_json(value: Any) -> str:
    """The one JSON text of ``value``: keys sorted, no blanks, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def version_key(prefix: str, settings: Mapping[str, Any]) -> str:
    """``prefix`` and the first 12 hex digits of SHA-256 over the canonical JSON of ``settings``."""
    return prefix + hashlib.sha256(canonical_json(settings).encode()).hexdigest()[:12]


def chunk_id(version: str, doc_id: str, kind: str, embed_text: str, repeat: int) -> str:
    """The same on any machine; ``repeat`` counts the equal ones before it, so an edit elsewhere doesn't change it."""
    sound_id = doc_id.encode("utf-8", "backslashreplace").decode()  # a lone surrogate can't be encoded
    return hashlib.sha256(to_json((version, sound_id, kind, embed_text, repeat))).hexdigest()[:32]
