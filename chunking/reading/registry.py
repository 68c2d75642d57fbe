"""Which reader converts which kind of document."""

from collections.abc import Callable

from chunking.document import Document, Text

Reader = Callable[[Document], Text]
"""A document to its text and layout; raises a ``DocumentError`` that says why it can't be read."""
_READERS: dict[str, Reader] = {}


def reads(*content_types: str) -> Callable[[Reader], Reader]:
    """Decorator: the reader of these media types."""

    def add(reader: Reader) -> Reader:
        for content_type in content_types:
            if content_type in _READERS:
                raise ValueError(f"two readers for {content_type!r}")
            _READERS[content_type] = reader
        return reader

    return add


def reader_of(content_type: str) -> Reader | None:
    """The reader of a media type; None for what is read as it is."""
    return _READERS.get(content_type)
