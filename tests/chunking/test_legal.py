"""Clauses by their numbers, and the clauses that they refer to."""

from typing import Any

import pytest
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, chunk_document
from chunking.clauses import find_clauses, find_references
from tests.chunking.cut import uncovered
from tests.generators import texts

AGREEMENT = """SERVICE AGREEMENT

This Agreement is made on 3 May
2019. It binds both parties.

1. Definitions
1.1 "Fee" means the amount in
4.2 of the order form.
1.2 "Term" has the meaning given in clause 2.1(b).

2. Term
2.1 The term begins:
(a) on signature; or
(b) on delivery, whichever is
(i) earlier in time, or
(ii) notified under clause 3.
2.2 It ends as set out in sections 3 and 4.

3. Termination. Either party may end it as defined in 2.1 and Schedule 1.

4. General
See clauses 1 to 3 and paragraph (a) of 2.1.

Schedule 1
1. Services
2. Prices
"""
REGULATION = (
    "# Rules\n\n## Article 1 Scope\n\n1. First.\n2. Second, see Article 2(1).\n\n## Article 2\n\n1. Under Article 1.\n\n## Notes\n\nfree\n\n"
    "§ 3 Ende\n(1) eins\n(2) zwei nach § 3 (1)\n"
)


def cut(text: str, **settings: Any) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "legal", "tokenizer": "words", "chunk_size": 40, "min_chunk_size": 0} | settings
    )
    return chunk_document(Document("d", text), config)


def names(text: str) -> list[str]:
    return [clause.name for clause in find_clauses(text)]


def references(text: str) -> list[str]:
    return [name for _, name in find_references(text, find_clauses(text))]


def test_clauses_nest_by_their_numbers() -> None:
    assert names(AGREEMENT) == [
        "1", "1.1", "1.2", "2", "2.1", "2.1(a)", "2.1(b)", "2.1(b)(i)", "2.1(b)(ii)", "2.2", "3", "4",
        "Schedule 1", "Schedule 1 1", "Schedule 1 2",
    ]  # fmt: skip
    paths = {clause.name: clause.path for clause in find_clauses(AGREEMENT)}
    assert paths["2.1(b)(ii)"] == ("2 Term", "2.1", "(b)", "(ii)")
    assert paths["Schedule 1 2"] == ("Schedule 1", "2 Prices")


def test_articles_headings_and_paragraph_signs() -> None:
    assert names(REGULATION) == [
        "",
        "Article 1",
        "Article 1(1)",
        "Article 1(2)",
        "Article 2",
        "Article 2(1)",
        "",
        "§ 3",
        "§ 3(1)",
        "§ 3(2)",
    ]
    clauses = find_clauses(REGULATION)
    assert clauses[2].path == ("Rules", "Article 1 Scope", "1 First")
    assert references(REGULATION)[1:3] == ["Article 2(1)", "Article 2"]
    assert references(REGULATION)[-1] == "§ 3(1)"


