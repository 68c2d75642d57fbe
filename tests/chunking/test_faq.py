"""Questions with their answers: one pair a chunk, a split answer with its question."""

from typing import Any

import pytest
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, Text, chunk_document
from chunking.questions import find_pairs
from tests.chunking.cut import uncovered
from tests.generators import texts

BUTTON = "Q: How do I reset it?\nA: Hold the button for ten seconds.\n\nQ: Is it waterproof?\nA: No. Keep it dry.\n\nQ: Where is it made?\nA: In Porto.\n"
COVER = "Q: What is covered?\nA: Breakage in the first year is covered. Theft is covered with a police report. Water damage is not covered.\n"


def cut(text: str, content_type: str = "text/plain", **settings: Any) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "faq", "tokenizer": "characters", "chunk_size": 200, "min_chunk_size": 0} | settings
    )
    return chunk_document(Document("d", text, content_type=content_type), config)


def pairs_of(text: str, content_type: str = "text/plain") -> list[tuple[str, str]]:
    return [
        (pair.question, text[pair.answer.start : pair.answer.end] if pair.answer else "")
        for pair in find_pairs(Text(text, content_type))
    ]


def test_each_pair_is_a_chunk_however_short() -> None:
    chunks = cut(BUTTON, min_chunk_size=150)
    assert [chunk.span for chunk in chunks] == [(0, 57), (59, 99), (101, 134)]
    assert [(chunk.metadata["question"], chunk.metadata["answer"]) for chunk in chunks] == pairs_of(BUTTON)
    assert chunks[1].metadata == {"question": "Is it waterproof?", "answer": "No. Keep it dry."}


def test_a_split_answer_repeats_its_question() -> None:
    chunks = cut(COVER, chunk_size=75, max_embed_tokens=75)
    assert len(chunks) >= 2
    assert all(chunk.embed_text.startswith("Q: What is covered?") and len(chunk.embed_text) <= 75 for chunk in chunks)
    assert [chunk.metadata["part"] for chunk in chunks] == [f"{i} of {len(chunks)}" for i in range(1, len(chunks) + 1)]
    for sentence in (
        "Breakage in the first year is covered.",
        "Theft is covered with a police report.",
        "Water damage is not covered.",
    ):
        assert sum(sentence in chunk.text for chunk in chunks) == 1


def test_a_mark_inside_a_line_begins_nothing_and_an_open_question_is_flagged() -> None:
    text = (
        "Q: How do I leave the pager?\nA: Press Q: it quits.\nQ: And the editor?\nA: Type :q and Enter.\nQ: Any questions left?\n"
    )
    chunks = cut(text)
    assert [chunk.metadata["question"] for chunk in chunks] == [
        "How do I leave the pager?",
        "And the editor?",
        "Any questions left?",
    ]
    assert chunks[0].metadata["answer"] == "Press Q: it quits."
    assert [chunk.flags for chunk in chunks] == [(), (), ("unanswered",)]


@pytest.mark.parametrize(
    "text",
    [
        "Q: One?\nA: First.\n\nQ: Two?\nA: Second.\n",
        "Question 1: One?\nAnswer: First.\nQuestion 2: Two?\nAnswer: Second.\n",
        "**Q:** One?\n**A:** First.\n\n**Q:** Two?\n**A:** Second.\n",
        "Q1. One?\nA1. First.\n\nQ2. Two?\nA2. Second.\n",
        "# Help\n\n## One?\n\nFirst.\n\n## Two?\n\nSecond.\n",
        "**One?**\n\nFirst.\n\n**Two?**\n\nSecond.\n",
        "__One?__\nFirst.\n\n__Two?__\nSecond.\n",
        "One?\nFirst.\n\nTwo?\n\nSecond.\n",
        "One?\tFirst.\nTwo?\tSecond.\n",
        "question\tanswer\nOne?\tFirst.\nTwo?\tSecond.\n",
        "**Q: One?**\n\nA: First.\n\n**Q: Two?**\n\nA: Second.\n",
        "### Q: One?\n\nA: First.\n\n### Q: Two?\n\nA: Second.\n",
        "q: One?\na: First.\nq: Two?\na: Second.\n",
        "\u95ee\uff1aOne?\n\u7b54\uff1aFirst.\n\u95ee\uff1aTwo?\n\u7b54\uff1aSecond.\n",
        "1. One?\nFirst.\n2. Two?\nSecond.\n",
        "1.1 One?\n\n  First.\n\n1.2\tTwo?\nSecond.\n",
        "1. One?\n2. Two?\n3. Three?\n\n1. One?\nFirst.\n2. Two?\nSecond.\n",
        "F: One?\nA: First.\nF: Two?\nA: Second.\n",
        "Q: One?\nR: First.\nQ: Two?\nR: Second.\n",
        "One?\n====\n\nFirst.\n\nTwo?\n====\n\nSecond.\n",
        "## 1. One?\n\nFirst.\n\n## 2. Two?\n\nSecond.\n",
    ],
)
def test_forms(text: str) -> None:
    for content_type in ("text/plain", "text/markdown"):
        assert pairs_of(text, content_type) == [("One?", "First."), ("Two?", "Second.")]


