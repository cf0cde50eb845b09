"""The shelf: the scenes that come with the program, in groups, each in its place."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wavelab.errors import SceneError
from wavelab.paths import ASSETS, SCENES
from wavelab.reading import is_plain_file, named_path


@dataclass(frozen=True)
class Group:
    """Scenes on one theme; ``names`` are those of their files, in order."""

    title: str
    names: tuple[str, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(SCENES / f"{name}.toml" for name in self.names)


@dataclass(frozen=True)
class Words:
    """By which scenes are looked for.

    Attributes
    ----------
    keywords : of each shipped scene, by the name of its file, beside those of its description.
    synonyms : rows of words that mean the same.
    """

    keywords: Mapping[str, str]
    synonyms: tuple[tuple[str, ...], ...]


def words() -> Words:
    """What ``assets/shelf.toml`` says of them."""
    written = _written()
    return Words(written.get("keywords", {}), tuple(map(tuple, written.get("synonyms", ()))))


def _written() -> dict[str, Any]:
    return _read(ASSETS / "shelf.toml")


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def shelf() -> tuple[Group, ...]:
    """All shipped scenes as ``assets/shelf.toml`` groups them; those it does not name come last."""
    entries = _written()["groups"]
    groups = [Group(entry["title"], tuple(entry["scenes"])) for entry in entries]
    named = {name for group in groups for name in group.names}
    others = tuple(sorted({path.stem for path in SCENES.glob("*.toml")} - named))
    return (*groups, Group("Others", others)) if others else tuple(groups)


def shipped_scenes() -> list[str]:
    """Names of the scenes that come with wavelab, in the order of the shelf."""
    return [name for group in shelf() for name in group.names]


def scene_path(text: str, *, or_command: Iterable[str] = ()) -> Path:
    """Path of a scene given as a file or by the name of a shipped scene.

    Parameters
    ----------
    or_command : names of commands that could have been meant in its place.

    Raises
    ------
    SceneError : neither; the message says which is meant or lists the shipped names.
    """
    path = named_path(text)
    if is_plain_file(path):
        return path
    shipped = SCENES / f"{text}.toml"
    if Path(text).name == text and is_plain_file(shipped):
        return shipped
    names = sorted(shipped_scenes())
    listing = f"Name a .toml file, or one of: {', '.join(names) or '(none shipped)'}."
    what = "is a directory" if os.path.isdir(path) else "there is no such file or shipped scene"
    close = difflib.get_close_matches(text.removesuffix(".toml"), (*or_command, *names), n=1)
    guess = f'Did you mean "{close[0]}"? ' if close else ""
    raise SceneError(what, where=text or '""', remedy=f"{guess}{listing}")
