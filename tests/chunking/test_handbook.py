"""The handbook: every kind of file, cut by every strategy, whole or broken off; its questions; and what ``auto`` takes."""

import json

import pytest

from chunking import ChunkingConfig, Document, chunk_document, read_text
from chunking.choosing import choose
from chunking.errors import DocumentError
from chunking.reading.decoding import with_bytes
from chunking.strategies import strategies
from tests.chunking.cut import uncovered
from tests.data.locate_questions import DOCUMENTS, QUESTIONS, handbook_document
from tests.fakes import letter_counts

DOC_IDS = sorted(path.relative_to(DOCUMENTS).as_posix() for path in DOCUMENTS.rglob("*") if path.is_file())
BY_SUFFIX = {
    "md": "markdown", "html": "markdown", "docx": "markdown", "pdf": "pdf", "csv": "table", "vtt": "transcript", "srt": "transcript",
    "jsonl": "transcript", "rst": "recursive", "txt": "recursive",
}  # fmt: skip
EXPECTED = {doc_id: BY_SUFFIX.get(doc_id.rpartition(".")[2], "code") for doc_id in DOC_IDS} | {
    "legal/data-processing.md": "legal", "legal/employment.txt": "legal", "minutes/retro.txt": "transcript",
    "people/staff-faq.md": "faq", "shop/customer-faq.txt": "faq", "shop/on-the-water.tsv": "faq", "shop/stock.tsv": "table",
}  # fmt: skip
NAMELESS = 0.95
"""The share that ``auto`` must get right without file names."""


def nameless(doc_id: str) -> Document:
    """The file without its name."""
    return with_bytes(Document("d"), (DOCUMENTS / doc_id).read_bytes())


def test_every_kind_is_there() -> None:
    assert len(DOC_IDS) >= 30
    assert {doc_id.rpartition(".")[2] for doc_id in DOC_IDS} >= {"md", "html", "pdf", "docx", "csv", "tsv", "txt", "rst", "vtt", "srt", "jsonl", "py", "ts", "go", "sql", "java", "sh"}  # fmt: skip


def test_auto_by_name() -> None:
    assert {doc_id: choose(read_text(handbook_document(doc_id))).strategy for doc_id in DOC_IDS} == EXPECTED


def test_auto_without_names() -> None:
    taken = {doc_id: choose(read_text(nameless(doc_id))).strategy for doc_id in DOC_IDS}
    wrong = {doc_id: name for doc_id, name in taken.items() if name != EXPECTED[doc_id]}
    assert len(wrong) <= (1 - NAMELESS) * len(DOC_IDS), wrong


def test_questions_quote_the_documents() -> None:
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    assert len(questions) == 100
    assert {question["query_type"] for question in questions} == {"factoid", "analytical", "multi-hop", "whole-section"}
    texts = {doc_id: read_text(handbook_document(doc_id)).text for doc_id in DOC_IDS}
    for question in questions:
        assert question["references"]
        for reference in question["references"]:
            assert texts[reference["doc_id"]][reference["start"] : reference["end"]] == reference["text"], question["question"]


@pytest.mark.parametrize("strategy", sorted(strategies()))
def test_every_strategy_on_every_kind_whole_and_broken_off(strategy: str) -> None:
    """Chunks that lose nothing, or the reason why there are none."""
    config = ChunkingConfig(strategy=strategy, tokenizer="characters", chunk_size=240, min_chunk_size=20)
    for doc_id in DOC_IDS:
        data = (DOCUMENTS / doc_id).read_bytes()
        parts = range(1, 51) if EXPECTED[doc_id] == strategy else (25, 50)
        for part in parts:
            try:
                document = with_bytes(Document("d", uri=doc_id), data[: len(data) * part // 50])
                chunks = chunk_document(document, config, letter_counts)
            except DocumentError:
                continue
            assert not uncovered(read_text(document).text, chunks), (doc_id, part)
