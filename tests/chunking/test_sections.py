"""Section paths of Markdown, by offset."""

import pytest

from chunking import Text
from chunking.outline import outline_of
from chunking.sections import Sections

GUIDE = """---
title: ignored
---
Before.

# Guide *to* `x`

Text.

Install
-------

```
# not a heading
```

> # nor this

## [Linked](http://a.b) ![picture](c.png)

### Deep

# Other
"""


def sections_of(text: str, content_type: str = "text/markdown") -> Sections:
    return outline_of(Text(text, content_type)).sections


@pytest.mark.parametrize(
    "place, path",
    [
        ("Before.", ()),
        ("# Guide", ("Guide to x",)),
        ("Text.", ("Guide to x",)),
        ("Install", ("Guide to x", "Install")),
        ("# not a", ("Guide to x", "Install")),
        ("# nor this", ("Guide to x", "Install")),
        ("[Linked]", ("Guide to x", "Linked picture", "Deep")),  # nothing stands between the two
        ("### Deep", ("Guide to x", "Linked picture", "Deep")),
        ("# Other", ("Other",)),
    ],
)
def test_each_place_has_the_path_of_the_headings_above_it(place: str, path: tuple[str, ...]) -> None:
    assert sections_of(GUIDE).at(GUIDE.index(place)) == path


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_offsets_count_every_line_end(line_end: str) -> None:
    text = GUIDE.replace("\n", line_end)
    assert sections_of(text).at(text.index("### Deep")) == ("Guide to x", "Linked picture", "Deep")


def test_a_range_has_the_common_path() -> None:
    sections = sections_of(GUIDE)
    start, end = GUIDE.index("Install"), GUIDE.index("### Deep") + 3
    assert sections.common(start, end) == ("Guide to x",)
    assert sections.common(0, end) == ()
    assert sections.common(start, start + 3) == ("Guide to x", "Install")


def test_other_kinds_have_no_sections() -> None:
    assert sections_of(GUIDE, "text/plain") == Sections()


@pytest.mark.parametrize(
    "text", ["# " + "[" * 20_000, "# " + "*a " * 10_000, ">" * 20_000, "- " * 20_000, "# a\n" * 5_000, "`" * 30_001]
)
def test_markup_without_end_is_bearable(text: str) -> None:
    assert len(sections_of(text).starts) <= 5_000
