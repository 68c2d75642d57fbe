"""Tables are cut between rows, and every later part carries the head."""

from collections.abc import Sequence

from chunking import Chunk
from tests.chunking.cut import cut, texts_of, uncovered

HEAD = "| Gauge | Level |\n| --- | --- |"
ROWS = ["| North | 1.2 m |", "| South | 0.8 m |", "| East | 2.4 m |", "| West | 1.9 m |"]


def cut_table(text: str, room: int, strategy: str = "markdown", content_type: str = "text/markdown") -> Sequence[Chunk]:
    """Chunks whose ``embed_text`` has at most ``room`` characters."""
    chunks = cut(
        text, content_type=content_type, strategy=strategy, tokenizer="characters", chunk_size=room,
        max_embed_tokens=room, embed_tokenizer="characters",
    )  # fmt: skip
    assert not uncovered(text, chunks)
    assert all(len(chunk.embed_text) <= room for chunk in chunks)
    return chunks


def test_later_parts_repeat_the_head() -> None:
    """Each row whole, in one chunk; no chunk is a head alone."""
    chunks = cut_table("\n".join([HEAD, *ROWS]), 70)
    assert len(chunks) == 2
    assert all(chunk.embed_text.startswith(f"{HEAD}\n|") for chunk in chunks)
    assert [sum(row in chunk.text for chunk in chunks) for row in ROWS] == [1, 1, 1, 1]
    assert [chunk.metadata for chunk in chunks] == [{"table": "1", "rows": "1-2"}, {"table": "1", "rows": "3-4"}]


def test_a_caption_stands_once() -> None:
    text = "\n".join(["Table 3: Water levels", "", HEAD, *ROWS, *(row.replace(" m ", " cm ") for row in ROWS)])
    chunks = cut_table(text, 90)
    assert ["Table 3" in chunk.embed_text for chunk in chunks] == [True, *(False for _ in chunks[1:])]
    assert all(HEAD in chunk.embed_text for chunk in chunks)


def test_a_head_that_does_not_fit_is_flagged_and_costs_no_row() -> None:
    names = " | ".join(f"very long column name {i}" for i in range(1, 7))
    text = f"| {names} |\n|---|---|---|---|---|---|\n| a | b | c | d | e | f |\n| g | h | i | j | k | l |\n"
    chunks = cut_table(text, 80, "table")
    with_rows = [chunk for chunk in chunks if "rows" in chunk.metadata]
    assert all("header_shortened" in chunk.flags for chunk in with_rows)
    for row in ("| a | b | c | d | e | f |", "| g | h | i | j | k | l |"):
        assert sum(row in chunk.text for chunk in chunks) == 1


def test_a_head_is_shortened_before_a_row_is_cut() -> None:
    """A row that fits alone stays whole: the head gives way, and the chunk says so."""
    head = "| Name of the gauge | Level of the water | Remarks by the keeper |\n|---|---|---|"
    rows = ["| North | 1.2 m | " + "seen " * 13 + "|", "| South | 0.8 m | calm |", "| East | 2.4 m | " + "wind " * 13 + "|"]
    chunks = cut_table("\n".join([head, *rows]), 100, "table")
    for row in rows:
        assert sum(row in chunk.text for chunk in chunks) == 1
    last = next(chunk for chunk in chunks if rows[2] in chunk.text)
    assert "header_shortened" in last.flags


def test_an_escaped_pipe_is_no_cell_boundary() -> None:
    rows = [r"| a \| b | either one |", r"| `x\|y` | a pipe in code |"]
    chunks = cut_table("\n".join(["| Rule | Use |\n| --- | --- |", *rows]), 58, "table")
    assert [[row in chunk.text for chunk in chunks] for row in rows] == [[True, False], [False, True]]


def test_each_table_stays_in_its_section() -> None:
    text = "## One\n\n| k | v |\n| --- | --- |\n| a | 1 |\n\n## Two\n\n| k | v |\n| --- | --- |\n| b | 2 |\n"
    chunks = cut_table(text, 500)
    assert [(chunk.section_path, chunk.metadata["table"]) for chunk in chunks] == [(("One",), "1"), (("Two",), "2")]


