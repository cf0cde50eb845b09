"""Two edges that are one: a period of what repeats, or space that is closed in itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.walls.wall_edges import covers, length, same_length, straight_edge, wall_shapes

#: Degrees; rounding would be seen beyond.
LARGEST_PHASE = 36e4


@dataclass(frozen=True)
class PeriodicWall(Wall):
    """Exactly two edges, glued together, turned where they differ in direction.

    With a ``phase`` (degrees) the fields are complex, and at the second edge they are
    exp(i phase) times those at the first: a Bloch wave of wavevector k has k . t there, t being the
    way from the first edge to the second.
    """

    phase: float | None = field(
        default=None,
        metadata={
            "meaning": "By how many degrees a wave at the second edge is ahead of what it is at "
            "the first: k times the way between them, for Bloch waves; empty: real fields",
            "degrees": True,
        },
    )

    label = "periodic"
    effect = "What leaves here comes in at another edge of the same length"
    noun = "glued to another"
    pen = Pen("accent", 1.5, (8.0, 3.0, 1.5, 3.0, 1.5, 3.0))
    glues = True

    def values(self, scene: Scene) -> dict[str, float]:
        return {"phase": math.remainder(self.phase or 0.0, 360.0)}

    def in_words(self, edge: str) -> str:
        first, second = self.edges
        # A part of an edge is glued to a part of the other.
        other = first if covers(second, edge) else second
        return f"glued to {other}" + (f" at {self.phase:g}\u00b0" if self.phase is not None else "")

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        shapes, item = wall_shapes(scene), (*item, "edges")
        require(
            len(self.edges) == 2,
            item,
            f"{what} is periodic and has {len(self.edges)} edge{'s' * (len(self.edges) > 1)}",
            'A periodic wall glues exactly 2 edges together: ["domain.left", "domain.right"].',
        )
        require(
            self.phase is None or abs(self.phase) <= LARGEST_PHASE,
            (*item[:-1], "phase"),
            f"phase of {what} is {self.phase}",
            f"Give degrees, from -{LARGEST_PHASE:g} to {LARGEST_PHASE:g}.",
        )
        if not shapes:
            return
        first, second = (straight_edge(edge, shapes) for edge in self.edges)
        for edge, ends in zip(self.edges, (first, second), strict=True):
            require(
                ends is not None,
                item,
                f'{what} is periodic, but "{edge}" is not one straight edge',
                'Name one side, such as "domain.left".',
            )
        assert first is not None
        assert second is not None
        # Any two straight edges of one length are the same, moved and turned.
        lengths = [length(ends) for ends in (first, second)]
        require(
            same_length(*lengths),
            item,
            f'{what} is periodic, but "{self.edges[0]}" is {lengths[0]:.9g} long and '
            f'"{self.edges[1]}" {lengths[1]:.9g}',
            "Glue edges of the same length; they may lie anywhere and in any direction.",
        )
