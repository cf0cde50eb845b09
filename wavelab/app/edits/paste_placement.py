"""Where copies of items find room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product

from wavelab.app.tools.snapping import to_grid
from wavelab.scene.model.shapes import Point

Box = tuple[Point, Point]

#: Between an item and its duplicate, in steps of the grid.
GAP = 2
#: Looked round about, in gaps.
_ROUND = (1, 2, 4, 8, 16)


def shifts_beside(span: Box, bounds: Box, step: float) -> list[Point]:
    """Shifts of a box to its right, its left, below and above, as far as those are in bounds."""
    (x0, y0), (x1, y1) = span
    (left, low), (right, high) = bounds
    wide, tall = (to_grid(length, step) + GAP * step for length in (x1 - x0, y1 - y0))
    return [
        (x, y)
        for x, y in ((wide, 0.0), (-wide, 0.0), (0.0, -tall), (0.0, tall))
        if left <= x0 + x and x1 + x <= right and low <= y0 + y and y1 + y <= high
    ]


def shifts_near(by: Point, span: Box, bounds: Box, step: float) -> Iterator[Point]:
    """Shifts of a box that are tried one after the other where the wish, ``by``, cannot be: into
    bounds, round about and nearer first, and beside where it comes from."""
    yield by
    inside = tuple(
        _clamped(wish, low - start, high - end, step)
        for wish, low, high, start, end in zip(by, *bounds, *span, strict=True)
    )
    x, y = inside
    if (x, y) != by:
        yield x, y
    yield from _about((x, y), _ROUND, step)
    yield from _about((0.0, 0.0), _ROUND[:1], step)


def _about(center: Point, rounds: Iterable[int], step: float) -> Iterator[Point]:
    ways = [way for way in product((0, 1, -1), repeat=2) if way != (0, 0)]
    for part in rounds:
        gap = GAP * part * step
        for dx, dy in sorted(ways, key=lambda way: math.hypot(*way)):
            yield to_grid(center[0] + dx * gap, step), to_grid(center[1] + dy * gap, step)


def _clamped(wish: float, lowest: float, highest: float, step: float) -> float:
    """On the grid between two bounds, if anything is."""
    low, high = math.ceil(lowest / step - 1e-9), math.floor(highest / step + 1e-9)
    if low > high:
        return wish
    # A step away from the border, where there is room for that.
    low, high = (low + 1, high - 1) if high - low >= 2 else (low, high)
    return to_grid(min(max(wish, low * step), high * step), step)
