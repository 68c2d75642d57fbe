"""The titles of clauses: alone on the first line, or before its first sentence."""

import re

SHORT = 40
"""Of a first line that is a title although the next one goes on with a capital; a wrapped line is longer."""
_LONGEST, _MOST_WORDS = 80, 9
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "out",
        "per",
        "the",
        "to",
        "under",
        "upon",
        "with",
        "without",
    ]
)
_RUN_IN = re.compile(r"(?P<title>[A-Z][^.;:()\d\u00a7\n]{1,78})\.[ \t]+(?=[\"\u201c(]|[^\W\d_])")
_TERM = re.compile(r'["\u201c\u201e][^"\u201d\n]{1,60}["\u201d]')


def title_of(rest: str, is_heading: bool, is_alone: bool) -> str:
    """The title in ``rest``, a clause's first line behind its number; empty if that has none.

    Args:
        is_alone: no words go on in the next line.
    """
    if is_heading:
        return rest[:_LONGEST].rstrip(".")
    if found := _TERM.match(rest):
        return found[0]
    if (found := _RUN_IN.match(rest)) and not rest[found.end()].islower() and _is_capitalised(found["title"]):
        return found["title"]
    return rest.rstrip(".") if is_alone and _is_title(rest) else ""


def _is_title(rest: str) -> bool:
    if not rest or len(rest) > _LONGEST or rest.endswith((";", ",", ":")) or not rest[:1].isupper():
        return False
    return _is_capitalised(rest) or (len(rest.split()) <= _MOST_WORDS and (len(rest) <= SHORT or not rest.endswith(".")))


def _is_capitalised(words: str) -> bool:
    """Whether all words but small ones have a capital."""
    return all(word in _SMALL or not word[:1].islower() for word in words.split())
