"""Is this ring of points a polygon, and if not, where is the trouble?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.validation import explain_validity

from wavelab.arrays import Array
from wavelab.errors import GeometryError

#: Points closer than this, relative to the longer side of the bounding box, are one point.
#: Two vertices 1e-9 apart would make an element whose time step is a billion times too small.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class OutlineProblem:
    """Why a ring of points is not a polygon.

    ``where`` is the point to mark on the canvas, None when no single point is to blame, and
    ``remedy`` says what to do about it.
    """

    message: str
    where: tuple[float, float] | None = None
    remedy: str = ""

    def error(self, name: str) -> GeometryError:
        """The same as an exception about the shape called ``name``."""
        return GeometryError(f"{name} {self.message}", remedy=self.remedy)


def outline_problem(points: ArrayLike) -> OutlineProblem | None:
    """What keeps ``points`` from being the outline of a domain or hole, or None.

    Fast enough to be asked at every move of the mouse: 0.2 ms for 20 points, 4 ms for 2000.

    Parameters
    ----------
    points : (n, 2) ring of vertices; the first may be repeated at the end.
    """
    ring = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    finite = np.isfinite(ring).all(axis=1)
    if not finite.all():
        bad = int(np.argmin(finite))
        x, y = ring[bad]
        return OutlineProblem(
            f"has a vertex that is not finite: vertex {bad} is ({x:g}, {y:g})",
            remedy="Every coordinate must be a finite number.",
        )
    if len(ring) == 0:
        return OutlineProblem("needs at least 3 different vertices, but has none")
    # Shapely's products overflow outside 1e±150, so everything is asked in a unit frame.
    center, scale = frame(ring)
    local = (ring - center) / scale
    if (different := len(np.unique(local, axis=0))) < 3:
        return OutlineProblem(
            f"needs at least 3 different vertices, but has {different}", where=_place(ring[0])
        )
    local = local[distinct_vertices(local)]
    if len(local) < 3:
        return OutlineProblem(f"is thinner than {TOLERANCE:g} of its length", where=_place(ring[0]))
    if _is_straight(local):
        return OutlineProblem(
            "has no area: all its vertices lie on one line",
            where=_place(ring[len(ring) // 2]),
            remedy="Move a vertex off the line.",
        )
    polygon = shapely.Polygon(local)
    if not polygon.is_valid:
        return _explain(polygon, center, scale)
    # A vertex on an edge lies a rounding error off it here, which makes no polygon either.
    if shapely.minimum_clearance(polygon) < TOLERANCE:
        touching = shapely.minimum_clearance_line(polygon).coords[0]
        return _touches(_place(np.array(touching) * scale + center))
    return None


def distinct_vertices(ring: Array) -> NDArray[np.intp]:
    """Indices of the vertices that differ from the next one in the ring.

    So of a run of equal vertices the last one stays: the edge that leaves it is the real one.

    Parameters
    ----------
    ring : (n, 2) finite points; those within ``TOLERANCE`` times the size of all are one.
    """
    if len(ring) == 0:
        return np.zeros(0, dtype=np.intp)
    tolerance = TOLERANCE * float(np.ptp(ring, axis=0).max())
    moved = np.abs(np.roll(ring, -1, axis=0) - ring).max(axis=1) > tolerance
    keep = np.flatnonzero(moved)
    return keep if len(keep) else np.zeros(1, dtype=np.intp)


def frame(points: Array) -> tuple[Array, float]:
    """Centre and half the longer side of the bounding box of (n, 2) ``points``."""
    lower, upper = points.min(axis=0), points.max(axis=0)
    return lower / 2 + upper / 2, float((upper / 2 - lower / 2).max()) or 1.0


def _explain(polygon: shapely.Polygon, center: NDArray, scale: float) -> OutlineProblem:
    reason = explain_validity(polygon)
    found = re.search(r"\[(\S+) (\S+)\]", reason)
    where = _place(np.array(found.groups(), float) * scale + center) if found else None
    if reason.startswith("Ring Self-intersection"):
        return _touches(where)
    remedy = "Move a vertex, or split it into parts that do not cross."
    return OutlineProblem(f"crosses itself{at_point(where)}", where, remedy)


def _touches(where: tuple[float, float] | None) -> OutlineProblem:
    remedy = "Move that vertex away, or split it into two polygons."
    return OutlineProblem(f"touches itself{at_point(where)}", where, remedy)


def at_point(where: Sequence[float] | Array | None) -> str:
    """A place as messages name it: " at (x, y)"; "" for None."""
    return f" at ({where[0]:.6g}, {where[1]:.6g})" if where is not None else ""


def _is_straight(ring: Array) -> bool:
    """Whether all points, in a unit frame, lie within the tolerance of one line."""
    far = ring[np.argmax(np.abs(ring - ring[0]).sum(axis=1))] - ring[0]
    across = np.array([-far[1], far[0]]) / np.hypot(*far)
    return float(np.ptp((ring - ring[0]) @ across)) <= 2 * TOLERANCE


def _place(point: Sequence[float] | Array) -> tuple[float, float]:
    return float(point[0]), float(point[1])
