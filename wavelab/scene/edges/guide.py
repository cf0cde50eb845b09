"""Ends of guides: which edges of a drawn domain a guided mode can come through, and from which
frequency on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.errors import SceneError
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import Medium, remembers
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape, area_of
from wavelab.scene.systems import system_of
from wavelab.scene.walls.wall_edges import length, straight_edge, wall_shapes

#: Of the cosine between an edge and the walls beside it.
_SQUARE = 1e-6
#: Parts of the way along an edge where its medium is looked at.
_LOOKS = (0.02, 0.25, 0.5, 0.75, 0.98)


@dataclass(frozen=True)
class GuideEnd:
    """``sides`` are the walls beside it, "conductor" or "magnetic"; ``speed`` is that of waves in
    front of it, None if there is not one plain medium."""

    width: float
    sides: str
    speed: float | None

    def cutoff(self, mode: int) -> float | None:
        """Frequency above which a mode runs; None if that is not known."""
        return None if self.speed is None else mode * self.speed / (2 * self.width)


def check_straight(scene: Scene, edge: str) -> None:
    """Check that waves can come in through an edge, as far as its shape says.

    Raises
    ------
    SceneError : the elements there follow an arc.
    """
    owner, _, side = edge.partition(".")
    shape = wall_shapes(scene).get(owner)
    if shape is not None and scene.solver.curved and side in shape.arcs():
        raise SceneError(
            f"waves come in through straight walls, and {edge} is curved",
            remedy="Let a plane wave come in at the border of a box, or let elements have straight "
            "faces.",
        )


def guide_end(scene: Scene, edge: str) -> GuideEnd | None:
    """The end of a guide at an edge such as "domain.left".

    None where only the mesh can tell: of a mesh file, at an obstacle, or where one touches the
    edge.

    Raises
    ------
    SceneError : no mode can come in there; says why.
    """
    owner, _, side = edge.partition(".")
    if owner != "domain" or not side or scene.outline is None:
        return None
    ends = straight_edge(edge, wall_shapes(scene))
    if ends is None:
        raise SceneError(
            f"the edge {edge} is not straight",
            remedy="A guided mode comes in through a straight end of a guide.",
        )
    line = shapely.LineString(ends)
    parts = (part for hole in scene.holes for part in hole.shape.parts())
    if any(_near(part, ends) and line.intersects(area_of(part)) for part in parts):
        return None
    return GuideEnd(length(ends), _sides(scene, edge), _speed(scene, ends))


def _sides(scene: Scene, edge: str) -> str:
    assert scene.outline is not None
    ring, names = scene.outline.outline(math.inf)
    steps = np.roll(ring, -1, axis=0) - ring
    lengths = np.linalg.norm(steps, axis=1)
    # A vertex that is given twice has no edge of its own.
    edges = np.flatnonzero(lengths).tolist()
    i = names.index(edge.partition(".")[2])
    if i not in edges:
        raise SceneError(f"{edge} has no length", remedy="A guided mode needs a wide opening.")
    steps[edges] /= lengths[edges, None]
    at = edges.index(i)
    beside = (edges[at - 1], edges[(at + 1) % len(edges)])
    sides = {wall_at(f"domain.{names[j]}", scene).sides for j in beside}
    square = all(abs(float(steps[i] @ steps[j])) < _SQUARE for j in beside)
    if not square or "" in sides or len(sides) > 1:
        walls = system_of(scene).beside()
        raise SceneError(
            f"beside {edge} there are not two parallel {walls}",
            remedy="A guided mode runs between such walls; a plane wave needs none.",
        )
    return sides.pop()


def _speed(scene: Scene, ends: np.ndarray) -> float | None:
    step = ends[1] - ends[0]
    inward = np.array([-step[1], step[0]]) * 1e-6
    near = [
        (area_of(part), region.material)
        for region in reversed(scene.materials)
        if region.shape is not None
        for part in region.shape.parts()
        if _near(part, ends)
    ]
    media = []
    for part in _LOOKS:
        at = shapely.Point(ends[0] + part * step + inward)
        media.append(next((m for area, m in near if area.covers(at)), scene.background))
    return _speed_in(media[0]) if all(medium == media[0] for medium in media) else None


def _speed_in(medium: Medium) -> float | None:
    numbers = []
    for value in (medium.coefficient("epsilon"), medium.coefficient("mu")):
        if isinstance(value, Formula):
            if not isinstance(value.expression, float):
                return None
            value = value.expression
        numbers.append(float(value))
    plain = not remembers(medium) and medium.axes is None
    return 1 / math.sqrt(numbers[0] * numbers[1]) if plain else None


def _near(shape: Shape, ends: np.ndarray) -> bool:
    """Whether the box of a shape meets that of a line: cheap, where there are many shapes."""
    (x0, y0), (x1, y1) = shape.bounds()
    (ax, ay), (bx, by) = ends.tolist()
    return min(ax, bx) <= x1 and max(ax, bx) >= x0 and min(ay, by) <= y1 and max(ay, by) >= y0
