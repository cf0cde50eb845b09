"""The outlines of filled areas in DXF files."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wavelab.meshing.dxf.entities import (
    Paths,
    UnusableError,
    checked,
    of_ellipse,
    polyline,
    round_arc,
    spline,
    turn_of,
)
from wavelab.meshing.dxf.tags import Tag
from wavelab.meshing.outlines.curves import Curve, Line


def hatch(tags: Sequence[Tag]) -> Paths:
    """All boundaries; a point is in the area if an odd number of them goes around it.

    Unlike that of other entities, what a value means follows from those before it.
    """
    reader = _Reader(tags)
    reader.go_to(91)
    paths: Paths = []
    for _ in range(reader.whole(91)):
        if reader.whole(92) & 2:
            has_bulges = reader.whole(72)
            reader.skip(73)
            points, bulges = [], []
            for _ in range(reader.whole(93)):
                points.append(reader.point(10))
                bulges.append(reader.real(42, 0.0) if has_bulges else 0.0)
            paths += polyline(points, bulges, True)
        else:
            curves: list[Curve] = []
            for _ in range(reader.whole(93)):
                curves += _edge(reader)
            if curves:
                paths.append((curves, True))
        for _ in range(reader.whole(97, 0)):
            reader.skip(330)
    return paths


def _edge(reader: _Reader) -> list[Curve]:
    kind = reader.whole(72)
    if kind == 1:
        return [Line(reader.point(10), reader.point(11))]
    if kind in (2, 3):
        center = reader.point(10)
        major = reader.point(11) if kind == 3 else 0j
        size = reader.real(40)
        begin, end = (math.radians(reader.real(code)) for code in (50, 51))
        turn = turn_of(begin, end)
        if not reader.whole(73, 1):
            begin, turn = -begin, -turn
        if kind == 2:
            return [round_arc(center, size, begin, turn)]
        return [of_ellipse(center, major, size, begin, turn)]
    if kind == 4:
        degree = reader.whole(94)
        rational = reader.whole(73, 0)
        reader.skip(74)
        n_knots, n_controls = reader.whole(95), reader.whole(96)
        reader.check(n_knots + n_controls)
        knots = [reader.real(40) for _ in range(n_knots)]
        controls, weights = [], []
        for _ in range(n_controls):
            controls.append(reader.point(10))
            if rational:
                weights.append(reader.real(42, 1.0))
        curves = spline(controls, knots, weights, degree)
        for _ in range(reader.whole(97, 0)):
            reader.point(11)
        for code in (12, 13):
            if reader.has(code):
                reader.point(code)
        return curves
    raise UnusableError(f"has an edge of the kind {kind}")


class _Reader:
    """Values in their order."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self._tags = tags
        self._at = 0

    def go_to(self, code: int) -> None:
        while self._at < len(self._tags) and not self.has(code):
            self._at += 1

    def has(self, code: int) -> bool:
        return self._at < len(self._tags) and self._tags[self._at].code == code

    def skip(self, code: int) -> None:
        if self.has(code):
            self._at += 1

    def check(self, count: int) -> None:
        if not 0 <= count <= len(self._tags):
            raise UnusableError("ends too early")

    def real(self, code: int, default: float | None = None) -> float:
        if self.has(code):
            self._at += 1
            return checked(self._tags[self._at - 1])
        if default is None:
            raise UnusableError(f"has no value {code} where one should be")
        return default

    def whole(self, code: int, default: int | None = None) -> int:
        value = int(self.real(code, default))
        self.check(value if code in (91, 93, 97) else 0)
        return value

    def point(self, code: int) -> complex:
        return complex(self.real(code), self.real(code + 10))
