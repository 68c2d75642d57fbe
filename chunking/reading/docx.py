"""DOCX to Markdown, by way of HTML: headings, lists and tables as Word's styles name them."""

import io
import zipfile
from xml.etree import ElementTree as ET

from chunking.document import Document, Text
from chunking.errors import MissingLibraryError, NotReadableError
from chunking.reading.html import markdown_of
from chunking.reading.kinds import DOCX, MARKDOWN
from chunking.reading.registry import reads

_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_COMPOUND = b"\xd0\xcf\x11\xe0"
MOST_BYTES = 500_000_000


@reads(DOCX)
def read_docx(document: Document) -> Text:
    """The document as Markdown; pictures are left out, footnotes come at the end.

    Raises:
        MissingLibraryError: the library isn't installed.
        NotReadableError: no DOCX, damaged, encrypted, or unpacked too large.
    """
    data = document.data or (document.text or "").encode()
    text, heading = markdown_of(_html(data))
    return Text(text, MARKDOWN, title=_title(data) or heading)


def _html(data: bytes) -> str:
    try:
        import mammoth
    except ImportError as error:
        raise MissingLibraryError("DOCX needs mammoth: pip install 'sparkchunk[documents]'") from error
    if data.startswith(_COMPOUND):
        raise NotReadableError("DOCX: encrypted, or in the format of Word before 2007; save it without a password as .docx")
    _check(data)
    try:
        pictures = mammoth.images.img_element(_no_picture)
        return str(mammoth.convert_to_html(io.BytesIO(data), convert_image=pictures, include_embedded_style_map=False).value)
    except (ValueError, AttributeError, TypeError, LookupError, ET.ParseError, zipfile.BadZipFile, OSError, EOFError) as error:
        raise NotReadableError(f"DOCX: damaged: {' '.join(str(error).split())[:200]}") from error


def _no_picture(image: object) -> dict[str, str]:
    return {"src": ""}


def _check(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist() if entry.filename.endswith(".xml"))
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
        raise NotReadableError(f"DOCX: damaged, no archive can be read: {error}") from error
    if size > MOST_BYTES:
        raise NotReadableError(f"DOCX: {size:,} bytes when unpacked, over {MOST_BYTES:,}")


def _title(data: bytes) -> str | None:
    """What its properties say; most have none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("docProps/core.xml") as properties:
            found = ET.parse(properties).find(_TITLE)  # noqa: S314 - expat opens no outside entities, and stops when inner ones grow
    except (KeyError, ET.ParseError, zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError):
        return None
    return " ".join((found.text or "").split()) or None if found is not None else None
