"""What outlines enclose, as polygons of short chords."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np
import shapely

from wavelab.meshing.outlines.curves import Arc, Curve, Line
from wavelab.meshing.outlines.outline import Outline
from wavelab.numerics.mesh.polygon import signed_area

#: Degrees by which a chord of a circle turns: it is off by 4e-5 of the radius.
TURN = 1.0
#: Chords of a Bezier curve or of a span of a spline.
_CHORDS = 32


def areas_of(outlines: Sequence[Outline]) -> tuple[list[Outline], list[shapely.Geometry]]:
    """The outlines that enclose something, and the area of each group of them: one by itself, or
    several with holes and islands."""
    kept: list[Outline] = []
    areas: list[shapely.Geometry] = []
    numbers = ((o.group if o.group is not None else -1 - i, o) for i, o in enumerate(outlines))
    for _, members in groupby(numbers, key=lambda entry: entry[0]):
        together = [outline for _, outline in members]
        area = _area(together)
        if area.area > 0:
            kept += together
            areas.append(area)
    return kept, areas


def chords(outline: Outline) -> np.ndarray:
    """(n, 2) corners of a polygon that is as good as the outline, the first not repeated."""
    points: list[complex] = []
    for curve in outline.curves:
        count = _count(curve)
        points += [curve.at(i / count) for i in range(count)]
    return np.array([(z.real, z.imag) for z in points])


def _count(curve: Curve) -> int:
    if isinstance(curve, Line):
        return 1
    if isinstance(curve, Arc):
        return max(1, math.ceil(abs(math.degrees(curve.turn)) / TURN - 1e-6))
    return _CHORDS


def _area(together: Sequence[Outline]) -> shapely.Geometry:
    rings = [chords(outline) for outline in together]
    rings = [ring for ring in rings if len(ring) >= 3]
    whole = [_whole(ring) for ring in rings]
    if len(whole) < 2:
        return whole[0] if whole else shapely.Polygon()
    order = sorted(range(len(whole)), key=lambda i: -whole[i].area)
    area = shapely.Polygon()
    if not together[0].winds:
        for i in order:
            area = shapely.symmetric_difference(area, whole[i])
        return area
    # Where the outlines around a point go round it in both directions, it is outside.
    inside = shapely.points([part.representative_point().coords[0] for part in whole])
    turns = np.sign([signed_area(ring) for ring in rings])
    for i in order:
        around = [j for j in order if whole[j].area >= whole[i].area
                  and shapely.covers(whole[j], inside[i])]  # fmt: skip
        join = shapely.union if sum(turns[j] for j in around) else shapely.difference
        area = join(area, whole[i])
    return area


def _whole(ring: np.ndarray) -> shapely.Geometry:
    polygon = shapely.Polygon(ring)
    if polygon.is_valid:
        return polygon
    return shapely.make_valid(polygon, method="structure", keep_collapsed=False)
