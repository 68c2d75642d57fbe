"""What kind of text a document is: its ``content_type``, else its uri's extension."""

import mimetypes
from pathlib import PurePosixPath

PLAIN = "text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
VTT = "text/vtt"
SRT = "application/x-subrip"
CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON_LINES = "application/jsonl"
CODE = {
    ".py": "text/x-python", ".pyi": "text/x-python", ".java": "text/x-java",
    ".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript", ".jsx": "text/javascript",
    ".ts": "text/x-typescript", ".mts": "text/x-typescript", ".cts": "text/x-typescript", ".tsx": "text/x-tsx",
    ".go": "text/x-go", ".rs": "text/x-rust", ".c": "text/x-c", ".h": "text/x-c",
    ".cc": "text/x-c++", ".cpp": "text/x-c++", ".cxx": "text/x-c++", ".hh": "text/x-c++", ".hpp": "text/x-c++",
    ".cs": "text/x-csharp", ".rb": "text/x-ruby", ".scala": "text/x-scala", ".sc": "text/x-scala",
    ".sql": "text/x-sql", ".sh": "text/x-sh", ".bash": "text/x-sh",
}  # fmt: skip
"""Source code that has a grammar, by extension."""
_GUESSES = mimetypes.MimeTypes()
"""Python's own table: the module's functions also read the machine's files, and so differ from machine to machine."""
_BY_EXTENSION = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".rst": "text/x-rst", ".txt": PLAIN,
    ".html": HTML, ".htm": HTML, ".xhtml": HTML, ".pdf": PDF, ".docx": DOCX, ".vtt": VTT, ".srt": SRT,
    ".csv": CSV, ".tsv": TSV, ".jsonl": JSON_LINES, ".ndjson": JSON_LINES,
    ".yaml": "application/yaml", ".yml": "application/yaml",
    **CODE,
}  # fmt: skip


def content_type_of(content_type: str | None, uri: str | None) -> str:
    """The media type without parameters; ``text/plain`` gives way to what the extension says."""
    named = (content_type or "").partition(";")[0].strip().lower()
    if named and named != PLAIN:
        return named
    suffix = PurePosixPath(uri or "").suffix.lower()
    guessed = _BY_EXTENSION.get(suffix) or _GUESSES.guess_type(f"x{suffix}")[0] if suffix else None
    return guessed or named or PLAIN
