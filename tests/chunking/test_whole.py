"""One document, one chunk, or none at all."""

import pytest

from chunking.errors import TooLargeError
from tests.chunking.cut import cut


def test_a_text_that_fits_is_one_chunk_without_its_outer_blanks() -> None:
    (chunk,) = cut("\n A ticket.\n\nWith two paragraphs.  ", strategy="whole")
    assert chunk.text == "A ticket.\n\nWith two paragraphs."
    assert chunk.flags == ()


def test_a_longer_text_is_refused_with_what_to_use_instead() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    with pytest.raises(TooLargeError, match=r"has 12 tokens, over .*chunk_size 9.*; use strategy recursive or auto"):
        cut(text, strategy="whole", tokenizer="words", chunk_size=9)


def test_the_embedders_limit_counts_too() -> None:
    with pytest.raises(TooLargeError, match="the embedder's limit"):
        cut("One two three.", strategy="whole", tokenizer="words", chunk_size=4, max_embed_tokens=5, embed_tokenizer="characters")


def test_a_short_text_is_said_to_be_short() -> None:
    (chunk,) = cut("Five.", strategy="whole", tokenizer="words", chunk_size=4, min_chunk_size=3)
    assert chunk.flags == ("under_min_chunk_size",)
