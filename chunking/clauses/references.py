"""References of a text to its own clauses, such as "as defined in 4.2", resolved to their names."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from chunking.clauses.nesting import Clause

LONGEST_RANGE = 50
"""Clauses that "clauses 3 to 60" is taken to name one by one; a longer range names its ends."""
_WORDS = {
    "art.": "Article", "artikel": "Article", "articles": "Article", "sec.": "Section", "sections": "Section", "clauses": "Clause",
    "cl.": "Clause", "schedules": "Schedule", "parts": "Part", "annexes": "Annex", "appendices": "Appendix", "exhibits": "Exhibit",
    "chapters": "Chapter", "\u00a7\u00a7": "\u00a7",
}  # fmt: skip
_ALSO = {"Article": ("Art.", "Artikel"), "Section": ("Sec.", "\u00a7"), "Clause": ("Section", "Article")}
_INNER = frozenset({"paragraph", "paragraphs", "para.", "subparagraph", "sub-paragraph", "point", "points", "absatz", "abs."})
_BRACKETS = r"(?:[ \t]?\([A-Za-z0-9]{1,4}\))"
_LABEL = rf"(?:\d+(?:\.\d+)*[a-z]?\b{_BRACKETS}*(?:[ \t]+Abs\.?[ \t]+\d+)?|[IVXLC]+(?!\w)|[A-Z](?!\w)|{_BRACKETS}+)"
_REFERENCE = re.compile(
    r"(?:\b(?P<word>(?i:clauses?|cl\.|sections?|sec\.|articles?|art\.|sub-?paragraphs?|paragraphs?|para\.|points?|sub-?clauses?|sub-?sections?|schedules?"
    r"|annex(?:es)?|append(?:ix|ices)|exhibits?|parts?|chapters?|artikel|ziffern?|abschnitt|absatz|anlage|anhang))"
    r"|(?P<sign>\u00a7\u00a7?)|\b(?i:in|under|of|to|with|per|see|by))\s{1,3}"
    rf"(?P<list>{_LABEL}(?:(?:\s?,\s?(?:(?:and|or|und|oder)\s)?|\s(?:and|or|to|through|und|bis|oder)\s|\s?\u2013\s?){_LABEL})*)"
)
_SINGLE = re.compile(rf"(?P<to>(?:to|through|bis|\u2013)\s*)?(?P<id>{_LABEL})")
_WITHIN = re.compile(
    rf"\s(?:of|to|in)\s(?:this\s|the\s)?(?:(?P<word>(?i:clause|section|article|schedule|annex|appendix|exhibit|part))\s)?(?P<id>{_LABEL})"
)
_ELSEWHERE = re.compile(
    r",?\s(?:of|to|in)\s(?:the\s)?(?:(?:[A-Z0-9][\w'\u2019.()/-]*|of|and|on|the)\s){0,8}"
    r"(?:Act|Regulations?|Directive|Code|Treaty|Law|Statutes?|Constitution|Ordinance|Convention|Rules)\b"
    r"|,?\s(?:of|to|in)\s(?:the\s)?(?:[\w-]+\s){1,3}(?:treaty|convention|directive|regulation)\b"
    r"|,?\s(?:of\s)?(?:the\s)?(?:BGB|HGB|ZPO|StGB|UrhG|AktG|GmbHG|GDPR|DSGVO|DS-GVO|TFEU|U\.S\.C)\b"
    r"|\s?(?:%|(?:per ?cent|percent|million|billion|hours|days|weeks|months|years|EUR|USD|GBP|dollars|euros)\b)"
)


def find_references(text: str, clauses: tuple[Clause, ...]) -> list[tuple[int, str]]:
    """Places at which the text refers to one of its own clauses, and that clause's name; in order. Those that it hasn't got,
    those of an act or code that is named, and amounts aren't among them."""
    known = {clause.name: clause for clause in clauses if clause.name}
    order = {clause.name: place for place, clause in enumerate(clauses)}
    starts = [clause.start for clause in clauses]
    found: list[tuple[int, str]] = []
    reach = 0
    for match in _REFERENCE.finditer(text) if known else ():
        if match.start() < reach or _ELSEWHERE.match(text, match.end()):
            continue
        here = clauses[max(bisect_left(starts, match.start() + 1) - 1, 0)]
        around, reach = _around(text, match, here, known)
        word, before = match["word"] or match["sign"] or "", ""
        for single in _SINGLE.finditer(match["list"]):
            name = _resolve(word, _plain(single["id"]), around, known, before)
            if name and single["to"] and before:
                between = clauses[order[before] + 1 : order[name]]
                found += [(match.start(), each) for each in _alike(between, known[name])]
            if name:
                found.append((match.start(), name))
                before = name
    return found


def _alike(between: tuple[Clause, ...], last: Clause) -> list[str]:
    """The clauses of a range on the level of its last one."""
    names = [each.name for each in between if each.rank == last.rank and len(each.values) == len(last.values)]
    return names if len(names) <= LONGEST_RANGE else []


def _plain(label: str) -> str:
    return re.sub(r"\s", "", re.sub(r"\s+Abs\.?\s+(\d+)", r"(\1)", label))


def _around(text: str, match: re.Match[str], here: Clause, known: Mapping[str, Clause]) -> tuple[str, int]:
    """The name of the clause in which a reference is to be looked up, and where it ends: the clause named behind it
    ("(a) of 2.1"), else ``here``."""
    word = (match["word"] or "").lower()
    found = _WITHIN.match(text, match.end()) if word in _INNER or match["list"].startswith("(") else None
    name = _resolve(found["word"] or "clause", _plain(found["id"]), here.name, known, "") if found else None
    return (name, found.end()) if found and name else (here.name, match.end())


def _resolve(word: str, label: str, around: str, known: Mapping[str, Clause], before: str) -> str | None:
    """The known clause that a label means: with its word, within what is around, or by its number alone."""
    if not word and "." not in label and "(" not in label:
        return None
    return next((candidate for candidate in _candidates(word.lower(), label, around, before) if candidate in known), None)


def _candidates(word: str, label: str, around: str, before: str) -> Iterator[str]:
    if label.startswith("("):
        yield from (f"{before[:end]}{label}" for end in _ends(before))
        yield from (f"{around[:end]}{label}" for end in _ends(around))
        return
    name = _WORDS.get(word, word.capitalize())
    if word in _INNER:
        yield from (f"{around[:end]}({label})" for end in _ends(around))
    outer = around.split(" ")
    if outer[0] in {"Schedule", "Annex", "Appendix", "Exhibit", "Part"} and (word in _INNER or not word):
        yield f"{' '.join(outer[:2])} {label}"
    yield f"{name} {label}" if word else label
    yield from (f"{other} {label}" for other in _ALSO.get(name, ()))
    yield label
    if label[-1].islower():  # 6b, for 6(b)
        yield f"{label[:-1]}({label[-1]})"


def _ends(name: str) -> list[int]:
    """Where the names of the clauses around one end, inner ones first."""
    return [len(name), *(match.start() for match in reversed(list(re.finditer(r"\(", name))))] if name else []
