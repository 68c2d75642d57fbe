"""Retrieved chunks as passages: overlapping ones once, or united into one context with its citations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chunking.document import Span


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved chunk; ``score`` is the higher the better."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    score: float


def rank(hits: Sequence[Hit]) -> list[Hit]:
    """Best first, ties by chunk id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def without_overlaps(hits: Sequence[Hit], most: int) -> list[Hit]:
    """The best ``most`` hits of which no two share a character."""
    kept: list[Hit] = []
    for hit in rank(hits):
        if len(kept) == most:
            break
        if not any(hit.doc_id == other.doc_id and hit.start < other.end and other.start < hit.end for other in kept):
            kept.append(hit)
    return kept


def widened(hits: Sequence[Hit], wider: Mapping[str, Span]) -> list[Hit]:
    """Each hit over its wider span, by chunk id, best first; those that then share a character become one, which keeps
    the best one's id and score."""
    result: list[Hit] = []
    for hit in rank(hits):
        span = wider.get(hit.chunk_id, Span(hit.start, hit.end))
        shared = [other for other in result if other.doc_id == hit.doc_id and span.start < other.end and other.start < span.end]
        first = shared[0] if shared else hit
        spans = [span, *(Span(other.start, other.end) for other in shared)]
        whole = replace(first, start=min(start for start, _ in spans), end=max(end for _, end in spans))
        result = [other for other in result if other not in shared] + [whole]
    return rank(result)


def rebuilt(chunks: Iterable[tuple[int, str]]) -> str:
    """A document's text from the starts and texts of all its chunks; the blanks between them become line breaks."""
    parts, end = list[str](), 0
    for start, part in sorted(chunks):
        parts += ["\n" * (start - end), part[max(end - start, 0) :]]
        end = max(end, start + len(part))
    return "".join(parts)


def unite(spans: Sequence[Span]) -> list[Span]:
    """The union of ``spans`` as separate spans in order; overlapping and touching ones become one."""
    united: list[Span] = []
    for span in sorted(spans):
        if united and span.start <= united[-1].end:
            united[-1] = Span(united[-1].start, max(united[-1].end, span.end))
        else:
            united.append(span)
    return united


def within_budget(hits: Sequence[Hit], budget: int, count: Callable[[str, Span], int]) -> dict[str, list[Span]]:
    """By document, in order of its best hit, the united spans of the best hits that fit in ``budget`` tokens together.

    ``count(doc_id, span)`` gives the tokens of a span. A hit that no longer fits is passed over, not cut.
    """
    chosen: dict[str, list[Span]] = {}
    for hit in rank(hits):
        trial = chosen | {hit.doc_id: unite([*chosen.get(hit.doc_id, []), Span(hit.start, hit.end)])}
        if sum(count(doc_id, span) for doc_id, spans in trial.items() for span in spans) <= budget:
            chosen = trial
    return chosen
