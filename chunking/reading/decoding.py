"""Bytes to text: what kind of file they are, and in which encoding."""

import codecs
import io
import re
import zipfile
from dataclasses import replace

from chunking.document import Document
from chunking.errors import NotTextError
from chunking.reading.kinds import DOCX, HTML, JSON_LINES, PDF, PLAIN, SRT, VTT, content_type_of

BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
CONTROLS = frozenset(map(chr, range(32))) - set("\t\n\v\f\r\x1b")
MOST_CONTROLS = 0.001
GUESSED = (
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949", "cp1253", "cp1254"
)  # fmt: skip
"""Encodings that are guessed, the likelier one first where the text fits several alike."""
SAMPLE = 64_000
BYTES_ONLY = frozenset({PDF, DOCX})
"""Kinds of files that are no text before they are converted."""
_DECLARATION = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"\']?\s*([\w-]+)", re.IGNORECASE)
_BEGINNINGS = (
    (
        HTML,
        re.compile(
            r"\s*+(?:<\?xml[^>]*+>\s*+)?(?>(?:<!--.*?-->\s*+)*)(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL
        ),
    ),
    (VTT, re.compile(r"WEBVTT([ \t][^\n]*)?(\r?\n|$)")),
    (JSON_LINES, re.compile(r'\s*\{\s*"[^\n]*\}[ \t]*\r?\n\s*\{\s*"')),
    (SRT, re.compile(r"\s*\d+\s*\n\d{1,2}:\d\d:\d\d[,.]\d{1,3}\s+-->\s")),
)


def with_bytes(document: Document, data: bytes, encoding: str = "auto") -> Document:
    """``document`` with the content of a file: as text, or as bytes where only a reader makes text of them. An encoding that
    had to be found is ``encoding`` in its metadata.

    Raises:
        NotTextError: as ``decode``.
    """
    kind = kind_of(data, document.content_type, document.uri)
    if kind in BYTES_ONLY:
        return replace(document, data=data, content_type=kind)
    text, found = decode(data, encoding)
    known = {} if found in {encoding, "utf-8", "utf-8-sig"} else {"encoding": found}
    return replace(document, text=text, content_type=kind, metadata={**document.metadata, **known})


def kind_of(data: bytes, content_type: str | None, uri: str | None) -> str:
    """The media type of a file: what its first bytes show, else what it is called; nothing is a PDF by its name alone."""
    named = content_type_of(content_type, uri)
    if b"%PDF-" in data[:1024]:
        return PDF
    if _is_docx(data):
        return DOCX
    if named in BYTES_ONLY and _is_utf8(data):
        named = PLAIN
    if named == PLAIN:
        beginning = data[:SAMPLE].decode("utf-8", "replace").removeprefix("\ufeff")
        return next((kind for kind, pattern in _BEGINNINGS if pattern.match(beginning)), PLAIN)
    return named


def _is_docx(data: bytes) -> bool:
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "word/document.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


def _is_utf8(data: bytes) -> bool:
    try:
        _refuse_controls(data.decode())
    except (UnicodeDecodeError, NotTextError):
        return False
    return True


def decode(data: bytes, encoding: str) -> tuple[str, str]:
    """The text of ``data``, and the encoding it is in; a byte order mark wins over ``encoding``. ``auto`` is UTF-8, else what the file itself
    declares, else what alone fits.

    Raises:
        NotTextError: a byte doesn't belong to the encoding, none can be told for sure, or more than one character in a
            thousand is a control code.
    """
    found = next((name for mark, name in BOMS.items() if data.startswith(mark)), None)
    found = found or ("utf-8" if encoding == "auto" else encoding)
    try:
        text = _decode(data, found)
    except NotTextError as error:
        if encoding != "auto" or found != "utf-8":
            raise
        found = _declared(data) or _guessed(data, error)
        text = _decode(data, found)
    return _refuse_controls(text), found


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + len(data) - len(error.object)  # utf-8-sig counts from behind the mark
        raise NotTextError(f"not {encoding} text: byte 0x{data[at]:02x} at {at}; if it is text, set ingest.encoding") from error


def _refuse_controls(text: str) -> str:
    controls = sum(text.count(control) for control in CONTROLS)
    if controls > MOST_CONTROLS * len(text) and controls:
        raise NotTextError(f"not text: {controls} control codes in {len(text)} characters")
    return text


def _declared(data: bytes) -> str | None:
    found = _DECLARATION.search(data, 0, 4096)
    try:
        return codecs.lookup(found.group(1).decode("ascii")).name if found else None
    except LookupError:
        return None


def _guessed(data: bytes, error: NotTextError) -> str:
    """The encoding in which ``data`` reads as a language; among equals the one used more widely."""
    from charset_normalizer import from_bytes

    _refuse_controls(data.decode("latin-1"))
    fits = from_bytes(data, cp_isolation=list(GUESSED), enable_fallback=False)
    ranked = sorted(fits, key=lambda fit: (fit.percent_chaos, -fit.percent_coherence, GUESSED.index(fit.encoding)))
    if not ranked or not ranked[0].percent_coherence:
        raise error
    return str(ranked[0].encoding)