def test_comma_separated_rows_repeat_the_first() -> None:
    """A quoted line break doesn't end a row; the delimiter is found."""
    text = 'id;note\n1;"two\nlines; and a mark"\n2;short\n3;another\n'
    chunks = cut_table(text, 40, "table", "text/csv")
    assert texts_of(chunks) == ['id;note\n1;"two\nlines; and a mark"', "2;short\n3;another"]
    assert chunks[1].embed_text == "id;note\n2;short\n3;another"
    assert chunks[1].metadata == {"table": "1", "rows": "2-3"}


def test_a_table_of_a_head_alone() -> None:
    assert texts_of(cut_table(HEAD, 100)) == [HEAD]
    assert texts_of(cut_table("id,name\n", 100, "table", "text/csv")) == ["id,name"]


def test_rows_of_a_table_in_a_list_and_a_quote() -> None:
    """Wherever a table stands, each row is by itself; what is around it stays together."""
    text = "- Levels today\n\n  | Gauge | Level |\n  | --- | --- |\n  | North | 1.2 m |\n  | South | 0.8 m |\n\n- Calm.\n\n"
    text += "> | Lake | Ice |\n> | --- | --- |\n> | Selwyn | no |\n> | Morren | yes |\n"
    chunks = cut(text, content_type="text/markdown", strategy="table", table={"one_row_per_chunk": True})
    assert not uncovered(text, chunks)
    embedded = [chunk.embed_text for chunk in chunks]
    assert embedded == [
        "- Levels today", "Gauge: North\nLevel: 1.2 m", "Gauge: South\nLevel: 0.8 m", "- Calm.",
        "Lake: Selwyn\nIce: no", "Lake: Morren\nIce: yes",
    ]  # fmt: skip


def test_one_row_per_chunk_is_embedded_as_pairs() -> None:
    """The text stays the row; what is embedded names the columns; empty cells are left out."""
    text = "id,name,note\n1,Ann,\n2,Bob,likes tea\n"
    chunks = cut(
        text, content_type="text/csv", strategy="table", tokenizer="words", chunk_size=50, table={"one_row_per_chunk": True}
    )
    assert texts_of(chunks) == ["id,name,note\n1,Ann,", "2,Bob,likes tea"]
    assert [chunk.embed_text for chunk in chunks] == ["id: 1\nname: Ann", "id: 2\nname: Bob\nnote: likes tea"]
    text = f"# Levels\n\nBefore.\n\n{HEAD}\n" + "\n".join(ROWS) + "\n\nAfter."
    chunks = cut(text, content_type="text/markdown", strategy="table", header="section", table={"one_row_per_chunk": True})
    assert [chunk.embed_text for chunk in chunks][1:3] == [
        "Levels\n\nGauge: North\nLevel: 1.2 m",
        "Levels\n\nGauge: South\nLevel: 0.8 m",
    ]
    assert len(chunks) == 6
    assert not uncovered(text, chunks)


def test_a_row_whose_pairs_do_not_fit_is_cut_with_its_head() -> None:
    text = "name,note\n" + "Ann," + "tea and cake, " * 6
    chunks = cut(
        text, content_type="text/csv", strategy="table", tokenizer="characters", chunk_size=60, max_embed_tokens=60,
        embed_tokenizer="characters", table={"one_row_per_chunk": True},
    )  # fmt: skip
    assert len(chunks) > 1
    assert all(len(chunk.embed_text) <= 60 for chunk in chunks)
    assert all(chunk.header == "name,note" for chunk in chunks[1:])


def test_a_row_whose_pairs_do_not_fit_is_embedded_as_it_stands() -> None:
    """The names alone are over the embedder's limit: the row stays whole, below what fits of its head."""
    text = f"name,{'the cat sat on the mat ' * 9}\nAnn,1\n}},2\n"
    chunks = cut(
        text, content_type="text/csv", strategy="table", tokenizer="words", chunk_size=40, max_embed_tokens=40,
        embed_tokenizer="words", table={"one_row_per_chunk": True},
    )  # fmt: skip
    assert texts_of(chunks)[-1] == "},2"
    assert chunks[-1].embed_text == "name,\u2026\n},2"
    assert chunks[-1].flags == ("header_shortened",)
    assert all(len(chunk.embed_text.split()) <= 40 for chunk in chunks)
    assert not uncovered(text, chunks)
