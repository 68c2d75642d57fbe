"""What ``auto`` takes a folder's files for, once their names are gone, beside what their names say.

    python benchmarks/auto.py [FOLDER ...] [--most 60]

Without a folder: the handbook of the tests. Files whose extension says no strategy are left out. The last line is one JSON object
with the share that is right, by kind and in all.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:] = [place for place in sys.path if Path(place).resolve() != HERE]

from chunking import Document, read_text
from chunking.choosing import choose
from chunking.errors import DocumentError
from chunking.reading.decoding import with_bytes
from chunking.reading.kinds import CODE

HANDBOOK = HERE.parent / "tests" / "data" / "handbook" / "documents"
NAMED = {
    ".md": "markdown", ".html": "markdown", ".docx": "markdown", ".pdf": "pdf", ".csv": "table", ".vtt": "transcript",
    ".srt": "transcript", ".rst": "recursive", ".txt": "recursive", **dict.fromkeys(CODE, "code"),
}  # fmt: skip
HANDBOOK_KINDS = {
    "data-processing.md": "legal", "employment.txt": "legal", "retro.txt": "transcript", "chat.jsonl": "transcript",
    "staff-faq.md": "faq", "customer-faq.txt": "faq", "on-the-water.tsv": "faq", "stock.tsv": "table",
}  # fmt: skip
"""Files of the handbook whose form says more than their extension."""
MOST_BYTES = 500_000


def kind_by_name(path: Path) -> str:
    """The strategy that a file's name says."""
    return HANDBOOK_KINDS.get(path.name) or NAMED.get(path.suffix, "")


def taken(path: Path) -> str | None:
    """The strategy for a file without its name; None where it can't be read."""
    try:
        return choose(read_text(with_bytes(Document("d"), path.read_bytes()))).strategy
    except DocumentError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[HANDBOOK])
    parser.add_argument("--most", type=int, default=60, help="files of an extension")
    options = parser.parse_args()
    paths = sorted(path for folder in options.folders for path in folder.rglob("*") if kind_by_name(path) and path.is_file())
    random.Random(0).shuffle(paths)  # noqa: S311 - a sample
    seen, found = Counter[str](), Counter[tuple[str, str]]()
    for path in paths:
        if seen[path.suffix] < options.most and 0 < path.stat().st_size <= MOST_BYTES and (strategy := taken(path)):
            seen[path.suffix] += 1
            named = kind_by_name(path)
            found[named, strategy] += 1
            if strategy != named:
                print(f"{named:>10} taken for {strategy:10} {path}")
    print_table(found)


def print_table(found: Counter[tuple[str, str]]) -> None:
    kinds, columns = sorted({kind for kind, _ in found}), sorted({strategy for _, strategy in found})
    print(f"\n{'':12}" + "".join(f"{column:>12}" for column in columns))
    for kind in kinds:
        print(f"{kind:12}" + "".join(f"{found[kind, column]:>12}" for column in columns))
    right = {kind: round(found[kind, kind] / sum(n for (name, _), n in found.items() if name == kind), 3) for kind in kinds}
    total = sum(found.values())
    print(json.dumps({**right, "all": round(sum(found[kind, kind] for kind in kinds) / total, 3), "files": total}))


if __name__ == "__main__":
    main()
