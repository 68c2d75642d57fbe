"""One document, one chunk, while it fits."""

from tests.chunking.cut import cut, texts_of, uncovered


def test_a_text_that_fits_is_one_chunk_without_its_outer_blanks() -> None:
    (chunk,) = cut("\n A ticket.\n\nWith two paragraphs.  ", strategy="whole")
    assert chunk.text == "A ticket.\n\nWith two paragraphs."
    assert chunk.flags == ()


def test_a_longer_text_is_split_at_sentences_and_flagged() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    chunks = cut(text, strategy="whole", tokenizer="words", chunk_size=9)
    assert texts_of(chunks) == ["One two three four. Five six seven eight.", "Nine ten eleven twelve."]
    assert all(chunk.flags == ("split",) for chunk in chunks)


def test_a_short_rest_is_kept_apart() -> None:
    chunks = cut("One two three four. Five.", strategy="whole", tokenizer="words", chunk_size=4, min_chunk_size=3)
    assert texts_of(chunks) == ["One two three four.", "Five."]
    assert "under_min_chunk_size" in chunks[1].flags


def test_without_blanks_it_is_split_at_characters() -> None:
    text = "x" * 25
    chunks = cut(text, strategy="whole", tokenizer="characters", chunk_size=10)
    assert texts_of(chunks) == ["x" * 10, "x" * 10, "x" * 5]
    assert not uncovered(text, chunks)