@pytest.mark.parametrize(
    "text",
    [
        "It was\n2019. A good year.\nIn\n12. December it ended.",
        "1. One\nwrapped at\n4.2 of the annex\n2. Two",
        "1. One\n2. Two\nof\n3.5 percent\n",
    ],
)
def test_numbers_that_follow_from_nothing_open_no_clause(text: str) -> None:
    assert names(text) in ([], ["1", "2"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. A\nas provided in\nSection 2 of this\nSection 404. The Act.\n2. B", ["1", "2"]),
        ("1. A\nmakes available under the terms of this License or under\nExhibit A.\n2. B", ["1", "2"]),
        ("1. A\n\n   1) for x;\n   2) for y.\n\n2. B", ["1", "1(1)", "1(2)", "2"]),
        ("1 Definitions\n\nText\n\n12 December was cold.\n\n2 Term\n\n2.1 Start", ["1", "2", "2.1"]),
        ("1. to pay rent;\n2. to keep quiet.", ["1"]),
        ("1. A\n2. B\n7. C\n8. D", ["1", "2", "7", "8"]),
        ("1.1 A\n1.2 B\n2.1 C", ["1.1", "1.2", "2.1"]),
        ("1. A ..... 3\n2. B ..... 4\n\n1. A\nText.\n2. B\nText.", ["1", "2"]),
        ("1. A\n2. B\n\n1. A\nText.\n2. B\nText.", ["1", "2", "1", "2"]),
        ("ARTICLE I\nLAW\n\n1.1 A. x\n\nARTICLE II\n\n2.1 B. x", ["Article I", "1.1", "Article II", "2.1"]),
        ("Schedule B\n1. X\nSchedule C\n1. Y", ["Schedule B", "Schedule B 1", "Schedule C", "Schedule C 1"]),
        (
            "Section I\nArticle 1\nx\nArticle 2\nSection II\nArticle 3",
            ["Section I", "Article 1", "Article 2", "Section II", "Article 3"],
        ),
    ],
)
def test_what_opens_a_clause(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


def test_sections_in_articles_and_letters_on_their_line() -> None:
    text = (
        "Article 1. Terms\nSection 1.01 Scope. (a) This binds all.\n(b) See Section 1.01(a).\nSection 1.02 Rest. Nothing.\n"
        "Article 2. Loans\nSection 2.01 Loans. As in Section 1.02.\n"
    )
    clauses = find_clauses(text)
    assert [clause.name for clause in clauses] == [
        "Article 1", "Section 1.01", "Section 1.01(a)", "Section 1.01(b)", "Section 1.02", "Article 2", "Section 2.01",
    ]  # fmt: skip
    assert clauses[2].path == ("Article 1 Terms", "Section 1.01 Scope", "(a)")
    assert text.startswith("(a) This", clauses[2].start)
    assert references(text)[2:4] == ["Section 1.01(a)", "Section 1.02"]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Fees and Costs. The tenant pays.", "Fees and Costs"),
        ("The tenant pays. He pays soon.", ""),
        ('"Fee" means the amount.', '"Fee"'),
        ("Duties\n------\n", "Duties"),
        (
            "Acceptance Not Required for Having Copies of the Covered Work.\n",
            "Acceptance Not Required for Having Copies of the Covered Work",
        ),
        ("Nach § 1 Abs. 2 gilt dies.", ""),
    ],
)
def test_titles(line: str, title: str) -> None:
    (clause,) = find_clauses(f"1. {line}\nand so on")
    assert clause.path == (f"1 {title}".strip(),)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("paragraph 2 of Schedule 1", ["Schedule 1 2"]),
        ("paragraph (b) of clause 2.1", ["2.1(b)"]),
        ("clauses 1 to 3", ["1", "2", "3"]),
        ("Clauses 1, 2.1(a) and (b)", ["1", "2.1(a)", "2.1(b)"]),
        ("section 3 of the Companies Act 2006", []),
        ("Articles 1 and 2 of Regulation (EU) 2016/679", []),
        ("article 2 of the Berne copyright treaty adopted in 1886", []),
        ("section 2 of the lease", ["2"]),
        ("Sections 1 through 3", ["1", "2", "3"]),
        ("subsection 2.1b", ["2.1(b)"]),
        ("clause 9.9", []),
        ("an increase of 2.1 % or to 2.1 million", []),
        ("Article 3", ["3"]),
    ],
)
def test_references(words: str, wanted: list[str]) -> None:
    text = f"{AGREEMENT[:-1]}\n3. Notes\nWhat is said in {words} holds.\n"
    place = text.rindex(words) - len("What is said in ")
    assert [name for at, name in find_references(text, find_clauses(text)) if at >= place] == wanted


