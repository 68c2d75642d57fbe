"""The output of Databricks' ``ai_parse_document``: elements of pages, as Markdown."""

import json
from collections.abc import Mapping
from typing import Any

from chunking.document import Document, Layout, Text
from chunking.errors import NotReadableError
from chunking.reading.html import markdown_of
from chunking.reading.kinds import MARKDOWN, content_type_of
from chunking.reading.markdown_writer import escaped
from chunking.reading.registry import reads
from chunking.reading.text import pages_of, source_of

JSON = "application/json"
PARSED = "application/vnd.databricks.ai-parse-document+json"
_RUNNING = frozenset({"page_header", "page_footer", "page_number"})
_HEADINGS = {"title": "# ", "section_header": "## "}


def is_parsed(text: str) -> bool:
    """Whether a text is such an output."""
    return '"elements"' in text and _output(text) is not None


@reads(JSON, PARSED)
def read_parsed(document: Document) -> Text:
    """The elements as Markdown, pages joined by form feeds; headers, footers and page numbers left out, a figure by its
    description. Other JSON stays as it is.

    Raises:
        NotReadableError: it holds no element, and says why or not.
    """
    source = source_of(document)
    found = _output(source)
    if found is None:
        return Text(source, content_type_of(document.content_type, document.uri), document.layout or pages_of(source))
    parts, starts, length, page = list[str](), [0], 0, 0
    for element in found["document"]["elements"]:
        part = _part(element)
        if not part:
            continue
        number = _page_of(element, page)
        gap = "\n\n\f\n" * (number - page) if number > page else "\n\n" if parts else ""
        starts += [length + 3 + 4 * turned for turned in range(number - page)]
        parts += [gap, part]
        length += len(gap) + len(part)
        page = max(page, number)
    if not parts:
        errors = found.get("error_status") or ()
        reasons = "; ".join(str(error.get("error_message", error)) for error in errors if isinstance(error, dict))
        raise NotReadableError(f"ai_parse_document found no text: {reasons or 'no element has content'}")
    return Text("".join(parts), MARKDOWN, Layout(pages=tuple(starts)))


def _output(text: str) -> Mapping[str, Any] | None:
    """The output that a text is, if it is one."""
    if text.lstrip()[:1] != "{":
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    document = parsed.get("document") if isinstance(parsed, dict) else None
    return parsed if isinstance(document, dict) and isinstance(document.get("elements"), list) else None


def _part(element: Any) -> str:
    """One element as Markdown; empty for none."""
    if not isinstance(element, dict) or element.get("type") in _RUNNING:
        return ""
    kind, content = str(element.get("type")), element.get("content") or element.get("description") or ""
    content = str(content).strip().replace("\f", "\n")
    if not content:
        return ""
    if kind == "table" and content.lstrip().startswith("<"):
        return markdown_of(content)[0]
    if kind in _HEADINGS:
        return _HEADINGS[kind] + " ".join(content.split())
    return "\n".join(escaped(line) if line.startswith("#") else line for line in content.split("\n"))


def _page_of(element: Mapping[str, Any], before: int) -> int:
    """The number, from 0, of the page that an element begins on."""
    boxes = element.get("bbox")
    first = boxes[0] if isinstance(boxes, list) and boxes else element
    number = first.get("page_id") if isinstance(first, dict) else None
    return number if isinstance(number, int) and before <= number < before + 100_000 else before
