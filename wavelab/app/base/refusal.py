"""Why something that is being drawn or dragged cannot be so."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.shapes import Point


@dataclass(frozen=True)
class Refusal:
    """A clause such as "it leaves the domain", where the trouble is, and what would be right."""

    text: str
    where: Point | None = None
    remedy: str = ""
