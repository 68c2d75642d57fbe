"""Configuration: a YAML file and ``--set`` values become one frozen model; every fault is named before Spark starts."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError, ValidationInfo, field_validator

from chunking import ChunkingConfig
from chunking.config import Settings
from chunking.errors import ConfigError
from udfs.models import EmbeddingConfig, EncoderSpec, resolve_spec

EMBEDDED = "local.yaml"
SEMANTIC = "semantic"
Missing = Literal["keep", "delete"]


class Columns(Settings):
    """What a table calls our columns; one that isn't named goes by our name."""

    doc_id: str | None = None
    text: str | None = None
    title: str | None = None
    uri: str | None = None
    content_type: str | None = None
    layout: str | None = None
    metadata: str | None = None

    def mapping(self) -> dict[str, str]:
        """Those that are named."""
        return {ours: theirs for ours, theirs in self.model_dump().items() if theirs is not None}


class RecordColumns(Columns):
    """The same for records, whose content may also be a column of bytes: whole files, of any kind that is read."""

    data: str | None = None


class IngestConfig(Settings):
    """Where documents come from.

    Args:
        source: a folder, a glob or a file, each file a document; or a Delta table, each row a document.
        records: takes the rows of JSON lines, CSV or Parquet files as documents instead; of a table, its mapping.
        encoding: of files without a byte order mark; ``auto``: UTF-8, else what the file declares, else what alone fits.
    """

    source: str
    records: RecordColumns | None = None
    encoding: str = "auto"

    @field_validator("encoding")
    @classmethod
    def _is_known(cls, value: str) -> str:
        try:
            if value != "auto":
                codecs.lookup(value)
        except LookupError:
            raise ValueError(f"Python knows no encoding {value!r}") from None
        return value


class DocumentsConfig(Settings):
    """The documents table: ours, or any table by column mapping.

    Args:
        table: a folder, or ``[catalog.]schema.table``.
        columns: what the table calls our columns.
        missing: what happens to documents that are gone from the source: ``keep`` or ``delete``.
    """

    table: str = "./lake/documents"
    columns: Columns = Columns()
    missing: Missing = "keep"


class OutputConfig(Settings):
    """Where all other tables lie.

    Args:
        location: a folder, or ``[catalog.]schema``.
        slice_tokens: about how many tokens are committed at once.
        max_quarantined: the share of a run's documents in quarantine over which the run fails, after its commits.
    """

    location: str = "./lake"
    slice_tokens: Literal["auto"] | Annotated[int, Field(ge=1, strict=True)] = "auto"
    max_quarantined: float = Field(0.05, ge=0, le=1)


class TrackingConfig(Settings):
    """Where MLflow keeps its runs; ``MLFLOW_TRACKING_URI`` is used when ``uri`` is null."""

    uri: str | None = None
    experiment: str = "sparkchunk"
    enabled: bool = True


class JobConfig(Settings):
    """A whole configuration file; a job reads the blocks that it needs."""

    ingest: IngestConfig | None = None
    documents: DocumentsConfig = DocumentsConfig()
    output: OutputConfig = OutputConfig()
    chunking: ChunkingConfig = Field(default_factory=ChunkingConfig)
    embedding: EmbeddingConfig | None = None
    tracking: TrackingConfig = TrackingConfig()

    @field_validator("chunking")
    @classmethod
    def _has_a_smallest_size(cls, value: ChunkingConfig) -> ChunkingConfig:
        if value.strategy == SEMANTIC and value.min_chunk_size < 1:
            raise ValueError("min_chunk_size 0 leaves single sentences as chunks with strategy semantic: set it to 1 or more")
        return value

    @field_validator("embedding")
    @classmethod
    def _is_there_for_semantic(cls, value: EmbeddingConfig | None, info: ValidationInfo) -> EmbeddingConfig | None:
        chunking = info.data.get("chunking")
        if value is None and chunking is not None and chunking.strategy == SEMANTIC:
            raise ValueError("chunking.strategy semantic compares sentences by a model: name one in an 'embedding' block")
        return value

    def resolved(self) -> "Resolved":
        """Fill in what the embedder decides: its tokenizer, limit and prefix.

        Raises:
            ConfigError: the model isn't here, or the chunking doesn't go with it.
        """
        if self.embedding is None:
            return Resolved(self.chunking, None)
        spec = resolve_spec(self.embedding)
        chunking = self.chunking.model_dump(exclude_defaults=False)
        if self.chunking.strategy == SEMANTIC:
            # how texts are embedded one by one decides where a topic changes, whatever the mode of the vectors
            chunking[SEMANTIC] = {**chunking[SEMANTIC], "model": replace(spec, mode="naive").embedder}
        chunking |= {
            "embed_tokenizer": f"hf:{spec.model}",
            "max_embed_tokens": self.chunking.max_embed_tokens or spec.max_tokens,
            "embed_prefix": spec.passage_prefix,
        }
        try:
            return Resolved(ChunkingConfig.model_validate(chunking), spec)
        except ValidationError as error:
            raise ConfigError(f"chunking, with what {spec.model!r} takes: {_faults(error)}") from error


class Resolved:
    """The chunking with the embedder's limits in it, and the embedder."""

    def __init__(self, chunking: ChunkingConfig, spec: EncoderSpec | None) -> None:
        self.chunking = chunking
        self.spec = spec

    @property
    def chunk_spec(self) -> EncoderSpec | None:
        """The model that the chunking itself needs, if it does."""
        return self.spec if self.chunking.strategy == SEMANTIC else None

    def need_spec(self) -> EncoderSpec:
        """The embedder.

        Raises:
            ConfigError: the configuration has no ``embedding`` block.
        """
        if self.spec is None:
            raise ConfigError("this job embeds: the configuration needs an 'embedding' block")
        return self.spec


def load_config(path: str | None, overrides: Sequence[str] = ()) -> JobConfig:
    """Read ``path``, or the embedded default, and apply ``key.path=value`` overrides.

    Raises:
        ConfigError: all faults of the file and the overrides, each with its key and the nearest right name.
    """
    name, text = _read(path)
    try:
        values = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{name}: no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{name}: expected blocks of settings, got {type(values).__name__}")
    for override in overrides:
        _apply(values, override)
    try:
        return JobConfig.model_validate(values)
    except ValidationError as error:
        raise ConfigError(f"{name}: {_faults(error)}") from error


def _read(path: str | None) -> tuple[str, str]:
    if path is None:
        return f"conf/{EMBEDDED}", resources.files("conf").joinpath(EMBEDDED).read_text(encoding="utf-8")
    file = Path(path)
    if not file.is_file():
        raise ConfigError(f"--config {path}: no such file (looked in {Path.cwd()})")
    return path, file.read_text(encoding="utf-8")


def _apply(values: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(f"--set {override!r}: expected key.path=value, such as chunking.chunk_size=256")
    *blocks, last = key.split(".")
    block: Any = values
    for name in blocks:
        block = block.setdefault(name, {}) if isinstance(block, dict) else None
        if not isinstance(block, dict):
            raise ConfigError(f"--set {override!r}: {name!r} is no block of settings")
    try:
        block[last] = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"--set {override!r}: the value is no YAML") from error


def _faults(error: ValidationError) -> str:
    lines = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return lines[0] if len(lines) == 1 else f"{len(lines)} settings are wrong:" + "".join(f"\n  {line}" for line in lines)


def flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings by dotted key."""
    result: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            result |= flat(value, f"{prefix}{key}.")
        else:
            result[f"{prefix}{key}"] = value
    return result
