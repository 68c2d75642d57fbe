"""Which section each place of a text stands in, for the kinds of text that have headings."""

from bisect import bisect_right
from dataclasses import dataclass

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sections:
    """Section paths by the offset at which each section starts; a heading belongs to its own section."""

    starts: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()

    def at(self, position: int) -> Path:
        """The path of the section around ``position``; empty before the first heading."""
        found = bisect_right(self.starts, position) - 1
        return self.paths[found] if found >= 0 else ()

    def common(self, start: int, end: int) -> Path:
        """What the paths of all sections in ``[start, end)`` have in common, from the root."""
        if not self.starts:
            return ()
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        path = self.at(start)
        for position in range(max(first, 0), last + 1):
            path = _shared(path, self.paths[position])
        return path


def _shared(one: Path, other: Path) -> Path:
    length = next((i for i, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other)))
    return one[:length]
