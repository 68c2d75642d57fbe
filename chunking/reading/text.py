"""``read_text``: text as it is, or converted by the reader of its kind."""

import re
from dataclasses import replace

from chunking.document import Document, Layout, Text
from chunking.errors import NotTextError
from chunking.reading.kinds import content_type_of
from chunking.reading.registry import reader_of

REPAIRED = "repaired"
_BROKEN = re.compile("[\x00\ud800-\udfff]")


def read_text(document: Document) -> Text:
    """The document's text: converted where its kind has a reader and it comes without a layout, else untouched, but for
    lone surrogates and NULs, each of which becomes one U+FFFD.

    Raises:
        NotTextError: the document is bytes for which there is no reader.
        DocumentError: its reader can't read it.
    """
    stored = document.layout is not None and document.content_type  # converted already: its name says what from
    content_type = content_type_of(document.content_type, None if stored else document.uri)
    read = reader_of(content_type) if document.layout is None else None
    if read is not None:
        given = read(document)
    elif document.text is None and document.data is not None:
        raise NotTextError(f"{content_type}: no reader for this kind of document; give its text instead")
    else:
        given = Text(document.text or "", content_type, document.layout or pages_of(document.text or ""))
    text = repair(given.text)
    flags = given.flags if text is given.text else (*given.flags, REPAIRED)
    return replace(given, text=text, flags=flags, uri=given.uri or document.uri, title=document.title or given.title)


def source_of(document: Document) -> str:
    """The text of a document before it is converted; of one that comes as bytes, those read as UTF-8."""
    return document.text if document.text is not None else (document.data or b"").decode("utf-8", "replace")


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


def pages_of(text: str) -> Layout:
    """Form feeds part pages; a text without one has none."""
    return Layout((0, *(match.end() for match in re.finditer("\f", text)))) if "\f" in text else Layout()
