"""PDF to text by pages: lines joined to paragraphs, broken words repaired, running headers and footers left out."""

from collections.abc import Iterator
from typing import Any

from chunking.document import Document, Layout, Text
from chunking.errors import MissingLibraryError, NotReadableError
from chunking.pages import Line, join_pages
from chunking.reading.kinds import PDF, PLAIN
from chunking.reading.parsed import is_parsed, read_parsed
from chunking.reading.registry import reads
from chunking.reading.text import pages_of

WRONG_PASSWORD = 4


@reads(PDF)
def read_pdf(document: Document) -> Text:
    """The text with its pages, joined by form feeds, in the order in which the file has it. A document whose text was
    taken from a PDF before comes as it is, or as the output of Databricks' ``ai_parse_document``.

    Raises:
        MissingLibraryError: the library isn't installed.
        NotReadableError: encrypted, damaged, or only images.
    """
    if document.data is None:
        given = document.text or ""
        return read_parsed(document) if is_parsed(given) else Text(given, PLAIN, pages_of(given))
    pdf = _open(document.data)
    try:
        pages = [list(_lines(pdf, number)) for number in range(len(pdf))]
        title = " ".join((pdf.get_metadata_dict().get("Title") or "").split())
    finally:
        pdf.close()
    if not any(line.text.strip() for page in pages for line in page):
        raise NotReadableError(f"PDF: image only, no text on any of its {len(pages)} pages; run OCR first")
    text, starts = join_pages(pages)
    return Text(text, PLAIN, Layout(pages=starts), title=title or None)


def _open(data: bytes) -> Any:
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingLibraryError("PDF needs pypdfium2: pip install 'sparkchunk[documents]'") from error
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == WRONG_PASSWORD:
            raise NotReadableError("PDF: encrypted, it opens with a password only; save it without one") from error
        raise NotReadableError(f"PDF: damaged: {error}") from error


def _lines(pdf: Any, number: int) -> Iterator[Line]:
    """The lines of a page in the file's order."""
    import pypdfium2

    try:
        page = pdf[number]
        letters = page.get_textpage()
    except pypdfium2.PdfiumError as error:
        raise NotReadableError(f"PDF: damaged: page {number + 1} can't be read: {error}") from error
    text = letters.get_text_range()
    place = 0
    for line in text.split("\n"):
        words = line.strip()
        if words and place + len(line) <= letters.count_chars():
            first = place + line.index(words)
            yield _line(letters, words, first, first + len(words) - 1)
        elif words:  # characters outside the basic plane count twice there
            yield Line(words, 0, 0, 0, 0, 0)
        place += len(line) + 1
    letters.close()
    page.close()


def _line(letters: Any, words: str, first: int, last: int) -> Line:
    from pypdfium2 import raw

    left, bottom, _, _ = letters.get_charbox(first, loose=True)
    _, base, right, _ = letters.get_charbox(last, loose=True)
    return Line(words, left, right, bottom, raw.FPDFText_GetFontSize(letters.raw, first), base)
