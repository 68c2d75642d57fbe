"""References of a text to its own clauses, such as "as defined in 4.2", resolved to their names."""

import re
from bisect import bisect_left

from chunking.clauses import Clause

_REFERENCE = re.compile(
    r"(?:\b(?P<word>clauses?|sections?|articles?|paragraphs?|sub-?clauses?|schedules?|annex(?:es)?|appendix|parts?|artikel|ziffer|abschnitt|absatz)"
    r"|(?P<sign>\u00a7\u00a7?)|\b(?:in|under|of|to|with|per|see|by))[ \t\n]+"
    r"(?P<list>(?:\d+(?:\.\d+)*|[A-Z](?![A-Za-z])|(?=\())(?:[ \t]?\([a-z0-9]{1,4}\))*"
    r"(?:(?:[ \t]*,[ \t]*|[ \t]+(?:and|or|to|und|bis|oder)[ \t]+|[ \t]?\u2013[ \t]?)(?:\d+(?:\.\d+)*(?:[ \t]?\([a-z0-9]{1,4}\))*|(?:\([a-z0-9]{1,4}\))+))*)",
    re.IGNORECASE,
)
_SINGLE = re.compile(
    r"(?P<to>(?:to|bis|\u2013)[ \t]*)?(?P<id>\d+(?:\.\d+)*(?:[ \t]?\([a-z0-9]{1,4}\))*|[A-Z](?![A-Za-z])|(?:\([a-z0-9]{1,4}\))+)",
    re.IGNORECASE,
)


def find_references(text: str, clauses: tuple[Clause, ...]) -> list[tuple[int, str]]:
    """Places at which the text refers to one of its own clauses, and that clause's name; in order."""
    known = {clause.name: clause for clause in clauses if clause.name}
    order = [clause.name for clause in clauses if clause.name and not clause.name.endswith(")")]
    starts = [clause.start for clause in clauses]
    found: list[tuple[int, str]] = []
    for match in _REFERENCE.finditer(text) if known else ():
        word = (match["word"] or match["sign"] or "").lower()
        here = clauses[max(bisect_left(starts, match.start() + 1) - 1, 0)]
        before = ""
        for single in _SINGLE.finditer(match["list"]):
            name = _resolve(word, re.sub(r"\s", "", single["id"]), here, known, before)
            if name and single["to"] and before in order and name in order:
                between = order[order.index(before) + 1 : order.index(name)]
                found += [
                    (match.start(), each)
                    for each in between
                    if known[each].rank == known[name].rank and len(known[each].values) == len(known[name].values)
                ]
            if name:
                found.append((match.start(), name))
                before = name
    return found


def _resolve(word: str, label: str, here: Clause, known: dict[str, Clause], before: str) -> str | None:
    """The known clause that a label means: with its word, bare where that is a number with a point, or next to ``here``."""
    if not word and "." not in label:
        return None
    singular = {"articles": "article", "sections": "section", "clauses": "clause", "schedules": "schedule", "parts": "part",
                "annexes": "annex", "\u00a7\u00a7": "\u00a7"}.get(word, word)  # fmt: skip
    candidates = [f"{singular if singular == chr(167) else singular.capitalize()} {label}", label]
    if label.startswith("("):
        candidates = [f"{before}{label}"] if before else []
        candidates += [f"{here.name[:end]}{label}" for end in _prefix_ends(here.name)]
    return next((candidate for candidate in candidates if candidate in known), None)


def _prefix_ends(name: str) -> list[int]:
    """Where the names of the clauses around one end, inner ones first."""
    return [len(name), *(match.start() for match in reversed(list(re.finditer(r"\(", name))))]
