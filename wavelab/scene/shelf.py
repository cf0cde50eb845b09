"""The shelf: the scenes that come with the program, in groups, each in its place."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavelab.paths import ASSETS, SCENES


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
    return tomllib.loads((ASSETS / "shelf.toml").read_text(encoding="utf-8"))


def shelf() -> tuple[Group, ...]:
    """All shipped scenes as ``assets/shelf.toml`` groups them; those it does not name come last."""
    entries = _written()["groups"]
    groups = [Group(entry["title"], tuple(entry["scenes"])) for entry in entries]
    named = {name for group in groups for name in group.names}
    others = tuple(sorted({path.stem for path in SCENES.glob("*.toml")} - named))
    return (*groups, Group("Others", others)) if others else tuple(groups)
