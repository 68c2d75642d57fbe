"""``read_text``: the text that spans refer to."""

from chunking.reading.kinds import content_type_of
from chunking.reading.text import read_text, repair

__all__ = ["content_type_of", "read_text", "repair"]
