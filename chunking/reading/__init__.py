"""``read_text``: the text that spans refer to. One reader a file; importing this package registers all of them."""

import pkgutil
from importlib import import_module

from chunking.reading.kinds import content_type_of
from chunking.reading.text import read_text, repair

for module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")

__all__ = ["content_type_of", "read_text", "repair"]
