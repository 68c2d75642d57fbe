"""Sentence segmenters with offsets; each gives gapless spans, in code points."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, starmap

import regex

from chunking.document import Span
from chunking.errors import ConfigError

WINDOW = 4_000
CLOSING = r"""["'*_`\p{Pe}\p{Pf}\p{Pi}]*\Z"""
"""Quotes, brackets and emphasis that may stand behind a mark at the end of a text."""
_END = regex.compile(rf"[\p{{Sentence_Terminal}}\u2026]{CLOSING}")
_LONGEST_END = 8
_VISIBLE = re.compile(r"\S")
Segmenter = Callable[[str], list[Span]]
"""A text to its sentences in order; blanks after a sentence belong to it, and every character to one."""


@lru_cache(maxsize=8)
def load_segmenter(library: str, language: str) -> Segmenter:
    """Load ``sentencex`` or ``pysbd`` for a language given by its ISO 639-1 code.

    Raises:
        ConfigError: the library isn't installed, or doesn't know the language.
    """
    return _pysbd(language) if library == "pysbd" else _sentencex(language)


def ends_sentence(text: str) -> bool:
    """Whether the last mark of a trimmed text is one that ends a sentence, in any script."""
    return bool(_END.search(text, max(len(text) - _LONGEST_END, 0)))


def _sentencex(language: str) -> Segmenter:
    from sentencex import get_sentence_boundaries

    def segment(text: str) -> list[Span]:
        starts = [boundary["start_index"] for boundary in get_sentence_boundaries(language, text)]
        return _gapless(starts, text)

    return segment


def _pysbd(language: str) -> Segmenter:
    try:
        import pysbd

        segmenter = pysbd.Segmenter(language=language, clean=False, char_span=True)
    except ImportError as error:
        raise ConfigError("sentence.library 'pysbd' isn't installed; pip install 'sparkchunk[pysbd]'") from error
    except ValueError as error:
        raise ConfigError(f"sentence.language {language!r}: pysbd doesn't know it") from error

    def segment(text: str) -> list[Span]:
        return _gapless(_by_windows(lambda part: [sentence.start for sentence in segmenter.segment(part)], text), text)

    return segment


def _by_windows(starts_in: Callable[[str], list[int]], text: str) -> Iterator[int]:
    """The starts of sentences, window by window, for a segmenter whose time grows with the square of the length."""
    begin = 0
    while begin < len(text):
        starts = sorted(begin + start for start in starts_in(text[begin : begin + WINDOW]))
        last = begin + WINDOW >= len(text)
        later = [start for start in starts if start > begin]
        following = len(text) if last else later[-1] if later else begin + WINDOW
        yield from later if last else (*later[:-1], following)
        begin = following


def _gapless(starts: Iterable[int], text: str) -> list[Span]:
    """Segmenters leave out some blanks between sentences, or make sentences of them: give them to the sentence before."""
    visible = [_VISIBLE.search(text, start) for start in starts if start > 0]
    edges = sorted({0, len(text)}.union(found.start() for found in visible if found))
    return [*starmap(Span, pairwise(edges))]
