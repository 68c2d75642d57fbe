"""``ChunkingConfig``: every setting that changes chunks, checked as a whole before anything is read."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from chunking.errors import nearest
from chunking.strategies import Strategy, strategies

HIGH_OVERLAP = 0.2
AUTO = "auto"


class Settings(BaseModel):
    """Base of all blocks of a configuration: frozen, and unknown keys are refused with the nearest right name."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    @model_validator(mode="wrap")
    @classmethod
    def _name_unknown_keys(cls, values: Any, handler: Any) -> Any:
        try:
            return handler(values)
        except ValidationError as error:
            raise _with_suggestions(cls.__name__, error, list(cls.known_keys())) from None

    @classmethod
    def known_keys(cls) -> list[str]:
        """The keys that this block takes."""
        return list(cls.model_fields)


class ChunkingConfig(Settings):
    """How documents become chunks. Sizes are tokens of ``tokenizer``; each strategy has a block for what only it has.

    Args:
        strategy: a registered strategy's name.
        tokenizer: ``tiktoken:<encoding>``, ``hf:<model or folder>``, ``words`` or ``characters``.
        chunk_size: the most tokens a chunk's text holds, always.
        chunk_overlap: the most tokens that neighbours share; over a fifth of the size needs ``allow_high_overlap``.
        min_chunk_size: smaller chunks are merged with a neighbour where the two fit.
        parent_chunk_size: the most tokens of a parent, a larger span that each chunk lies in; null for none.
        header: what stands before each chunk for embedding: nothing, the title, the section path, or both.
        max_embed_tokens: what the embedder takes, its special tokens, prefix and ``context_tokens`` included.
        embed_tokenizer: the embedder's tokenizer; the sizing one if only ``max_embed_tokens`` is set.
        embed_prefix: what the embedder puts before each passage.
        context_tokens: room kept free for an LLM's context, in the embedder's tokens.
    """

    model_config = ConfigDict(extra="allow")

    strategy: str = "recursive"
    tokenizer: str = "tiktoken:cl100k_base"
    chunk_size: int = Field(512, ge=1, strict=True)
    chunk_overlap: int = Field(0, ge=0, strict=True)
    min_chunk_size: int = Field(32, ge=0, strict=True)
    parent_chunk_size: int | None = Field(None, ge=1, strict=True)
    header: Literal["none", "title", "section", "title_and_section"] = "none"
    max_embed_tokens: int | None = Field(None, ge=1, strict=True)
    embed_tokenizer: str | None = None
    embed_prefix: str = ""
    context_tokens: int = Field(0, ge=0, strict=True)
    allow_high_overlap: bool = False

    @classmethod
    def known_keys(cls) -> list[str]:
        return [*cls.model_fields, *strategies()]

    @model_validator(mode="before")
    @classmethod
    def _read_blocks(cls, values: Any) -> Any:
        """Extra keys are the strategies' blocks: check each, and fill in the missing ones with their defaults."""
        if not isinstance(values, Mapping):
            return values
        faults: list[InitErrorDetails] = []
        result = {key: value for key, value in values.items() if key in cls.model_fields}
        for key in values.keys() - cls.model_fields.keys() - strategies().keys():
            faults.append({"type": _unknown(key, cls.known_keys()), "loc": (key,), "input": values[key]})
        for name, strategy in strategies().items():
            try:
                result[name] = _read_block(strategy, values.get(name))
            except ValidationError as error:
                faults += [_relocate(fault, name) for fault in error.errors()]
        if faults:
            faults += _field_faults(cls, result)
            raise ValidationError.from_exception_data(cls.__name__, faults)
        return result

    @field_validator("strategy")
    @classmethod
    def _check_strategy(cls, strategy: str) -> str:
        if strategy not in strategies():
            known = ", ".join(sorted(strategies()))
            raise PydanticCustomError(
                "setting", f"unknown strategy {strategy!r}{nearest(strategy, strategies()) or ';'} known: {known}"
            )
        return strategy

    @model_validator(mode="after")
    def _check_together(self) -> "ChunkingConfig":
        faults = _size_faults(self)
        if faults:
            details: list[InitErrorDetails] = [
                {"type": PydanticCustomError("setting", "{problem}", {"problem": problem}), "loc": (key,), "input": value}
                for key, value, problem in faults
            ]
            raise ValidationError.from_exception_data(type(self).__name__, details)
        return self

    def block(self, name: str | None = None) -> Strategy:
        """The strategy ``name``, else the one in force, configured by its block."""
        strategy: Strategy = getattr(self, name or self.strategy)
        return strategy

    def chunk_settings(self) -> dict[str, Any]:
        """What decides the chunks, but for the tokenizers' vocabularies: only the block of the strategy in force, of
        ``auto`` all."""
        common = self.model_dump(mode="json", include=set(type(self).model_fields) - {"allow_high_overlap"})
        taken = [name for name in strategies() if name != AUTO] if self.strategy == AUTO else [self.strategy]
        return {**common, **{name: asdict(self.block(name)) for name in sorted(taken)}}  # type: ignore[call-overload]


