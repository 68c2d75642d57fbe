"""Tiny seeded models, each with another kind of tokenizer, saved as a hub would: weights, config, tokenizer."""

from pathlib import Path
from typing import Any

TEXT = (
    "Fog hid the pier. Boats waited in the long grey morning, and nobody spoke. Then it cleared: "
    "the harbour master rang the bell twice, and the first boats left for the islands."
)
LETTERS = [chr(code) for code in range(33, 127)]
WORDS = sorted(set(TEXT.lower().replace(".", " ").replace(",", " ").replace(":", " ").split()))
SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}


def word_piece() -> Any:
    """Lower case, words and letters; blanks are no tokens."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    pieces = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), *(word for word in WORDS if len(word) > 1)]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _with_template(tokenizer)


def unigram() -> Any:
    """As SentencePiece does: the blank before a word is glued to it, and one is put before the text."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    pieces = [*((name, 0.0) for name in SPECIAL), *((letter, -9.0) for letter in ["▁", *LETTERS])]
    words = sorted({word for text in (TEXT, TEXT.lower()) for word in text.split()})
    tokenizer = Tokenizer(models.Unigram([*pieces, *((f"▁{word}", -2.0) for word in words)], unk_id=1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return _with_template(tokenizer)


def byte_level() -> Any:
    """A token a byte, and so a token for every blank."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    pieces = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, [], unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return _with_template(tokenizer)


def _with_template(tokenizer: Any) -> Any:
    from tokenizers import processors

    tokenizer.add_special_tokens(list(SPECIAL))
    ends = [(name, SPECIAL[name]) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return tokenizer


def save_model(folder: Path, tokenizer: Any, *, positions: int = 96, seed: int = 0, dimension: int = 32) -> Path:
    """A BERT of two layers whose weights are large enough for the context to matter."""
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=dimension, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=2 * dimension, max_position_embeddings=positions, initializer_range=0.3,
    )  # fmt: skip
    BertModel(config).eval().save_pretrained(folder)
    names = {f"{name[1:-1].lower()}_token": name for name in SPECIAL}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=positions, **names).save_pretrained(folder)
    return folder