def test_columns() -> None:
    text = 'id,Question,Answer\n1,"One, two?","First, ""yes""."\n2,Two?,\n'
    assert pairs_of(text, "text/csv")[0][0] == "One, two?"
    head, one, two = cut(text, "text/csv")
    assert (head.text, one.metadata["question"], two.flags) == ("id,Question,Answer", "One, two?", ("unanswered",))


def test_lines_without_a_tab_continue_the_answer() -> None:
    text = "How?\tPress it.\nThen wait.\n\nWhy?\tBecause.\n"
    assert pairs_of(text) == [("How?", "Press it.\nThen wait."), ("Why?", "Because.")]


def test_questions_one_under_the_other_share_the_answer() -> None:
    assert pairs_of("Q: Can I pay\nby card?\nQ: By phone?\nA: Yes.\nQ: In cash?\nA: No.\n") == [
        ("Can I pay by card? By phone?", "Yes."),
        ("In cash?", "No."),
    ]


def test_headings_that_ask_nothing_among_questions() -> None:
    text = "# Help\n\nIntro.\n\n## One?\n\nFirst.\n\n### Detail\n\nMore.\n\n## Shipping\n\nSecond.\n\n## Two?\n\nThird.\n\n# Contact\n\nWrite.\n"
    assert [question for question, _ in pairs_of(text, "text/markdown")] == ["One?", "Shipping", "Two?"]
    chunks = cut(text, "text/markdown")
    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["# Help", "## One?", "## Shipping", "## Two?", "# Contact"]
    assert "More." in chunks[1].text
    assert chunks[1].section_path == ("Help", "One?")


def test_headings_alone_go_with_the_question_below_them() -> None:
    text = "# Help\n\n## Orders\n\nQ: One?\nA: First.\n\n## Returns\n\nQ: Two?\nA: Second.\n\n## Other\n\nWords.\n\n**Q: Three?**\nA: Third.\n"
    chunks = cut(text, "text/markdown", faq={"embed": "question"}, header="none")
    assert [chunk.text for chunk in chunks[:2]] == [
        "# Help\n\n## Orders\n\nQ: One?\nA: First.",
        "## Returns\n\nQ: Two?\nA: Second.",
    ]
    assert [chunk.embed_text for chunk in chunks] == ["One?", "Two?", "## Other\n\nWords.", "Three?"]
    assert [chunk.section_path for chunk in chunks[:2]] == [("Help", "Orders"), ("Help", "Returns")]
    assert [chunk.metadata.get("answer") for chunk in chunks] == ["First.", "Second.", None, "Third."]
    tight = cut(text, "text/markdown", chunk_size=26)
    assert [chunk.text for chunk in tight[:2]] == ["# Help\n\n## Orders", "Q: One?\nA: First."]


def test_marks_in_code_are_code() -> None:
    text = "Q: How?\nA: Like this:\n\n```\nQ: What?\nA: That.\n```\n\nQ: Why?\nA: So.\n"
    for content_type in ("text/plain", "text/markdown"):
        assert [question for question, _ in pairs_of(text, content_type)] == ["How?", "Why?"]


def test_an_example_in_an_answer_is_not_the_form_of_the_text() -> None:
    text = "## One?\n\nWrite:\n\nQ: x\nA: y\n\n## Two?\n\nSecond.\n"
    assert [question for question, _ in pairs_of(text, "text/markdown")] == ["One?", "Two?"]


