"""The torch encoder: token ids in, the states of every position out. The only file that imports torch."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import AutoModel
from transformers.utils import logging as transformers_logging

from chunking.errors import ConfigError, OutOfMemoryError
from chunking.model_files import model_folder
from chunking.pooling import Floats2d
from udfs.devices import pick_device
from udfs.models import EncoderSpec, load_tokenizer_of
from udfs.token_ids import TextTokens, Tokenization

transformers_logging.disable_progress_bar()
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@dataclass
class Encoder:
    """A model in memory. Padding, batching and order never change a state."""

    spec: EncoderSpec
    tokenization: Tokenization
    model: Any
    device: torch.device

    @classmethod
    def from_spec(cls, spec: EncoderSpec) -> "Encoder":
        """Load the weights onto the device of this process.

        Raises:
            ConfigError: the folder's weights can't be read as the model it names.
        """
        folder = model_folder(spec.model, spec.revision)
        device = torch.device(pick_device(spec.device, torch))
        try:
            model, info = AutoModel.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                dtype=DTYPES[spec.dtype],
                attn_implementation=spec.attention,
                output_loading_info=True,
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise ConfigError(f"model {spec.model!r}: the weights in {folder} can't be loaded: {error}") from error
        if missing := sorted(name for name in info["missing_keys"] if not name.startswith("pooler.")):
            raise ConfigError(f"model {spec.model!r}: {len(missing)} weights aren't in {folder}, {missing[0]!r} the first")
        return cls(spec, Tokenization(load_tokenizer_of(spec).inner), model.eval().to(device), device)

    def tokenize(self, text: str, prefix: str = "") -> TextTokens:
        """The text's tokens with their places in it."""
        return self.tokenization.tokenize(text, prefix)

    def states(self, windows: Sequence[Sequence[int]]) -> list[Floats2d]:
        """One forward pass over all ``windows`` of ids; for each the states of its positions, ``(length, dimension)``.

        Raises:
            OutOfMemoryError: they don't fit the device's memory together.
        """
        with suppress(torch.OutOfMemoryError, MemoryError):
            return self._forward(windows)
        torch.cuda.empty_cache()  # only here: while the error lives, its frames hold the pass's tensors
        positions = len(windows) * max(map(len, windows))
        raise OutOfMemoryError(f"{positions} positions in one pass are over the memory of {self.device}")

    @torch.inference_mode()
    def _forward(self, windows: Sequence[Sequence[int]]) -> list[Floats2d]:
        longest = max(map(len, windows))
        ids = np.zeros((len(windows), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        output = self.model(
            input_ids=torch.from_numpy(ids).to(self.device), attention_mask=torch.from_numpy(mask).to(self.device)
        ).last_hidden_state
        states = output.float().cpu().numpy()
        return [states[row, : len(window)] for row, window in enumerate(windows)]
