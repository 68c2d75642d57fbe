"""Where the lines of a text start, whatever ends them: for parsers that count lines where we count code points."""

import re

_LINE_END = re.compile(r"\r\n?|\n")


def line_starts(text: str) -> list[int]:
    """The offset of each line, and the end of the text."""
    return [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
