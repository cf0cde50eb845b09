"""The shelf: the scenes that come with the program, in groups, each in its place."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from wavelab.paths import ASSETS, SCENES


@dataclass(frozen=True)
class Group:
    """Scenes on one theme; ``names`` are those of their files, in order."""

    title: str
    names: tuple[str, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(SCENES / f"{name}.toml" for name in self.names)


def shelf() -> tuple[Group, ...]:
    """All shipped scenes as ``assets/shelf.toml`` groups them; those it does not name come last."""
    entries = tomllib.loads((ASSETS / "shelf.toml").read_text(encoding="utf-8"))["groups"]
    groups = [Group(entry["title"], tuple(entry["scenes"])) for entry in entries]
    named = {name for group in groups for name in group.names}
    others = tuple(sorted({path.stem for path in SCENES.glob("*.toml")} - named))
    return (*groups, Group("Others", others)) if others else tuple(groups)
