"""Takes the strategy that fits each document, and says which and why."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from chunking.choosing import choose
from chunking.document import Text
from chunking.fitting import Fit
from chunking.outline import Detail, Outline
from chunking.strategies.code import Code
from chunking.strategies.registry import Embed, Piece, Resolved, Strategy, register


@register("auto")
@dataclass(frozen=True, slots=True)
class Auto(Resolved):
    """By content type, file name, and what the text looks like. Chunks bear the name of the strategy taken, and the reason
    as ``auto`` in their metadata; each strategy has the settings of its own block."""

    def resolve(self, text: Text, block: Callable[[str], Strategy], embed: Embed | None) -> Strategy:
        choice = choose(text)
        taken = block(choice.strategy)
        if isinstance(taken, Code) and taken.language is None:
            taken = replace(taken, language=choice.language)
        return Chosen(taken, choice.strategy, choice.why)


@dataclass(frozen=True)
class Chosen(Strategy):
    """A strategy with the reason why it was taken."""

    taken: Strategy
    name: str
    why: str

    @property
    def merges(self) -> bool:
        return self.taken.merges

    def parents(self) -> Strategy:
        return replace(self, taken=self.taken.parents())

    def outline(self, text: Text) -> Outline:
        outline = self.taken.outline(text)
        return replace(outline, detail=partial(_with_reason, outline.detail, self.why))

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        return self.taken.split(text, fit, outline)


def _with_reason(detail: Callable[[int, int], Detail], why: str, start: int, end: int) -> Detail:
    known = detail(start, end)
    return replace(known, metadata={**known.metadata, "auto": why})
