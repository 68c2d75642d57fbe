"""Windows of exactly so many tokens, one every so many: the baseline whose overlap arithmetic holds to the token."""

from dataclasses import dataclass

from chunking import graphemes
from chunking.cutting import skip_blanks, trim_end
from chunking.document import Span, Text
from chunking.errors import TooLargeError
from chunking.fitting import Fit
from chunking.outline import Outline
from chunking.strategies.registry import Piece, Strategy, register


@register("fixed")
@dataclass(frozen=True, slots=True)
class Fixed(Strategy):
    """Where no window ends early, chunk ``i`` starts at token ``i * (size - overlap)``.

    A window ends ``size`` tokens after its start, or earlier at the last grapheme boundary before that, or where the
    embedder's limit is tighter. ``token_count`` counts the document's own tokens in the window.
    """

    @property
    def merges(self) -> bool:
        return False

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        pieces = list[Piece]()
        for region in fit.regions(Span(0, len(fit.text))):
            _cut(fit, region, pieces)
        return pieces


def _cut(fit: Fit, region: Span, pieces: list[Piece]) -> None:
    tokens, begin = fit.sizing.tokens, region.start
    while True:
        first = int(tokens.ends.searchsorted(begin, "right"))
        end = _window_end(fit, begin, first, region.end)
        after = int(tokens.starts.searchsorted(end))
        _emit(pieces, fit.text, begin, end, after - first)
        if end >= region.end:
            return
        begin = _next_begin(fit, begin, end, after)


def _window_end(fit: Fit, begin: int, first: int, stop: int) -> int:
    starts, after = fit.sizing.tokens.starts, first + fit.size
    end = min(int(starts[after]), stop) if after < len(starts) else stop
    while end > begin:
        boundary = graphemes.last_boundary(fit.text, begin, end)
        end = boundary if boundary > begin else end  # a cluster over size is cut between code points
        start = skip_blanks(fit.text, begin, end)
        trimmed = trim_end(fit.text, start, end)
        shorter = fit.excess(start, trimmed, sized=False) if start < trimmed else 0
        if not shorter:
            return end
        if shorter <= begin or end == begin + 1:
            break
        end = min(shorter, end - 1)
    raise TooLargeError(
        f"the code point U+{ord(fit.text[begin]):04X} at {begin} alone is over the limit (chunk_size {fit.size}); "
        f"raise chunk_size or max_embed_tokens"
    )


def _next_begin(fit: Fit, begin: int, end: int, after: int) -> int:
    """``overlap`` tokens before ``end``, at a grapheme boundary, always after ``begin``."""
    if not fit.overlap:
        return end
    wanted = int(fit.sizing.tokens.starts[max(after - fit.overlap, 0)])
    boundary = graphemes.last_boundary(fit.text, begin, wanted) if wanted > begin else begin
    return boundary if boundary > begin else next(graphemes.boundaries(fit.text, begin, end), end)


def _emit(pieces: list[Piece], text: str, begin: int, end: int, token_count: int) -> None:
    """Add the window, trimmed, unless it is blank or lies inside another."""
    start = skip_blanks(text, begin, end)
    trimmed = trim_end(text, start, end)
    while pieces and start < trimmed and start <= pieces[-1].start:
        pieces.pop()
    if start < trimmed and (not pieces or trimmed > pieces[-1].end):
        pieces.append(Piece(start, trimmed, token_count=token_count))
