"""What a chunk needs from elsewhere to make sense: its title and section path, before the text that is embedded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chunking import graphemes
from chunking.sections import Path, Sections
from chunking.tokenizers.tokens import Tokenizer

SHORTENED = "header_shortened"
ELLIPSIS = "\u2026"
SEPARATOR = " > "
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Headers:
    """Builds the headers of one document's chunks.

    Args:
        kind: ``none``, ``title``, ``section`` or ``title_and_section``.
        counter: the embedder's tokenizer, or the sizing one.
        room: the most tokens that a header takes: half of what the embedder leaves; None: no limit.
    """

    kind: str
    title: str
    sections: Sections
    counter: Tokenizer
    room: int | None
    _fitted: dict[Path, str] = field(default_factory=dict, init=False, compare=False)

    def of(self, start: int, end: int) -> str:
        """The header of the chunk ``[start, end)``; empty for none."""
        if self.kind == "none":
            return ""
        parts = self._parts(start, end)
        if parts not in self._fitted:
            full = SEPARATOR.join(parts)
            self._fitted[parts] = full if self.room is None or self._fits(full, self.room) else self._shorten(parts, self.room)
        return self._fitted[parts]

    def shortened(self, start: int, end: int) -> bool:
        """Whether that header isn't whole."""
        return self.kind != "none" and self.of(start, end) != SEPARATOR.join(self._parts(start, end))

    def _parts(self, start: int, end: int) -> Path:
        title = (self.title,) if self.kind.startswith("title") and self.title else ()
        path = self.sections.common(start, end) if self.kind.endswith("section") else ()
        return title + (path[1:] if title and path[:1] == title else path)

    def _fits(self, header: str, room: int) -> bool:
        return self.counter.count(header) <= room

    def _shorten(self, parts: Path, room: int) -> str:
        """Outer parts go first, then the last one's end; nothing is left where not a character fits."""
        for first in range(1, len(parts)):
            candidate = SEPARATOR.join((ELLIPSIS, *parts[first:]))
            if self._fits(candidate, room):
                return candidate
        candidates = (parts[-1][:end] + ELLIPSIS for end in self._ends(parts[-1], room))
        return next((candidate for candidate in candidates if self._fits(candidate, room)), "")

    def _ends(self, part: str, room: int) -> Iterator[int]:
        """Where ``part`` can end within ``room`` tokens: after its words, last first, else inside the first one."""
        tokens = self.counter.spans(part)
        limit = int(tokens.ends[min(room, len(tokens)) - 1]) if room and len(tokens) else 0
        words = [word.end() for word in _WORD.finditer(part, 0, limit)]
        yield from reversed(words)
        yield from reversed(list(graphemes.boundaries(part, 0, words[0] - 1)) if words else [])
