"""Brings the spans of the handbook's questions up to date, by their texts: ``python tests/data/locate_questions.py``.

Needed when a reader gives other text than before. A text that is gone, or stands there twice, is named.
"""

import json
from pathlib import Path

from chunking import Document, read_text
from chunking.reading.decoding import with_bytes

HANDBOOK = Path(__file__).parent / "handbook"
DOCUMENTS = HANDBOOK / "documents"
QUESTIONS = HANDBOOK / "questions.jsonl"


def handbook_document(doc_id: str) -> Document:
    """One of its files, as ingest makes it."""
    return with_bytes(Document(doc_id, uri=doc_id), (DOCUMENTS / doc_id).read_bytes())


def locate(doc_id: str, text: str) -> tuple[int, int]:
    """Where the text stands in the document."""
    source = read_text(handbook_document(doc_id)).text
    if source.count(text) != 1:
        raise SystemExit(f"{doc_id}: {text!r} stands there {source.count(text)} times")
    start = source.index(text)
    return start, start + len(text)


def main() -> None:
    """Rewrite the file."""
    lines = []
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        for reference in question["references"]:
            reference["start"], reference["end"] = locate(reference["doc_id"], reference["text"])
        lines.append(json.dumps(question, ensure_ascii=False))
    QUESTIONS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
