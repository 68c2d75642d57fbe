"""What fits into one chunk of one text: the size in the sizing tokenizer, and the room in the embedder."""

from collections.abc import Callable

from chunking.tokenizers.tokens import Tokenizer, Tokens

HeaderOf = Callable[[int, int], str]
"""The header that a chunk ``[start, end)`` will carry; empty for none."""

JOINER = "\n\n"


class Gauge:
    """Counts slices of one text in one tokenizer; the text is encoded once, when that is first needed."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self._tokenizer = tokenizer
        self._text = text
        self._tokens: Tokens | None = None
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def tokens(self) -> Tokens:
        """The tokens of the whole text."""
        if self._tokens is None:
            self._tokens = self._tokenizer.spans(self._text)
        return self._tokens

    @property
    def encoded(self) -> bool:
        """Whether the text was encoded already."""
        return self._tokens is not None

    def count(self, start: int, end: int) -> int:
        """Tokens of the slice encoded on its own."""
        key = (start, end)
        if key not in self._counts:
            self._counts[key] = self._tokenizer.count_slice(self._text, self.tokens, start, end)
        return self._counts[key]

    def count_with(self, header: str, start: int, end: int) -> int:
        """Tokens of the slice with ``header`` before it, encoded together."""
        if not header and not self.encoded:
            return self._tokenizer.count(self._text[start:end])
        return self._tokenizer.count(header + JOINER + self._text[start:end]) if header else self.count(start, end)

    def reach(self, start: int, room: int) -> int:
        """The end of the longest slice from ``start`` that holds at most ``room`` of the text's own tokens."""
        tokens = self.tokens
        after = int(tokens.ends.searchsorted(start, "right")) + room
        return int(tokens.starts[after]) if after < len(tokens) else len(self._text)

    def back(self, end: int, room: int) -> int:
        """The start of the longest slice up to ``end`` that holds at most ``room`` of the text's own tokens."""
        first = int(self.tokens.starts.searchsorted(end)) - room
        return int(self.tokens.starts[first]) if first > 0 else 0


class Fit:
    """The two hard limits on one text; the tighter one wins, chunk by chunk.

    Args:
        sizing: counts ``size``; a chunk's text is within it.
        embed: counts ``room``, what the embedder takes; a chunk's header and text are within it. None: no limit.
    """

    def __init__(
        self,
        text: str,
        sizing: Gauge,
        size: int,
        overlap: int = 0,
        embed: Gauge | None = None,
        room: int = 0,
        header_of: HeaderOf | None = None,
    ) -> None:
        self.text = text
        self.sizing = sizing
        self.size = size
        self.overlap = overlap
        self._embed = embed
        self._room = room
        self._header_of = header_of

    def count(self, start: int, end: int) -> int:
        """Tokens of the sizing tokenizer in the slice, encoded on its own."""
        return self.sizing.count(start, end)

    def reach(self, start: int) -> int:
        """About how far a chunk from ``start`` can go; ``excess`` is the exact test."""
        high = self.sizing.reach(start, self.size)
        return high if self._embed is None else min(high, self._embed_reach(start, high))

    def excess(self, start: int, end: int, sized: bool = True) -> int:
        """0 if the slice fits; else an end before which a shorter one may fit, always smaller than ``end``.

        ``sized=False`` leaves the sizing limit to the caller and tests the embedder's alone.
        """
        if sized and (over := self.count(start, end) - self.size) > 0:
            return self._shorter(self.sizing, start, end, over)
        if self._embed is not None:
            over = self._embed.count_with(self._header(start, end), start, end) - self._room
            if over > 0:
                return self._shorter(self._embed, start, end, over)
        return 0

    def fits(self, start: int, end: int) -> bool:
        """Whether the slice is within both limits."""
        return self.excess(start, end) == 0

    def _embed_reach(self, start: int, high: int) -> int:
        """Encoding by the embedder's tokenizer is slow, so its tokens are asked for only once something didn't fit."""
        if self._embed is None or not self._embed.encoded:
            return high
        header = self._header(start, high)
        room = self._room - (self._embed.count_with(header, start, start) if header else 0)
        return self._embed.reach(start, max(room, 1))

    def _header(self, start: int, end: int) -> str:
        return self._header_of(start, end) if self._header_of else ""

    def _shorter(self, gauge: Gauge, start: int, end: int, over: int) -> int:
        tokens = gauge.tokens
        last = int(tokens.starts.searchsorted(end)) - over
        shorter = int(tokens.starts[max(last, 0)]) if len(tokens) else end
        return max(start + 1, (start + end) // 2, min(end - 1, shorter))
