"""The tiny models that the tests of this folder share."""

from pathlib import Path

import pytest

from tests.udfs.tiny import byte_level, save_model, unigram, word_piece


@pytest.fixture(scope="session")
def one_thread() -> None:
    """Models this small lose more by sharing a core than they gain by a second one."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def words_model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WordPiece, 96 positions."""
    return save_model(tmp_path_factory.mktemp("words") / "model", word_piece())


@pytest.fixture(scope="session")
def glued_model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unigram with Metaspace: blanks glued to words."""
    return save_model(tmp_path_factory.mktemp("glued") / "model", unigram())


@pytest.fixture(scope="session")
def bytes_model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A token a byte, blanks too."""
    return save_model(tmp_path_factory.mktemp("bytes") / "model", byte_level(), positions=256)


@pytest.fixture(scope="session", params=["words_model", "glued_model", "bytes_model"])
def any_model(request: pytest.FixtureRequest) -> Path:
    """Each of the three."""
    folder: Path = request.getfixturevalue(request.param)
    return folder
