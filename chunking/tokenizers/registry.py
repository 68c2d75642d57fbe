"""``load_tokenizer``: a tokenizer by name, loaded once a process."""

from collections.abc import Callable
from functools import lru_cache

from chunking.errors import ConfigError, nearest
from chunking.tokenizers.tokens import Tokenizer

Loader = Callable[[str], Tokenizer]
_LOADERS: dict[str, Loader] = {}


def register_tokenizer(scheme: str) -> Callable[[Loader], Loader]:
    """Make ``loader`` answer for names ``scheme`` or ``scheme:rest``; it gets the rest."""

    def add(loader: Loader) -> Loader:
        if scheme in _LOADERS:
            raise ValueError(f"tokenizer {scheme!r} is registered twice")
        _LOADERS[scheme] = loader
        return loader

    return add


@lru_cache(maxsize=16)
def load_tokenizer(name: str) -> Tokenizer:
    """Load ``tiktoken:<encoding>``, ``hf:<model or folder>``, ``words`` or ``characters``.

    Raises:
        ConfigError: the name is unknown, or its vocabulary can't be had here; the message names the remedies.
    """
    scheme, _, rest = name.partition(":")
    if scheme not in _LOADERS:
        known = "tiktoken:<encoding>, hf:<model or folder>, words, characters"
        raise ConfigError(f"unknown tokenizer {name!r}{nearest(scheme, _LOADERS) or ';'} known: {known}")
    return _LOADERS[scheme](rest)
