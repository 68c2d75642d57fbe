"""Markdown is cut at headings, then between blocks; every chunk knows its section."""

from chunking import ChunkingConfig, Document, chunk_document
from tests.chunking.cut import cut, texts_of, uncovered


def by_section(text: str, size: int = 1000, **settings: object) -> list[tuple[tuple[str, ...], str]]:
    """Section path and text of each chunk, sizes in characters."""
    chunks = cut(text, content_type="text/markdown", strategy="markdown", tokenizer="characters", chunk_size=size, **settings)
    assert not uncovered(text, chunks)
    return [(chunk.section_path, chunk.text) for chunk in chunks]


def test_a_hash_in_a_fence_is_no_heading() -> None:
    text = "# Setup\n\n```sh\n# not a heading\necho hi\n```\n\n~~~py\n# nor this\nrun()\n~~~\n\n# Use\n\nGo.\n"
    assert [path for path, _ in by_section(text)] == [("Setup",), ("Use",)]


def test_fences_end_where_commonmark_says() -> None:
    """A shorter one inside a longer closes nothing, a longer one does, an open one runs to the end."""
    text = "# Tools\n\n````\n```\n# sharpen\n```\n````\n\n   ```\n# polish\n   `````\n\n# Storage\n\n```\n# oil\n"
    assert [path for path, _ in by_section(text)] == [("Tools",), ("Storage",)]


def test_siblings_and_skipped_levels() -> None:
    """A heading without a text of its own goes with the one below it."""
    text = "# Sea\n\n### Fish\n\ncod and eel\n\n### Crabs\n\nshells and claws\n\n## Birds\n\ngulls and terns\n"
    assert by_section(text) == [
        (("Sea", "Fish"), "# Sea\n\n### Fish\n\ncod and eel"),
        (("Sea", "Crabs"), "### Crabs\n\nshells and claws"),
        (("Sea", "Birds"), "## Birds\n\ngulls and terns"),
    ]


def test_blanks_inside_a_chunk_stay() -> None:
    text = "# T\n\npara one\n\npara two\n\n```\n\tif x:\n\t\ty\u00a0= 1\n```\n"
    ((_, chunk),) = by_section(text)
    assert chunk == text.rstrip()


def test_body_text_under_bare_headings_has_the_whole_path() -> None:
    text = "# Guide\n\n## Install\n\nDownload the archive first. Unpack it in your home folder. Start the program once.\n"
    chunks = by_section(text, 40)
    assert {path for path, _ in chunks} == {("Guide", "Install")}
    assert all(len(chunk) <= 40 for _, chunk in chunks)


def test_ten_thousand_paragraphs() -> None:
    text = "# One\n\n" + "\n\n".join(f"p{i:06} short paragraph" for i in range(10_000))
    chunks = by_section(text, 400)
    assert {path for path, _ in chunks} == {("One",)}
    assert all(chunk.endswith("paragraph") for _, chunk in chunks)


def test_blocks_stay_whole_while_they_fit() -> None:
    """A fence, a list item and a quote are each cut only where they don't fit alone."""
    fence = "```py\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n```"
    item = "- an item of two\n  lines in the source"
    quote = "> a quote that goes on\n> for a second line"
    text = f"Some words before all of it.\n\n{fence}\n\n{item}\n- short\n\n{quote}\n\nAnd some after."
    chunks = [chunk for _, chunk in by_section(text, 60)]
    for block in (fence, item, quote):
        assert any(block in chunk for chunk in chunks)


def test_a_heading_stays_with_the_start_of_a_long_paragraph() -> None:
    text = "# Boats\n\n" + "They wait for the tide. " * 20
    chunks = by_section(text, 100)
    assert chunks[0][1].startswith("# Boats\n\nThey wait")
    assert all(chunk.endswith("tide.") for _, chunk in chunks)


def test_what_announces_a_block_stays_with_it() -> None:
    text = "A paragraph that fills the room.\n\nThe steps are:\n\n1. Stop.\n2. Wait.\n"
    assert texts_of(cut(text, content_type="text/markdown", strategy="markdown", tokenizer="characters", chunk_size=50)) == [
        "A paragraph that fills the room.",
        "The steps are:\n\n1. Stop.\n2. Wait.",
    ]


def test_small_sections_join_their_nearest_relative() -> None:
    """Under ``min_chunk_size`` a section joins a sibling, not the end of another chapter."""
    text = "# A\n\nLong enough to stand on its own feet.\n\n# B\n\nTiny.\n\n## C\n\nLong enough to stand alone as well, surely.\n"
    config = ChunkingConfig(strategy="markdown", tokenizer="characters", chunk_size=80, min_chunk_size=20)
    chunks = chunk_document(Document("d", text, content_type="text/markdown"), config)
    assert [chunk.section_path for chunk in chunks] == [("A",), ("B",)]
    assert chunks[1].text.startswith("# B")


def test_overlap_is_made_of_whole_blocks() -> None:
    text = "One two.\n\nThree four.\n\nFive six.\n\nSeven eight."
    chunks = by_section(text, 24, chunk_overlap=12)
    assert [chunk for _, chunk in chunks] == ["One two.\n\nThree four.", "Three four.\n\nFive six.", "Five six.\n\nSeven eight."]


def test_front_matter_and_reference_definitions_are_covered() -> None:
    text = "---\ntitle: x\n---\n\n# T\n\nSee [r].\n\n[r]: https://example.org\n"
    assert [path for path, _ in by_section(text)] == [(), ("T",)]


def test_a_bold_line_stays_with_what_follows() -> None:
    text = "One two three four.\n\n**What is it?**\n\nFive six seven.\n"
    chunks = cut(text, strategy="markdown", content_type="text/markdown", tokenizer="words", chunk_size=7)
    assert texts_of(chunks) == ["One two three four.", "**What is it?**\n\nFive six seven."]
