"""Strategies: one a file; importing this package registers every module of the folder."""

import pkgutil
from importlib import import_module

from chunking.strategies.registry import Embed, Piece, Strategy, register, strategies

for module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")

__all__ = ["Embed", "Piece", "Strategy", "register", "strategies"]
