"""What the model sees of a text, and which of it is pooled, for each kind of tokenizer."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from chunking.tokenizers.hf import from_folder
from tests.generators import texts
from tests.udfs.tiny import byte_level, unigram, word_piece
from udfs.token_ids import IS_BLANK, TextTokens, Tokenization

KINDS = {"words": word_piece(), "glued": unigram(), "bytes": byte_level()}
for tokenizer in KINDS.values():
    tokenizer.encode_special_tokens = True
kinds = pytest.mark.parametrize("kind", KINDS)
IN_VOCABULARY = pytest.mark.xfail(reason="a Unigram vocabulary also holds the special tokens' names as pieces")
prefixes = pytest.mark.parametrize("prefix", ["", "query: ", "pier"])


def tokens_of(kind: str, text: str, prefix: str = "") -> TextTokens:
    return Tokenization(KINDS[kind]).tokenize(text, prefix)


def slices(text: str, found: TextTokens) -> list[str]:
    return [text[start:end] for start, end in zip(found.tokens.starts, found.tokens.ends, strict=True)]


@kinds
@prefixes
@given(text=texts(12))
def test_the_model_sees_what_its_tokenizer_gives(kind: str, prefix: str, text: str) -> None:
    found, sound = tokens_of(kind, text, prefix), text.translate({0: "\ufffd"}).encode("utf-16", "surrogatepass")
    whole = KINDS[kind].encode(prefix + sound.decode("utf-16", "replace"))
    if len(sound.decode("utf-16", "replace")) == len(text):
        assert [*found.lead, *found.ids.tolist(), *found.trail] == whole.ids


@kinds
@prefixes
@given(text=texts(12))
def test_tokens_start_at_a_character_and_stand_in_order(kind: str, prefix: str, text: str) -> None:
    found = tokens_of(kind, text, prefix)
    assert len(found.places) == len(found.tokens)
    assert (np.diff(found.places) > 0).all()
    assert (np.diff(found.tokens.starts) >= 0).all()
    assert all(piece and not piece[0].isspace() for piece in slices(text, found))
    assert not len(found.places) or 0 <= found.places[0] <= found.places[-1] < len(found.ids)


@kinds
def test_blanks_before_and_behind_are_in_no_window_twice(kind: str) -> None:
    """A vocabulary with tokens for blanks once had all leading ones put before every window, until none had room."""
    text = "\n" * 50 + "Fog hid" + " " * 50
    found = tokens_of(kind, text, "query: ")
    assert "".join(slices(text, found)).replace(" ", "") == "Foghid"
    assert len(found.lead) < 10
    assert len(found.trail) == 1


@kinds
def test_a_blank_text_has_no_token_to_pool(kind: str) -> None:
    for prefix in ("", "query: "):
        for text in ("", " ", " \n\t"):
            assert not len(tokens_of(kind, text, prefix).tokens)


def test_a_blank_between_words_goes_through_the_model_and_is_not_pooled() -> None:
    found = tokens_of("bytes", "a  b")
    assert len(found.ids) == 4
    assert found.places.tolist() == [0, 3]
    assert found.tokens.starts.tolist() == [0, 3]


def test_a_blank_glued_to_a_word_is_not_its_start() -> None:
    text = "Fog hid the pier."
    assert slices(text, tokens_of("glued", text)) == ["Fog", "hid", "the", "pier."]
    assert slices(text, tokens_of("glued", text, "query: ")) == ["Fog", "hid", "the", "pier."]


@pytest.mark.parametrize("kind", ["words", "bytes", pytest.param("glued", marks=IN_VOCABULARY)])
def test_special_token_text_is_ordinary_text(kind: str) -> None:
    text = "[CLS] a [SEP] [PAD]"
    found = tokens_of(kind, text)
    assert "".join(slices(text, found)) == text.replace(" ", "")
    assert not set(found.ids.tolist()) & {0, 2, 3, 4}


def test_a_saved_tokenizer_takes_special_token_text_for_text(words_model: Path) -> None:
    found = Tokenization(from_folder(words_model, "tiny").inner).tokenize("a [SEP] b")
    assert 3 not in found.ids.tolist()
    assert (found.lead, found.trail) == ([2], [3])


def test_a_token_the_prefix_shares_with_the_text_is_the_prefix_s() -> None:
    found = tokens_of("words", "er waited", "pi")
    assert slices("er waited", found) == ["waited"]
    assert len(found.lead) == 2


@kinds
def test_what_no_encoder_takes_is_repaired(kind: str) -> None:
    """EMB-10."""
    found = tokens_of(kind, "a\0b \udc00 🙂")
    assert found.tokens.ends[-1] <= 7


def test_all_blanks_are_known() -> None:
    assert not any(chr(code).isspace() for code in range(len(IS_BLANK), sys.maxunicode + 1))
