"""A wave to begin with, in a domain that was drawn."""

from __future__ import annotations

import math

import shapely

from wavelab.scene.formulas.formula import Formula


def initial_pulse(free: shapely.Geometry, element_size: float) -> Formula:
    """A Gaussian in the middle of the widest part of an area."""
    parts = [part for part in shapely.get_parts(free) if isinstance(part, shapely.Polygon)]
    largest = max(parts, key=lambda part: part.area)
    x0, y0, x1, y1 = largest.bounds
    # A hundredth of the size is near enough to the middle.
    reach = shapely.maximum_inscribed_circle(largest, 0.01 * max(x1 - x0, y1 - y0))
    (x, y), end = reach.coords
    radius = math.dist((x, y), end)
    width = float(f"{min(max(radius / 4, element_size), radius / 2):.1e}")
    digits = max(0, 3 - math.floor(math.log10(max(x1 - x0, y1 - y0))))
    x, y = round(x, digits) + 0.0, round(y, digits) + 0.0
    return Formula.parse(f"exp(-((x - {x})^2 + (y - {y})^2)/(2*{width}^2))", ("x", "y"))
