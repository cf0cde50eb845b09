"""Open walls: edges that let waves out, through a layer of the domain along them that absorbs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.model.shapes import Ellipse, Rectangle, Shape

#: A layer whose thickness nobody chose has this many elements across, of order 1 more for want of
#: points ...
DEFAULT_ELEMENTS, DEFAULT_POINTS = 8, 12
#: ... but takes at most this part of the smaller extent of the domain.
LARGEST_PART = 0.2


@dataclass(frozen=True)
class OpenWall(Wall):
    """A PML along its edges takes the waves, ``thickness`` thick, None for one that suits the
    elements."""

    thickness: float | None = field(
        default=None,
        metadata=about(
            "Of the layer that absorbs, in length units; empty: it suits the elements. A thicker "
            "one takes waves, too, that come at a flatter angle"
        ),
    )

    label = "open"
    effect = "Waves leave through a layer along the edge; some come back of those that run along it"
    noun = "open"
    pen = Pen(width=1.0, dashes=(1.0, 7.0), opacity=110)
    pml = True
    # Of what is left behind the layer; a conductor would send more back (docs/accuracy.md).
    returned = 0.0

    def layer_thickness(self, scene: Scene) -> float | None:
        if self.thickness is not None or scene.outline is None:
            return self.thickness
        return default_thickness(scene.outline, scene.solver.element_size, scene.solver.order)

    def values(self, scene: Scene) -> dict[str, float]:
        usual = default_elements(scene.solver.order) * scene.solver.element_size
        thickness = self.layer_thickness(scene) or usual
        return {"thickness": self.thickness or float(f"{thickness:.3g}")}

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        """What can be judged without a mesh."""
        holes = {hole.name for hole in scene.holes}
        for edge in self.edges:
            require(
                edge.partition(".")[0] not in holes,
                (*item, "edges"),
                f'{what} is open, but "{edge}" belongs to a hole',
                'Only the outer edge can be open; use kind = "absorbing" for a hole.',
            )
            # An ellipse has layers of its own.
            outline = None if isinstance(scene.outline, Ellipse) else scene.outline
            arcs = {} if outline is None else outline.arcs()
            bent = [f"domain.{name}" for name in arcs if edge in ("domain", f"domain.{name}")]
            require(
                not bent,
                (*item, "edges"),
                f'{what} is open, but "{"".join(bent[:1])}" is an arc',
                'A layer follows straight edges and whole ellipses; use kind = "absorbing" there.',
            )
        if self.thickness is None:
            return
        require(
            self.thickness > 0,
            (*item, "thickness"),
            f"thickness of {what} is {self.thickness:g}",
            "It must be greater than 0; leave it out for one that suits the elements.",
        )
        outline = scene.outline
        if isinstance(outline, Rectangle):
            self._check_rectangle(scene, outline, (*item, "thickness"), what)
        elif isinstance(outline, Ellipse):
            largest = outline.sharpest
            require(
                self.thickness < largest,
                (*item, "thickness"),
                f"{what} is {self.thickness:g} thick, but the rim is too curved for that",
                f"It must be less than {largest:g}, the smallest radius of curvature.",
            )

    def _check_rectangle(self, scene: Scene, outline: Rectangle, key: ItemPath, what: str) -> None:
        (x0, y0), (x1, y1) = outline.bounds()
        assert self.thickness is not None
        # A later wall overrides a side of an earlier one that names the whole edge.
        later = {edge for other in scene.walls if other is not self for edge in other.edges}
        own = {*self.edges}
        if "domain" in own:
            own |= {f"domain.{side}" for side in outline.edge_names()} - later
        for sides, extent in ((("left", "right"), x1 - x0), (("bottom", "top"), y1 - y0)):
            count = sum(f"domain.{side}" in own for side in sides)
            require(
                count * self.thickness < extent,
                key,
                f"{what} is {self.thickness:g} thick, and the domain {extent:g} wide",
                f"It must be less than {extent / max(count, 1):g}; a fifth of the domain or less "
                "is usual.",
            )


def default_elements(order: int) -> int:
    """Across a layer whose thickness nobody chose."""
    return max(DEFAULT_ELEMENTS, math.ceil(DEFAULT_POINTS / order))


def default_thickness(outline: Shape, element_size: float, order: int) -> float:
    """Of a layer in a domain of this shape."""
    (x0, y0), (x1, y1) = outline.bounds()
    largest = LARGEST_PART * min(x1 - x0, y1 - y0)
    if isinstance(outline, Ellipse):
        largest = min(largest, outline.sharpest / 2)
    return min(default_elements(order) * element_size, largest)
