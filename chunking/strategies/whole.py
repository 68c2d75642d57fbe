"""One document, one chunk: for tickets, messages and other texts that are short and whole."""

from dataclasses import dataclass

from chunking.cutting import skip_blanks, trim_end
from chunking.document import Text
from chunking.errors import TooLargeError
from chunking.fitting import Fit
from chunking.outline import Outline
from chunking.strategies.registry import Piece, Strategy, register


@register("whole")
@dataclass(frozen=True, slots=True)
class Whole(Strategy):
    """The whole text as one chunk; a document that doesn't fit is refused."""

    @property
    def merges(self) -> bool:
        return False

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        start = skip_blanks(text.text, 0, len(text.text))
        end = trim_end(text.text, start, len(text.text))
        if not fit.fits(start, end):
            raise TooLargeError(
                f"strategy whole: the document has {fit.count(start, end)} tokens, over what fits one chunk "
                f"(chunk_size {fit.size}, or the embedder's limit); use strategy recursive or auto, or raise chunk_size"
            )
        return [Piece(start, end)]
