"""The same few marks, thousands of times: what makes a pattern or a loop take time by the square, or for ever."""

import pytest

from chunking import ChunkingConfig, Document, chunk_document, read_text
from tests.chunking.cut import uncovered
from tests.fakes import letter_counts

MARKS = (
    "(", "#", "# a\n", "1. x\n", "Q: a?\nA: b\n", "a?\n\n", "| a |\n|---|\n", "- ", "[00:01:02] Ana: x.\n", "<b>", "**a?**\n\n",
    "a\tb?\n", "(i) ", "1.1 x clause 2.1(a)(b), 3 to 5\n", "see 1, 2, 3, 4, ", "x\f", "*_", " \u0301", "<!-- a -->", "0:0:0 --> ",
)  # fmt: skip
KINDS = {
    "auto": (None, "text/markdown"), "code": (None,), "faq": (None, "text/tab-separated-values", "text/csv"), "html": ("text/html",),
    "legal": (None,), "markdown": ("text/markdown",), "pdf": (None,), "semantic": (None,), "transcript": (None, "application/jsonl"),
}  # fmt: skip


@pytest.mark.parametrize("strategy", KINDS)
def test_monotonous_texts_are_bearable(strategy: str) -> None:
    config = ChunkingConfig.model_validate(
        {"strategy": strategy, "tokenizer": "characters", "chunk_size": 300, "min_chunk_size": 20, "code": {"language": "python"}}
    )
    for kind in KINDS[strategy]:
        for mark in MARKS:
            document = Document("d", mark * (12_000 // len(mark)), content_type=kind)
            assert not uncovered(read_text(document).text, chunk_document(document, config, letter_counts)), mark
