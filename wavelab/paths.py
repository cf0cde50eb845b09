"""The only place that knows where the shipped assets and meshes are, and where user files go.

In a source tree they lie beside the package; in a wheel they are carried inside it.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from wavelab.reading import real_path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


ASSETS = _shipped("assets")
SCENES = ASSETS / "scenes"
PREVIEWS = ASSETS / "previews"
ICONS = ASSETS / "icons"
LANGUAGES = ASSETS / "languages"
MESHES = _shipped("meshes")


def is_shipped(path: Path) -> bool:
    """Whether a scene came with wavelab."""
    return real_path(path).is_relative_to(real_path(SCENES))


def cache_directory() -> Path:
    """Directory for what can be computed again (created on demand)."""
    return user_cache_path("wavelab", appauthor=False, ensure_exists=True)


def data_directory() -> Path:
    """Directory for what a user would miss: autosaved scenes (created on demand, where it can be:
    who writes there says what is wrong with it)."""
    directory = user_data_path("wavelab", appauthor=False)
    with contextlib.suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
    return directory
