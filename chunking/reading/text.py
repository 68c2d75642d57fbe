"""Reading text as it is: plain text, Markdown, source code, and any document that comes with a layout."""

import re

from chunking.document import Document, Text
from chunking.errors import NotTextError
from chunking.reading.kinds import content_type_of

REPAIRED = "repaired"
_BROKEN = re.compile("[\x00\ud800-\udfff]")


def read_text(document: Document) -> Text:
    """The document's text, untouched but for lone surrogates and NULs, each of which becomes one U+FFFD.

    Raises:
        NotTextError: the document is bytes for which there is no reader.
    """
    content_type = content_type_of(document.content_type, document.uri)
    if document.text is None and document.data is not None:
        raise NotTextError(f"{content_type}: no reader for this kind of document; give its text instead")
    given = document.text or ""
    text = repair(given)
    pages = document.layout.pages if document.layout else _pages(text)
    return Text(text, content_type, pages, () if text is given else (REPAIRED,))


def repair(text: str) -> str:
    """``text`` itself, or with one U+FFFD for each lone surrogate and NUL, which no encoder takes."""
    return text if _is_sound(text) else _BROKEN.sub("\ufffd", text)


def _is_sound(text: str) -> bool:
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pages(text: str) -> tuple[int, ...]:
    """Form feeds part pages; a text without one has none."""
    return (0, *(match.end() for match in re.finditer("\f", text))) if "\f" in text else ()
