"""What kind of text a document is: its ``content_type``, else its uri's extension."""

import mimetypes
from pathlib import PurePosixPath

PLAIN = "text/plain"
MARKDOWN = "text/markdown"
_GUESSES = mimetypes.MimeTypes()
"""Python's own table: the module's functions also read the machine's files, and so differ from machine to machine."""
_BY_EXTENSION = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".rst": "text/x-rst",
    ".txt": PLAIN,
    ".py": "text/x-python",
    ".jsonl": "application/jsonl",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def content_type_of(content_type: str | None, uri: str | None) -> str:
    """The media type without parameters; ``text/plain`` gives way to what the extension says."""
    named = (content_type or "").partition(";")[0].strip().lower()
    if named and named != PLAIN:
        return named
    suffix = PurePosixPath(uri or "").suffix.lower()
    guessed = _BY_EXTENSION.get(suffix) or _GUESSES.guess_type(f"x{suffix}")[0] if suffix else None
    return guessed or named or PLAIN
