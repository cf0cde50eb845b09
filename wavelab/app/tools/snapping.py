"""Where a click lands: on a vertex, on a horizontal or vertical, on a grid line, or where it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from wavelab.app.tools.tool import Point, PointerEvent

T = TypeVar("T")

#: Vertices attract within this many logical pixels.
VERTEX_PIXELS = 10.0
#: The grid is the finest of 1, 2, 5 times a power of ten that is at least this many pixels wide.
GRID_PIXELS = 12.0


@dataclass(frozen=True)
class Snapped:
    """A point and what it snapped to: "vertex", "grid" or "" (nothing)."""

    point: Point
    to: str = ""


def grid_spacing(pixel: float) -> float:
    """Round spacing (1, 2 or 5 times a power of ten, scene units) for a view with this pixel."""
    wanted = GRID_PIXELS * pixel
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= wanted * (1 - 1e-9))


def to_grid(value: float, spacing: float) -> float:
    """The nearest multiple of ``spacing``, without the rounding noise of a product."""
    digits = max(0, 1 - math.floor(math.log10(spacing)))
    return round(round(value / spacing) * spacing, digits)


def snap(event: PointerEvent, vertices: Iterable[Point], previous: Point | None = None) -> Snapped:
    """The point meant by the pointer.

    Ctrl takes the pointer as it is.  Shift, with a ``previous`` vertex, keeps the nearer of
    the horizontal and the vertical through it.  A vertex within reach wins over the grid.
    """
    if event.ctrl:
        return Snapped(event.point)
    spacing = grid_spacing(event.pixel)
    if event.shift and previous is not None:
        if abs(event.x - previous[0]) >= abs(event.y - previous[1]):
            return Snapped((to_grid(event.x, spacing), previous[1]), "grid")
        return Snapped((previous[0], to_grid(event.y, spacing)), "grid")
    reach = VERTEX_PIXELS * event.pixel
    vertex = nearest(vertices, lambda vertex: math.dist(vertex, event.point), reach)
    if vertex is not None:
        return Snapped(vertex, "vertex")
    return Snapped((to_grid(event.x, spacing), to_grid(event.y, spacing)), "grid")


def nearest(items: Iterable[T], away: Callable[[T], float], reach: float) -> T | None:
    """The item that is the least ``away``, the first of several, if it is within ``reach``."""
    found = min(items, key=away, default=None)
    return found if found is not None and away(found) <= reach else None
