"""A drawn ring as few arcs and straight edges: a person would not tell them from it, and elements
need not be much smaller for them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.app.tools.tool import Point
from wavelab.meshing.graph.polygons import OutlineProblem, outline_problem
from wavelab.scene.model.shapes import Polygon, smooth_outline
from wavelab.scene.model.shapes.arcs import bulge_through
from wavelab.scene.model.shapes.shape import MOST_TURN

#: A line strays from the hand by no more than this, in logical pixels: nobody draws finer.
TOLERANCE = 2.0
#: Nobody bends a line more often than that, in logical pixels, on purpose; and the part of its rim
#: that an edge may be long for the sake of large elements.
_SHORTEST, _FINEST = 5 * TOLERANCE, 1 / 24
#: An edge that bows by less than this is straight, in logical pixels, and a long one that bows by a
#: part of its length within the tolerance; none turns by more degrees.
_FLAT, _FLAT_PART, _MOST_BOW = 1.0, 0.01, 120.0


def outlined(
    polygon: shapely.Polygon, origin: Point, pixel: float, element_size: float
) -> Polygon | OutlineProblem:
    """A shape of a scene that follows the rim of a polygon; what is wrong if there is none.

    Parameters
    ----------
    polygon : in logical pixels from ``origin``.
    pixel : length of a logical pixel.
    element_size : edges are about half as long at least, unless the drawing is smaller than that.
    """
    if polygon.is_valid:
        ring = shapely.get_coordinates(polygon.exterior)[:-1]
        shape = _fitted(ring, element_size / pixel, origin, pixel)
        if shape is not None and _problem(shape, element_size) is None:
            return shape
        polygon = shapely.simplify(polygon, TOLERANCE)
    # What is finer than that, as a person would click it.
    plain = Polygon(tuple(placed(p, origin, pixel) for p in polygon.exterior.coords[:-1]))
    return outline_problem(plain.vertices) or plain


def placed(point: Sequence[float] | NDArray, origin: Point, pixel: float) -> Point:
    """Back in the scene, with no more digits than a tenth of a pixel tells apart."""
    digits = max(0, math.ceil(-math.log10(0.1 * pixel)))
    x, y = (round(float(o + pixel * p), digits) for o, p in zip(origin, point, strict=True))
    return x, y


def _fitted(ring: NDArray, element: float, origin: Point, pixel: float) -> Polygon | None:
    rim = shapely.LinearRing(ring).length
    shortest = max(_SHORTEST, min(element / 2, _FINEST * rim))
    chords = max(TOLERANCE, shortest / 4)
    simple = np.array(shapely.simplify(shapely.Polygon(ring), chords).exterior.coords)[:-1]
    at = np.argmin(np.linalg.norm(ring[None] - simple[:, None], axis=2), axis=1)
    kept = _merged(ring, sorted(set(at.tolist())), shortest, chords)
    if len(kept) < 3:
        return None
    vertices = tuple(placed(ring[i], origin, pixel) for i in kept)
    bulges = [
        _bulge(_between(ring, i, j), shortest)
        for i, j in zip(kept, [*kept[1:], kept[0]], strict=True)
    ]
    return Polygon(vertices, tuple(bulges) if any(bulges) else ())


def _merged(ring: NDArray, kept: list[int], shortest: float, chords: float) -> list[int]:
    """Without the corners that stand out least, while edges are too short."""
    while len(kept) > 3:
        points = ring[kept]
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
        base = after - before
        length = np.maximum(np.linalg.norm(base, axis=1), 1e-9)
        (bx, by), (px, py) = base.T, (points - before).T
        height = np.abs(bx * py - by * px) / length
        edge = np.minimum(
            np.linalg.norm(points - before, axis=1), np.linalg.norm(after - points, axis=1)
        )
        spare = (height <= chords / 2) | ((edge < shortest) & (height <= chords))
        if not spare.any():
            break
        kept.pop(int(np.argmin(np.where(spare, height, np.inf))))
    return kept


def _between(ring: NDArray, start: int, end: int) -> NDArray:
    if end > start:
        return ring[start : end + 1]
    return np.concatenate([ring[start:], ring[: end + 1]])


def _bulge(part: NDArray, shortest: float) -> float:
    """Of the arc that has the area beside its chord that the line has."""
    (x0, y0), (x1, y1) = part[0], part[-1]
    chord = math.dist(part[0], part[-1])
    if chord < TOLERANCE:
        return 0.0
    x, y = (part - part[0]).T
    right = float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    # To the right of the chord the area is positive; that of a flat arc is 2/3 of chord x height.
    height = 1.5 * right / chord
    if abs(height) < max(_FLAT, min(TOLERANCE, _FLAT_PART * chord)):
        return 0.0
    bow = height / chord
    middle = ((x0 + x1) / 2 + bow * (y1 - y0), (y0 + y1) / 2 - bow * (x1 - x0))
    bulge = bulge_through((x0, y0), (x1, y1), middle)
    # Elements follow an arc by chords that turn by so much: none shall be too short for them.
    pieces = max(1, math.floor(2 * chord / shortest))
    most = math.tan(math.radians(min(pieces * MOST_TURN, _MOST_BOW)) / 4)
    bulge = max(-most, min(bulge, most))
    return round(float(bulge), 3)


def _problem(shape: Polygon, element_size: float) -> OutlineProblem | None:
    """What keeps a shape with arcs from being meshed."""
    rings = [smooth_outline(shape)[0]]
    if element_size > 0:
        rings.append(shape.outline(element_size)[0])
    return next((p for ring in rings if (p := outline_problem(ring)) is not None), None)
