"""Clauses by their numbers, and the clauses that they refer to."""

from typing import Any

import pytest
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, chunk_document
from chunking.clause_references import find_references
from chunking.clauses import find_clauses
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
    assert [name for _, name in find_references(REGULATION, clauses)][1:3] == ["Article 2(1)", "Article 2"]


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
    assert found["3",].references == ("2.1", "Schedule 1")
    assert found["1 Definitions",].references == ("2.1(b)",)
    assert found["4 General",].references == ("1", "2", "3", "2.1")
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