def test_what_is_in_a_clause_of_markdown_is_kept_whole() -> None:
    rows = "".join(f"| item {i} | {i} |\n" for i in range(12))
    text = f"# Terms\n\n## 1. Fees\n\nAs listed:\n\n| Item | Fee |\n| --- | --- |\n{rows}\n## 2. Term\n\nSee clause 1.\n"
    chunks = chunk_document(
        Document("d", text, content_type="text/markdown"),
        ChunkingConfig.model_validate({"strategy": "legal", "tokenizer": "words", "chunk_size": 30, "min_chunk_size": 0}),
    )
    parts = [chunk for chunk in chunks if chunk.text.startswith("| item")]
    assert parts
    assert all(chunk.header == "| Item | Fee |\n| --- | --- |" and chunk.text.endswith("|") for chunk in parts)
    assert chunks[0].text.startswith("# Terms\n\n## 1. Fees")
    assert chunks[-1].references == ("1",)


def test_a_title_stays_with_what_it_names() -> None:
    text = f"Chapter 1\n\n1. Duties\n\n{'word ' * 25}end.\n\n{'word ' * 25}end.\n\nChapter 2\n\n2. Rest\n\nShort.\n"
    chunks = cut(text, chunk_size=30)
    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["Chapter 1", "word " * 25 + "end.", "Chapter 2"]
    assert chunks[0].text.endswith("end.")
    assert chunks[-1].text.endswith("Short.")


def test_letters_and_roman_numerals() -> None:
    letters = "".join(f"({chr(97 + i)}) x\n" for i in range(12))
    assert names("1. A\n" + letters) == ["1", *(f"1({chr(97 + i)})" for i in range(12))]
    assert names("1. A\n(a) x\n(i) y\n(ii) z\n(b) w\n") == ["1", "1(a)", "1(a)(i)", "1(a)(ii)", "1(b)"]
    through_h = letters[: letters.index("(i)")]
    assert names("1. A\n" + through_h + "(i) y\n(ii) z\n")[-2:] == ["1(h)(i)", "1(h)(ii)"]


def test_an_excerpt_begins_where_it_begins() -> None:
    assert names("14. Law\nEnglish law.\n\n15. Courts\nLondon.\n") == ["14", "15"]


def test_chunks_are_clauses_with_path_and_references() -> None:
    chunks = cut(AGREEMENT)
    found = {chunk.section_path: chunk for chunk in chunks}
    assert found["2 Term",].references == ("3", "4")
    assert found["3 Termination",].references == ("2.1", "Schedule 1")
    assert found["1 Definitions",].references == ("2.1(b)",)
    assert found["4 General",].references == ("1", "2", "3", "2.1(a)")
    small = cut(AGREEMENT, chunk_size=12)
    assert [chunk.text for chunk in small if chunk.section_path[-1:] == ("2.2",)] == [
        "2.2 It ends as set out in sections 3 and 4."
    ]


def test_a_clause_that_fits_is_never_cut() -> None:
    clauses = [clause for clause in find_clauses(AGREEMENT) if clause.name == "2.1"]
    for chunk in cut(AGREEMENT, chunk_size=30):
        for clause in clauses:
            inside = max(chunk.start, clause.start) < min(chunk.end, clause.end)
            assert not inside or (
                chunk.start <= clause.start and chunk.end >= clause.start + len(AGREEMENT[clause.start : clause.end].rstrip())
            )


def test_first_lines_of_referenced_clauses() -> None:
    (chunk,) = [chunk for chunk in cut(AGREEMENT, legal={"reference_lines": True}) if chunk.text.startswith("3. ")]
    assert chunk.header == "2.1 The term begins:\nSchedule 1"
    assert chunk.embed_text == f"{chunk.header}\n\n{chunk.text}"


@given(text=texts(12))
def test_any_text(text: str) -> None:
    assert not uncovered(text.replace("\0", ""), cut(text.replace("\0", "")))


@pytest.mark.parametrize("sample", [AGREEMENT, REGULATION])
def test_a_file_that_breaks_off(sample: str) -> None:
    for end in range(0, len(sample), 5):
        assert not uncovered(sample[:end], cut(sample[:end], chunk_size=9, legal={"reference_lines": True}))
