"""Cuts at the coarsest separator that leaves a chunk well filled: the robust default for text of unknown structure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from chunking.cutting import Cutter
from chunking.document import Span, Text
from chunking.fitting import Fit
from chunking.levels import WORDS, Pattern, Sentences, prose_levels
from chunking.outline import Outline
from chunking.sentences import load_segmenter
from chunking.strategies.registry import Piece, Strategy, register


@register("recursive")
@dataclass(frozen=True, slots=True)
class Recursive(Strategy):
    """Blank lines, lines, sentence ends, clause marks, words, grapheme clusters, in this order; or the user's own.

    Args:
        separators: coarse to fine; literal, or regular expressions with ``regex``. A line break in a literal stands for
            any line break; an empty one for grapheme clusters. What they can't cut is cut by the finer default rules.
        drop_separators: leave separators out at the edges of chunks; else they stay with the piece before them.
        language: ISO 639-1 code for the sentence ends.
    """

    separators: tuple[str, ...] | None = None
    regex: bool = False
    drop_separators: bool = False
    language: str = "en"

    def __post_init__(self) -> None:
        if self.separators is None and (self.regex or self.drop_separators):
            raise ValueError("regex and drop_separators go with separators of your own: set separators")
        for separator in self.separators or ():
            try:
                _pattern(separator, self.regex, self.drop_separators)
            except re.error as error:
                raise ValueError(f"separator {separator!r} is no regular expression: {error}") from error

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        if self.separators is None:
            cutter = Cutter(fit, prose_levels(text.text, self.language), ())
        else:
            sentences = Sentences(load_segmenter("sentencex", self.language))
            patterns = [_pattern(separator, self.regex, self.drop_separators) for separator in self.separators if separator]
            own = [Pattern(pattern, self.drop_separators) for pattern in patterns]
            finer = () if "" in self.separators else (sentences, WORDS)
            cutter = Cutter(fit, own, finer, dropped=own if self.drop_separators else ())
        return [Piece(start, end) for start, end in cutter.cut(Span(0, len(text.text)))]


@lru_cache(maxsize=64)
def _pattern(separator: str, regex: bool, drop: bool) -> re.Pattern[str]:
    source = separator if regex else re.sub(r"\\?\n", r"(?:\\r\\n|\\n|\\r)", re.escape(separator))
    return re.compile(f"(?:{source})+" if drop else source)
