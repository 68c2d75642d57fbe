"""What a strategy is, and how its file makes it known."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from chunking.document import Text
from chunking.fitting import Fit
from chunking.outline import Outline, outline_of

Embed = Callable[[Sequence[str]], npt.NDArray[np.floating[Any]]]
"""Texts to their vectors, ``(n, dimension)``."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span that is to become a chunk, with what the strategy knows of it.

    ``token_count`` is for strategies that count in the document's own tokens; None: the text encoded on its own.
    """

    start: int
    end: int
    token_count: int | None = None
    flags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


class Strategy(ABC):
    """Base of the strategies: frozen dataclasses whose fields are their own block of the configuration, each checked in
    ``__post_init__``."""

    __slots__ = ()
    name: str

    @property
    def merges(self) -> bool:
        """Whether chunks under ``min_chunk_size`` may be joined with a neighbour."""
        return True

    def parents(self) -> "Strategy":
        """The strategy that cuts the parents of its chunks; for what asks for units one by one: without that."""
        return self

    def outline(self, text: Text) -> Outline:
        """What stands around each place of the text: by default the sections of a Markdown text."""
        return outline_of(text)

    def resolve(self, text: Text, block: Callable[[str], "Strategy"], embed: Embed | None) -> "Strategy":
        """The strategy that cuts this text: another one for ``auto``, one that holds ``embed`` for what needs a model.

        Args:
            block: the strategy of a name, as the configuration has it.
        """
        return self

    @abstractmethod
    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        """The pieces of a text that isn't blank: trimmed, in order, within ``fit``."""


class Resolved(Strategy):
    """Base of those that say, text by text, which strategy cuts it, and cut none themselves."""

    __slots__ = ()

    @abstractmethod
    def resolve(self, text: Text, block: Callable[[str], Strategy], embed: Embed | None) -> Strategy:
        """The strategy that cuts this text."""

    def split(self, text: Text, fit: Fit, outline: Outline) -> list[Piece]:
        raise NotImplementedError(f"strategy {self.name} is resolved before a text is split")


AnyStrategy = TypeVar("AnyStrategy", bound=type[Any])
_STRATEGIES: dict[str, type[Any]] = {}


def register(name: str) -> Callable[[AnyStrategy], AnyStrategy]:
    """Class decorator: the strategy ``name``, configured by the block of the same name."""

    def add(strategy: AnyStrategy) -> AnyStrategy:
        if name in _STRATEGIES:
            raise ValueError(f"strategy {name!r} is registered twice")
        strategy.name = name
        _STRATEGIES[name] = strategy
        return strategy

    return add


def strategies() -> Mapping[str, type[Any]]:
    """Every registered strategy by name."""
    return _STRATEGIES
