"""Tokenizers: one adapter a file, each registered under its scheme."""

from chunking.tokenizers import characters, hf, tiktoken_bpe, words
from chunking.tokenizers.registry import load_tokenizer
from chunking.tokenizers.tokens import Tokenizer, Tokens

__all__ = ["Tokenizer", "Tokens", "characters", "hf", "load_tokenizer", "tiktoken_bpe", "words"]