def test_a_list_of_terms_in_bold() -> None:
    text = "**Fee**\n\nFive dollars.\n\n**Term**\n\nFive years.\n"
    assert [chunk.metadata["question"] for chunk in cut(text, "text/markdown")] == ["Fee", "Term"]
    assert pairs_of(text, "text/markdown") == []


def test_a_numbered_question_on_several_lines() -> None:
    text = "1. Can you say\n   what it is?\n\n   A tool.\n\n2. Section\n\n   Of it. Is that all? Yes.\n\n2.1 Why?\n   So.\n"
    assert pairs_of(text)[0] == ("Can you say what it is?", "A tool.\n\n2. Section\n\n   Of it. Is that all? Yes.")
    assert pairs_of(text)[1:] == [("Why?", "So.")]


def test_a_section_ends_an_answer_where_questions_are_sections() -> None:
    text = "\n1.1 Why?\n\nSo, in steps:\n\n1. Go.\n\n1.2 Notes\n\nWords on\nvalues?\nIn lines.\n\n1.3 Who?\n\nWe.\n"
    assert pairs_of(text) == [("Why?", "So, in steps:\n\n1. Go."), ("Who?", "We.")]


def test_letters_that_count_mark_nothing() -> None:
    assert pairs_of("E. Old versions\n\nWords.\n\nF. New versions\n\nWords.\n\nA. All\n") == []


def test_the_line_under_a_question_is_not_repeated() -> None:
    chunks = cut(f"Why?\n====\n\n{'So it is. ' * 9}\n\nWho?\n====\n\nWe.\n", chunk_size=50)
    assert {chunk.header for chunk in chunks[1:-1]} == {"Why?"}


def test_a_list_of_questions_alone_is_not_a_list_of_answers() -> None:
    assert pairs_of("1. What is it?\n2. Why is it?\n3. Who is it?\nNobody.\n") == []


def test_a_table_in_an_answer_repeats_its_head_below_the_question() -> None:
    rows = "".join(f"| plan {i} | {i} dollars |\n" for i in range(9))
    chunks = cut(
        f"## Cost?\n\n| Plan | Cost |\n| --- | --- |\n{rows}\nPlus tax, where tax is due, as said.\n\n## Who?\n\nWe.\n",
        "text/markdown",
        chunk_size=80,
    )
    inside = [chunk for chunk in chunks if chunk.text.startswith("| plan")]
    assert len(inside) > 1
    assert {chunk.header for chunk in inside} == {"## Cost?\n\n| Plan | Cost |\n| --- | --- |"}
    assert all(chunk.embed_text == f"{chunk.header}\n{chunk.text}" for chunk in inside)
    assert next(chunk for chunk in chunks if chunk.text.startswith("Plus")).header == "## Cost?"


def test_the_question_alone_can_be_embedded() -> None:
    chunks = cut(BUTTON, faq={"embed": "question"})
    assert [chunk.embed_text for chunk in chunks] == ["How do I reset it?", "Is it waterproof?", "Where is it made?"]
    assert chunks[0].text.endswith("ten seconds.")


def test_a_text_without_questions_is_cut_like_any_other() -> None:
    text = "Just words. " * 40
    assert not uncovered(text, cut(text))
    assert pairs_of(text) == []


def test_long_rules_of_marks_are_no_trouble() -> None:
    rules = f"{'#' * 5_000}\n{'* ' * 5_000}\n{'_>' * 5_000}\n"
    assert [answer for _, answer in pairs_of(f"{rules}Q: Why?\nA: So.\n{rules}Q: Who?\nA: Me.\n")][1] == "Me."


@given(text=texts(12))
def test_any_text(text: str) -> None:
    for content_type in ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values"):
        assert not uncovered(text, cut(text.replace("\0", ""), content_type, chunk_size=30)) or "\0" in text


@pytest.mark.parametrize("sample", [BUTTON, "# Help\n\n## One?\n\n- a\n- b\n\n## Two?\n\n```\nx\n```\n"])
def test_a_file_that_breaks_off(sample: str) -> None:
    for end in range(0, len(sample), 2):
        assert not uncovered(sample[:end], cut(sample[:end], "text/markdown", chunk_size=24))
