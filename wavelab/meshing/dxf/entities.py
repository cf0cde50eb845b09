"""Curves of single entities, x to the right and y upwards."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from wavelab.meshing.dxf.tags import Tag
from wavelab.meshing.outlines.curves import Arc, Curve, Line, Spline
from wavelab.scene.model.shapes.arcs import circle_of

#: Lists of curves that belong together, and whether each is closed.
Paths = list[tuple[list[Curve], bool]]


#: An arc of less is a line.
_NO_BULGE = 1e-9


class UnusableError(Exception):
    """Says what is wrong with an entity."""


class Values:
    """The numbers of an entity, by their codes."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self.tags = tags

    def real(self, code: int, default: float | None = None) -> float:
        for tag in self.tags:
            if tag.code == code:
                return checked(tag)
        if default is None:
            raise UnusableError(f"has no value {code}")
        return default

    def whole(self, code: int, default: int = 0) -> int:
        return int(self.real(code, default))

    def point(self, code: int) -> complex:
        return complex(self.real(code), self.real(code + 10))

    def reals(self, code: int) -> list[float]:
        return [checked(tag) for tag in self.tags if tag.code == code]

    def points(self, code: int) -> list[complex]:
        xs, ys = self.reals(code), self.reals(code + 10)
        if len(xs) != len(ys):
            raise UnusableError(f"has {len(xs)} values {code} and {len(ys)} values {code + 10}")
        return list(map(complex, xs, ys))


def checked(tag: Tag) -> float:
    try:
        value = tag.number
    except ValueError:
        raise UnusableError(f'has "{tag.value[:40]}" where a number should be') from None
    if not abs(value) < 1e30:
        raise UnusableError(f"has the value {value:g}")
    return value


def _line(values: Values) -> Paths:
    return [([Line(values.point(10), values.point(11))], False)]


def _circle(values: Values) -> Paths:
    return [([round_arc(values.point(10), values.real(40), 0.0, math.tau)], True)]


def _arc(values: Values) -> Paths:
    begin, end = (math.radians(values.real(code)) for code in (50, 51))
    return [([round_arc(values.point(10), values.real(40), begin, turn_of(begin, end))], False)]


def round_arc(center: complex, radius: float, begin: float, turn: float) -> Arc:
    return Arc(center, complex(radius), 0j, begin, turn)


def turn_of(begin: float, end: float) -> float:
    """Counterclockwise from angle to angle, all around where they are the same."""
    return (end - begin) % math.tau or math.tau


def _ellipse(values: Values) -> Paths:
    begin, end = values.real(41, 0.0), values.real(42, math.tau)
    turn = end - begin if end - begin >= math.tau - 1e-9 else turn_of(begin, end)
    arc = of_ellipse(values.point(10), values.point(11), values.real(40), begin, turn)
    return [([arc], abs(turn) >= math.tau - 1e-6)]


def of_ellipse(center: complex, major: complex, ratio: float, begin: float, turn: float) -> Arc:
    return Arc(center, major * (1 + ratio) / 2, major * (1 - ratio) / 2, begin, turn)


def _light_polyline(values: Values) -> Paths:
    points: list[complex] = values.points(10)
    bulges: list[float] = []
    for tag in values.tags:
        if tag.code == 10:
            bulges.append(0.0)
        elif tag.code == 42 and bulges:
            bulges[-1] = checked(tag)
    return polyline(points, bulges, bool(values.whole(70) & 1))


def polyline(points: Sequence[complex], bulges: Sequence[float], closed: bool) -> Paths:
    """Edges from point to point, arcs where the bulge of the first is not 0."""
    ring = [*points, points[0]] if closed and points else points
    curves: list[Curve] = []
    for (a, b), bulge in zip(pairwise(ring), bulges, strict=False):
        if a == b:
            continue
        if abs(bulge) < _NO_BULGE:
            curves.append(Line(a, b))
            continue
        (x, y), radius = circle_of((a.real, a.imag), (b.real, b.imag), bulge)
        center = complex(x, y)
        curves.append(round_arc(center, radius, cmath.phase(a - center), 4 * math.atan(bulge)))
    return [(curves, closed or bool(curves and points[0] == points[-1]))] if curves else []


def _solid(values: Values) -> Paths:
    """Its corners are in the order of a Z."""
    a, b, c = (values.point(code) for code in (10, 11, 12))
    d = values.point(13) if any(tag.code == 13 for tag in values.tags) else c
    return polyline([a, b, d, c], [0.0] * 4, True)


def _spline(values: Values) -> Paths:
    controls, closed = values.points(10), bool(values.whole(70) & 1)
    if not controls:
        raise UnusableError("has no control points")
    pieces = spline(controls, values.reals(40), values.reals(41), values.whole(71, 3))
    return [(pieces, closed or abs(pieces[-1].end - pieces[0].start) == 0)]


def spline(
    controls: list[complex], knots: list[float], weights: list[float], degree: int
) -> list[Curve]:
    """A curve for each span between knots."""
    if not 1 <= degree <= 11 or len(knots) != len(controls) + degree + 1:
        raise UnusableError(
            f"has {len(controls)} control points and {len(knots)} knots, of degree {degree}"
        )
    weights = weights or [1.0] * len(controls)
    if sorted(knots) != knots or len(weights) != len(controls) or min(weights) <= 0:
        raise UnusableError("has knots that go back, or weights that are not positive")
    pieces: list[Curve] = []
    for i in range(degree, len(controls)):
        if knots[i] < knots[i + 1]:
            of = slice(i - degree, i + 1)
            span = tuple(knots[i - degree + 1 : i + degree + 1])
            pieces.append(Spline(tuple(controls[of]), tuple(weights[of]), span))
    if not pieces:
        raise UnusableError("has no length between its knots")
    return pieces


#: By the name of the entity; each may raise :class:`UnusableError`.
DRAWN: dict[str, Callable[[Values], Paths]] = {
    "LINE": _line,
    "CIRCLE": _circle,
    "ARC": _arc,
    "ELLIPSE": _ellipse,
    "LWPOLYLINE": _light_polyline,
    "SPLINE": _spline,
    "SOLID": _solid,
    "TRACE": _solid,
}
#: Of these coordinates are those of the drawing, whatever way they face.
IN_WORLD = ("LINE", "ELLIPSE", "SPLINE")
