"""PDF by pages: paragraphs and words whole again, running lines out, and where each chunk stands."""

import json
from typing import Any

import pytest
from fpdf import FPDF
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, chunk_document, read_text
from chunking.errors import DocumentError, NotReadableError
from chunking.reading.kinds import PDF
from tests.chunking.cut import uncovered
from tests.generators import texts

RULE = "Every trip is booked by the office, and nobody pays for it first. "


class Handbook(FPDF):
    """Pages with a header, a footer and their number."""

    def header(self) -> None:
        self.set_font("helvetica", size=8)
        self.cell(0, 8, "Company Handbook", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("helvetica", size=8)
        self.cell(0, 8, f"Page {self.page_no()}", align="C")


def handbook() -> bytes:
    """Pages with a heading, paragraphs, broken words, a list, and a sentence over a page's end."""
    pdf = Handbook()
    pdf.set_title("The  rules")
    pdf.add_page()
    pdf.set_font("helvetica", "B", 16)
    pdf.cell(0, 12, "Travel rules", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("helvetica", size=11)
    broken = "Ask for infor-\nmation on self-\nservice first. A self-service desk helps. " + RULE * 3
    for paragraph in (RULE * 6, broken):
        pdf.multi_cell(0, 6, paragraph, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(6)
    for item in ("rail", "bus"):
        pdf.multi_cell(0, 6, f"- by {item}", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(6)
    pdf.multi_cell(0, 6, "No mark ends this one and it goes on " * 120 + "to here.", new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def cut(data: bytes | None, text: str | None = None, **settings: Any) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "pdf", "tokenizer": "words", "chunk_size": 60, "min_chunk_size": 0} | settings
    )
    return chunk_document(Document("d", text, data=data, content_type=PDF if data else "text/plain"), config)


def test_paragraphs_words_and_lists() -> None:
    text = read_text(Document("d", data=handbook(), uri="rules.pdf"))
    first, *_ = text.text.split("\f")
    heading, rules, broken, items, *_ = first.split("\n\n")
    assert (text.title, text.content_type, heading) == ("The rules", "text/plain", "Travel rules")
    assert rules == (RULE * 6).strip()
    assert broken.startswith("Ask for information on self-service first. A self-service desk")
    assert items == "- by rail\n- by bus"


def test_running_lines_are_out_and_pages_are_known() -> None:
    text = read_text(Document("d", data=handbook(), uri="rules.pdf"))
    assert "Handbook" not in text.text
    assert "Page" not in text.text
    pages = text.text.split("\f")
    assert len(pages) == len(text.layout.pages) > 1
    assert [text.text[start - 1] for start in text.layout.pages[1:]] == ["\f"] * (len(pages) - 1)
    chunks = cut(handbook())
    assert {chunk.page_start for chunk in chunks} == set(range(1, len(pages) + 1))
    assert not uncovered(text.text, chunks)


def test_a_sentence_over_the_end_of_a_page_is_one() -> None:
    text = "One twentieth thirtieth. Four five\fsix seven. Eight nine.\n\n\fTen eleven."
    across = cut(None, text, chunk_size=5)
    assert [chunk.text for chunk in across] == [
        "One twentieth thirtieth.",
        "Four five\fsix seven.",
        "Eight nine.\n\n\fTen eleven.",
    ]
    assert [(chunk.page_start, chunk.page_end) for chunk in across] == [(1, 1), (1, 2), (2, 3)]
    apart = cut(None, text, chunk_size=5, min_chunk_size=3, pdf={"cross_pages": False})
    assert all(chunk.page_start == chunk.page_end for chunk in apart)


def test_pages_of_plain_text() -> None:
    text = "aaa bbb\fccc ddd\feee fff"
    for overlap in (0, 4):
        for chunk in cut(None, text, tokenizer="characters", chunk_size=10, chunk_overlap=overlap, allow_high_overlap=True):
            assert chunk.page_start == 1 + text[: chunk.start].count("\f")
            assert chunk.page_end == 1 + text[: chunk.end].count("\f")
    (one,) = cut(None, "Short notice.")
    assert (one.page_start, one.page_end) == (1, 1)


def test_columns_are_not_mixed() -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    with pdf.text_columns(ncols=2, gutter=8) as columns:
        columns.write("Left words stand here. " * 60 + "\n\n" + "Other words come then. " * 60)
    text = read_text(Document("d", data=bytes(pdf.output()), content_type=PDF)).text
    assert text.count("Left words stand here.") == text.count("Other words come then.") == 60


def test_what_cannot_be_read_is_named() -> None:
    locked = FPDF()
    locked.set_encryption(owner_password="a", user_password="b")  # noqa: S106 - a password to be refused
    locked.add_page()
    blank = FPDF()
    blank.add_page()
    blank.add_page()
    for data, message in (
        (bytes(locked.output()), "PDF: encrypted"), (bytes(blank.output()), "image only, no text on any of its 2 pages; run OCR"),
        (b"%PDF-1.4 junk", "PDF: damaged"), (b"", "PDF: damaged"),
    ):  # fmt: skip
        with pytest.raises(NotReadableError, match=message):
            read_text(Document("d", data=data, content_type=PDF))


def test_a_file_that_breaks_off() -> None:
    data = handbook()
    for place in range(50):
        try:
            text = read_text(Document("d", data=data[: len(data) * place // 50], content_type=PDF)).text
        except DocumentError:
            continue
        assert text.strip()


def parsed(*elements: tuple[str, str, int], **more: Any) -> str:
    rows = [
        {"id": i, "type": kind, "content": content, "bbox": [{"coord": [0, 0, 1, 1], "page_id": page}]}
        for i, (kind, content, page) in enumerate(elements)
    ]
    return json.dumps({"document": {"pages": [{"id": 0}], "elements": rows}, "error_status": None} | more)


def test_a_parsed_document() -> None:
    table = "<table><tr><th>City</th><th>Limit</th></tr><tr><td>Rome</td><td>140</td></tr></table>"
    source = parsed(
        ("page_header", "Handbook", 0), ("title", "Travel", 0), ("text", "# one of them", 0), ("section_header", "Hotels", 2),
        ("table", table, 2), ("page_number", "3", 2),
    )  # fmt: skip
    for uri in ("a.json", "a.pdf"):
        text = read_text(Document("d", source, uri=uri))
        assert text.content_type == "text/markdown"
        head = "# Travel\n\n\\# one of them\n\n\f\n\n\n\f\n## Hotels\n\n"
        assert text.text == head + "| City | Limit |\n| --- | --- |\n| Rome | 140 |"
        assert [text.text[start - 2 : start] for start in text.layout.pages[1:]] == ["\n\f", "\n\f"]
        chunks = chunk_document(Document("d", source, uri=uri), ChunkingConfig(strategy="pdf", min_chunk_size=0))
        assert [(chunk.section_path, chunk.page_start) for chunk in chunks] == [(("Travel",), 1), (("Travel", "Hotels"), 3)]


def test_other_json_stays_and_a_failed_parse_says_why() -> None:
    for text in ('{"a": 1}', "[1, 2]", "{", '{"document": {"elements": 3}}'):
        assert read_text(Document("d", text, uri="a.json")).text == text
    with pytest.raises(NotReadableError, match="found no text: too large"):
        read_text(Document("d", parsed(error_status=[{"error_message": "too large"}]), uri="a.json"))


@given(text=texts(12))
def test_any_text(text: str) -> None:
    text = text.replace("\0", "")
    for cross in (True, False):
        assert not uncovered(text, cut(None, text, tokenizer="characters", chunk_size=30, pdf={"cross_pages": cross}))


def test_a_title_goes_with_what_follows() -> None:
    text = "First " + "word " * 20 + "ends.\n\nSecond " + "word " * 20 + "ends.\n\nA title\n\nThird " + "word " * 28 + "ends."
    chunks = cut(None, text)
    assert [chunk.text.split()[0] for chunk in chunks] == ["First", "A"]
    assert [chunk.text.split()[-1] for chunk in chunks] == ["ends.", "ends."]


def test_a_title_at_the_end_of_a_page_goes_with_the_next() -> None:
    text = "First " + "word " * 40 + "ends.\n\nA title\n\n\fThird " + "word " * 40 + "ends."
    first, second = cut(None, text)
    assert (first.page_start, first.page_end, second.page_start, second.page_end) == (1, 1, 1, 2)
    assert second.text.startswith("A title")
