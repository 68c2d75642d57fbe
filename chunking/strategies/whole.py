"""One document, one chunk: for tickets, messages and other texts that are short and whole."""

from dataclasses import dataclass

from chunking.cutting import Cutter
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import WORDS, Sentences
from chunking.outline import Outline
from chunking.sentences import load_segmenter
from chunking.strategies.registry import Piece, Strategy, register


@register("whole")
@dataclass(frozen=True, slots=True)
class Whole(Strategy):
    """The whole text while it fits; a longer one is split at sentences, then words, then grapheme clusters."""

    @property
    def merges(self) -> bool:
        return False

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        finer = (Sentences(load_segmenter("sentencex", "en")), WORDS)
        spans = Cutter(fit, (), finer).cut(Span(0, len(text.text)))
        flags = ("split",) if len(spans) > 1 else ()
        return [Piece(start, end, flags=flags) for start, end in spans]