def _size_faults(config: ChunkingConfig) -> list[tuple[str, int, str]]:
    """The keys, values and problems of sizes that don't go together."""
    size, overlap, smallest, most = config.chunk_size, config.chunk_overlap, config.min_chunk_size, config.max_embed_tokens
    problems = {}
    if overlap >= size:
        problems["chunk_overlap"] = f"must be under chunk_size {size}; the largest accepted is {size - 1}"
    elif overlap > HIGH_OVERLAP * size and not config.allow_high_overlap:
        problems["chunk_overlap"] = (
            f"is over 20 % of chunk_size {size}: set it to {int(HIGH_OVERLAP * size)} or less, or allow_high_overlap: true"
        )
    if smallest >= size:
        problems["min_chunk_size"] = f"must be under chunk_size {size}; set it lower, 0 turns merging off"
    if most is not None and size > most:
        problems["chunk_size"] = f"is over max_embed_tokens {most}, what the embedder takes; set chunk_size to {most} or less"
    if config.parent_chunk_size is not None and config.parent_chunk_size <= size:
        problems["parent_chunk_size"] = f"must be over chunk_size {size}, or null for no parents"
    elif config.parent_chunk_size is not None and config.strategy == "whole":
        problems["parent_chunk_size"] = "has no use with strategy whole: the chunk is the document"
    return [(key, value := getattr(config, key), f"{key} {value} {problem}") for key, problem in problems.items()]


def _read_block(strategy: type[Any], values: Any) -> Any:
    if values is None:
        values = {}
    if isinstance(values, Mapping):
        known = [field.name for field in fields(strategy)]
        unknown = [key for key in values if key not in known]
        if unknown:
            raise ValidationError.from_exception_data(
                strategy.__name__,
                [{"type": _unknown(key, known), "loc": (key,), "input": values[key]} for key in unknown],
            )
    return TypeAdapter(strategy).validate_python(values)


def _field_faults(cls: type[ChunkingConfig], values: Mapping[str, Any]) -> list[InitErrorDetails]:
    """The faults of the common fields too, so that all are reported at once."""
    try:
        cls.__pydantic_validator__.validate_python(dict(values))
    except ValidationError as error:
        return [_relocate(fault) for fault in error.errors()]
    return []


def _relocate(fault: Any, *prefix: str) -> InitErrorDetails:
    problem = PydanticCustomError("setting", "{problem}", {"problem": fault["msg"].removeprefix("Value error, ")})
    return {"type": problem, "loc": (*prefix, *fault["loc"]), "input": fault["input"]}


def _unknown(key: Any, known: list[str]) -> PydanticCustomError:
    return PydanticCustomError("unknown", "{problem}", {"problem": f"unknown setting{nearest(str(key), known)}"})


def _with_suggestions(title: str, error: ValidationError, known: list[str]) -> ValidationError:
    details: list[InitErrorDetails] = []
    for fault in error.errors():
        if fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1:
            details.append({"type": _unknown(fault["loc"][0], known), "loc": fault["loc"], "input": fault["input"]})
        else:
            details.append(_relocate(fault))
    return ValidationError.from_exception_data(title, details)
