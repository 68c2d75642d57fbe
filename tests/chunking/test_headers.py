"""What stands before a chunk for embedding: never part of its text, never more than half of the room."""

from typing import Any

import numpy as np

from chunking import Chunk, load_tokenizer
from tests.chunking.cut import cut, texts_of, uncovered
from tests.chunking.test_semantic import word_counts

COUNT = load_tokenizer("tiktoken:cl100k_base").count
GUIDE = "# Guide\n\n## Install\n\nDownload the archive first. Unpack it in your home folder. Start the program once.\n"


def with_header(text: str, header: str, **settings: Any) -> list[Chunk]:
    return cut(text, content_type="text/markdown", header=header, **settings)


def test_a_header_counts_towards_the_embedder_and_never_shows_in_the_text() -> None:
    """A heading with nothing under it but a deeper one stands in that one's section."""
    chunks = with_header(GUIDE, "section", chunk_size=16, max_embed_tokens=16)
    assert all(COUNT(chunk.embed_text) <= 16 for chunk in chunks)
    assert [chunk.header for chunk in chunks] == ["Guide > Install"] * 3
    assert all(chunk.embed_text == f"{chunk.header}\n\n{chunk.text}" for chunk in chunks)
    assert all(chunk.text == GUIDE[chunk.start : chunk.end] for chunk in chunks)
    assert not uncovered(GUIDE, chunks)


def test_a_heading_longer_than_half_of_the_room_is_shortened_and_flagged() -> None:
    text = "# " + "Exceptionally " * 12 + "\n\nShort body line.\n"
    chunks = with_header(text, "section", chunk_size=10, max_embed_tokens=10)
    assert chunks[-1].text == "Short body line."
    assert chunks[-1].header == "Exceptionally Exceptionally…"
    assert all("header_shortened" in chunk.flags for chunk in chunks)
    assert all(COUNT(chunk.embed_text) <= 10 for chunk in chunks)
    assert not uncovered(text, chunks)


def test_outer_parts_go_first() -> None:
    text = "# A rather long name for a guide\n\n## Install\n\nDownload it."
    chunks = with_header(text, "section", chunk_size=12, max_embed_tokens=16)
    assert chunks[-1].header == "… > Install"
    assert "header_shortened" in chunks[-1].flags


def test_a_title_without_blanks_is_cut_at_a_character() -> None:
    (chunk,) = cut("Text.", title="東京都に住んでいます" * 5, header="title", chunk_size=20, max_embed_tokens=20)
    assert chunk.header.startswith("東京")
    assert chunk.header.endswith("…")
    assert COUNT(chunk.header) <= 10


def test_a_header_that_has_no_room_at_all_is_left_out_and_flagged() -> None:
    (chunk,) = cut("ab", title="鯨鯨鯨", header="title", chunk_size=2, max_embed_tokens=2)
    assert chunk.header == ""
    assert chunk.embed_text == "ab"
    assert "header_shortened" in chunk.flags


def test_without_a_limit_nothing_is_shortened() -> None:
    title = "A long title " * 40
    (chunk,) = cut("Text.", title=title, header="title")
    assert chunk.header == title.strip()


def test_a_title_of_a_megabyte_costs_no_more_than_reading_it() -> None:
    chunks = cut("Some words here. " * 200, title="word " * 200_000, header="title", chunk_size=50, max_embed_tokens=128)
    assert all(COUNT(chunk.embed_text) <= 128 for chunk in chunks)


def test_title_and_section_say_the_same_once() -> None:
    text = "# Guide\n\nText."
    (chunk,) = cut(text, title="Guide", content_type="text/markdown", header="title_and_section")
    assert chunk.header == "Guide"
    (chunk,) = cut(text, title="Book", content_type="text/markdown", header="title_and_section")
    assert chunk.header == "Book > Guide"


def test_blank_and_broken_titles_are_mended() -> None:
    (blank,) = cut("Text.", title=" \n ", header="title")
    assert blank.embed_text == "Text."
    (broken,) = cut("Text.", title="odd \ud83d", header="title")
    assert broken.header == "odd \ufffd"


def test_no_header_unless_asked_for() -> None:
    assert {chunk.header for chunk in with_header(GUIDE, "none", title="Guide")} == {""}
    assert texts_of(with_header(GUIDE, "none")) == [GUIDE.strip()]


def test_a_header_says_what_a_passage_alone_does_not() -> None:
    """A worked example: words shared with the question, as cosines, without and with title and section before each passage."""
    text = (
        "# Ferry FAQ\n\n## Night ferry\n\nIt costs 9 crowns and takes 1 hour.\n\n"
        "## Summer ferry\n\nIt is free on trips over 50 miles.\n\n"
        "# Bicycles\n\n## Repairs\n\nIt takes one week and includes new tyres.\n"
    )
    sizes = {"tokenizer": "words", "chunk_size": 16, "content_type": "text/markdown"}
    chunks = cut(text, strategy="markdown", header="section", **sizes)
    bodies = [chunk.text.rpartition("\n\n")[2] for chunk in chunks]
    headed = [f"{chunk.header}\n{body}" for chunk, body in zip(chunks, bodies, strict=True)]
    question, *vectors = word_counts(["How much does night ferry cost?", *bodies, *headed])
    lengths = [np.linalg.norm(vector) * np.linalg.norm(question) for vector in vectors]
    scores = [round(float(vector @ question / length), 2) for vector, length in zip(vectors, lengths, strict=True)]
    assert [chunk.header for chunk in chunks] == [
        "Ferry FAQ > Night ferry",
        "Ferry FAQ > Summer ferry",
        "Bicycles > Repairs",
    ]
    assert scores == [0.2, 0.0, 0.0, 0.52, 0.26, 0.0]
