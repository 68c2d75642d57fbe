"""What a chunk needs from elsewhere to make sense: title, section path, a table's head, before the text that is embedded."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from chunking import graphemes
from chunking.document import Text
from chunking.outline import Outline, Repeat
from chunking.reading import repair
from chunking.sections import Path
from chunking.tables import ELLIPSIS
from chunking.tokenizers.tokens import Tokenizer

SHORTENED = "header_shortened"
SEPARATOR = " > "
JOINER = "\n\n"
_WORD = re.compile(r"\S+")


class Header(NamedTuple):
    """A header, what joins it to the text, and whether it isn't whole."""

    text: str
    joiner: str
    shortened: bool

    @property
    def lead(self) -> str:
        """All that stands before the text."""
        return self.text + self.joiner if self.text else ""


@dataclass(frozen=True)
class Headers:
    """Builds the headers of one document's chunks.

    Args:
        kind: ``none``, ``title``, ``section`` or ``title_and_section``.
        text: the document's, with its title.
        counter: the embedder's tokenizer, or the sizing one.
        room: the most tokens that header and text take together; title and section get half of it, with what is repeated
            three quarters. None: no limit.
    """

    kind: str
    text: Text
    outline: Outline
    counter: Tokenizer
    room: int | None
    _fitted: dict[Path, str] = field(default_factory=dict, init=False, compare=False)
    _repeated: dict[tuple[str, str, int], str] = field(default_factory=dict, init=False, compare=False)

    def of(self, start: int, end: int) -> Header:
        """The header of the chunk ``[start, end)``."""
        parts = self._parts(start, max(end, start + 1))
        base = self._base(parts)
        shortened = base != SEPARATOR.join(parts)
        repeat = self.outline.repeat_at(start) if end > start and self.rendered(start, end) is None else None
        if repeat is None:
            return Header(base, JOINER, shortened)
        full = JOINER.join(part for part in (base, repeat.text) if part)
        header = full if self.room is None else self._with_repeat(base, repeat, start, end, self.room)
        return Header(header, repeat.joiner, shortened or header != full)

    def lead(self, start: int, end: int) -> str:
        """What stands before the text of the chunk ``[start, end)``."""
        return self.of(start, end).lead

    def rendered(self, start: int, end: int) -> str | None:
        """What is embedded in place of the text ``[start, end)``, if anything; what doesn't fit there is left as it stands."""
        words = self.outline.rendered.get((start, end))
        if words is None or self.room is None:
            return words
        base = self._base(self._parts(start, end))
        return words if self._fits(Header(base, JOINER, False).lead + words, self.room) else None

    def unit_end(self, start: int) -> int:
        """The end of the row around ``start``."""
        repeat = self.outline.repeat_at(start)
        if repeat is None or not repeat.units:
            return start
        found = bisect_right(repeat.units, start)
        return repeat.units[found] if found < len(repeat.units) else repeat.end

    def _base(self, parts: Path) -> str:
        if parts not in self._fitted:
            full = SEPARATOR.join(parts)
            room = None if self.room is None else self.room // 2
            self._fitted[parts] = full if room is None or self._fits(full, room) else self._shorten(parts, room)
        return self._fitted[parts]

    def _with_repeat(self, base: str, repeat: Repeat, start: int, end: int, room: int) -> str:
        """Within three quarters of the room; before one row alone within what the row leaves."""
        header = self._longest(base, repeat, room * 3 // 4)
        if repeat.is_one(start, end):
            body = self.text.text[start:end]
            if not self._fits(header + repeat.joiner + body, room):
                header = self._longest(base, repeat, max(room - self.counter.count(repeat.joiner + body), 0))
        return header

    def _longest(self, base: str, repeat: Repeat, room: int) -> str:
        """The longest header within ``room``: what is repeated gives way first, then title and section."""
        key = (base, repeat.text, room)
        if key not in self._repeated:
            prefix = base + JOINER if base else ""
            candidates = chain((prefix + part for part in (repeat.text, *repeat.shorter())), (base,))
            self._repeated[key] = next((candidate for candidate in candidates if self._fits(candidate, room)), "")
        return self._repeated[key]

    def _parts(self, start: int, end: int) -> Path:
        if self.kind == "none":
            return ()
        named = repair(self.text.title or self.outline.title or "").strip() if self.kind.startswith("title") else ""
        title = (named,) if named else ()
        path = self.outline.sections.common(start, end) if self.kind.endswith("section") else ()
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
