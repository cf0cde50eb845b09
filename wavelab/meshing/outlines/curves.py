"""What outlines are made of: lines, cubic Bezier curves, splines and arcs of ellipses.

Points are complex numbers, and an affine map is a z + b conj(z) + c.  In this language an ellipse
is center + p exp(i t) + q exp(-i t), round where p or q is 0, and its image under an affine map
is again of that form.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

#: Of p and q, the smaller in parts of the larger, that are the half axes of a circle.
_ROUND = 1e-6


@dataclass(frozen=True)
class Affine:
    """z -> a z + b conj(z) + c."""

    a: complex = 1
    b: complex = 0
    c: complex = 0

    @classmethod
    def matrix(cls, a: float, b: float, c: float, d: float, e: float, f: float) -> Affine:
        """x' = a x + c y + e, y' = b x + d y + f: SVG's order."""
        return cls(complex(a + d, b - c) / 2, complex(a - d, b + c) / 2, complex(e, f))

    def __call__(self, z: complex) -> complex:
        return self.a * z + self.b * z.conjugate() + self.c

    def __matmul__(self, first: Affine) -> Affine:
        """``first``, and then this one."""
        a, b = first.a, first.b
        return Affine(
            self.a * a + self.b * b.conjugate(),
            self.a * b + self.b * a.conjugate(),
            self(first.c),
        )

    def within(self, limit: float) -> bool:
        """Whether no number of it is larger; none is NaN then."""
        parts = (part for z in (self.a, self.b, self.c) for part in (z.real, z.imag))
        return all(abs(part) < limit for part in parts)

    @property
    def flattens(self) -> bool:
        """Whether no area is left of anything."""
        larger = max(abs(self.a), abs(self.b))
        return abs(abs(self.a) - abs(self.b)) <= 1e-12 * larger


@dataclass(frozen=True)
class Line:
    start: complex
    end: complex

    def at(self, t: float) -> complex:
        return (1 - t) * self.start + t * self.end

    def moved(self, by: Affine) -> Line:
        return Line(by(self.start), by(self.end))

    def reversed(self) -> Line:
        return Line(self.end, self.start)


@dataclass(frozen=True)
class Cubic:
    """A Bezier curve of third degree."""

    start: complex
    first: complex
    second: complex
    end: complex

    @classmethod
    def quadratic(cls, start: complex, control: complex, end: complex) -> Cubic:
        return cls(start, (start + 2 * control) / 3, (2 * control + end) / 3, end)

    def at(self, t: float) -> complex:
        s = 1 - t
        return (
            s**3 * self.start
            + 3 * s * t * (s * self.first + t * self.second)
            + t**3 * self.end
        )  # fmt: skip

    def within(self, distance: float) -> bool:
        """Whether it stays so close to the straight line between its ends: its control points do,
        and it lies between them all."""
        chord = self.end - self.start
        length = abs(chord)
        back = chord.conjugate() / length if length else 1.0
        controls = ((z - self.start) * back for z in (self.first, self.second))
        return all(
            abs(z.imag) <= distance and -distance <= z.real <= length + distance for z in controls
        )

    def moved(self, by: Affine) -> Cubic:
        return Cubic(by(self.start), by(self.first), by(self.second), by(self.end))

    def reversed(self) -> Cubic:
        return Cubic(self.end, self.second, self.first, self.start)


@dataclass(frozen=True)
class Arc:
    """center + p exp(i u) + q exp(-i u), from u = ``begin`` on through ``turn`` radians."""

    center: complex
    p: complex
    q: complex
    begin: float
    turn: float

    @property
    def start(self) -> complex:
        return self.at(0)

    @property
    def end(self) -> complex:
        return self.at(1)

    @property
    def is_round(self) -> bool:
        small, large = sorted((abs(self.p), abs(self.q)))
        return small <= _ROUND * large

    @property
    def radii(self) -> tuple[float, float]:
        """Half axes, the larger first."""
        return abs(self.p) + abs(self.q), abs(abs(self.p) - abs(self.q))

    @property
    def angle(self) -> float:
        """Of the larger half axis, in degrees."""
        return 0.0 if self.is_round else math.degrees(cmath.phase(self.p * self.q) / 2)

    def at(self, t: float) -> complex:
        turned = cmath.rect(1, self.begin + t * self.turn)
        return self.center + self.p * turned + self.q / turned

    def moved(self, by: Affine) -> Arc:
        p = by.a * self.p + by.b * self.q.conjugate()
        q = by.a * self.q + by.b * self.p.conjugate()
        return Arc(by(self.center), p, q, self.begin, self.turn)

    def reversed(self) -> Arc:
        return Arc(self.center, self.p, self.q, self.begin + self.turn, -self.turn)


@dataclass(frozen=True)
class Spline:
    """A span of a rational B-spline: k + 1 control points with weights, and the 2 k knots around
    it, the middle two of which are its ends."""

    controls: tuple[complex, ...]
    weights: tuple[float, ...]
    knots: tuple[float, ...]

    @property
    def start(self) -> complex:
        return self.at(0)

    @property
    def end(self) -> complex:
        return self.at(1)

    def at(self, t: float) -> complex:
        """By de Boor's algorithm, of control points times weights and of weights."""
        degree = len(self.controls) - 1
        begin, end = self.knots[degree - 1 : degree + 1]
        u = begin + t * (end - begin)
        points = [w * z for w, z in zip(self.weights, self.controls, strict=True)]
        weights = list(self.weights)
        for level in range(1, degree + 1):
            for i in range(degree, level - 1, -1):
                low, high = self.knots[i - 1], self.knots[i + degree - level]
                part = (u - low) / (high - low)
                points[i] = (1 - part) * points[i - 1] + part * points[i]
                weights[i] = (1 - part) * weights[i - 1] + part * weights[i]
        return points[-1] / weights[-1]

    def moved(self, by: Affine) -> Spline:
        return Spline(tuple(map(by, self.controls)), self.weights, self.knots)

    def reversed(self) -> Spline:
        return Spline(
            self.controls[::-1], self.weights[::-1], tuple(-knot for knot in reversed(self.knots))
        )


Curve = Line | Cubic | Arc | Spline


def ellipse(center: complex, rx: float, ry: float) -> Arc:
    """All of it, from its right end on."""
    return Arc(center, (rx + ry) / 2, (rx - ry) / 2, 0.0, math.tau)


def arc_between(
    start: complex, end: complex, rx: float, ry: float, tilt: float, large: bool, positive: bool
) -> Curve:
    """SVG's arc from point to point: of an ellipse whose axis is tilted by ``tilt`` degrees, the
    large part or the small one, in the direction of growing angles or against it.

    Radii that are too small for it grow; without any it is a line (SVG 2, 9.5.1).
    """
    rx, ry = abs(rx), abs(ry)
    if not (rx and ry):
        return Line(start, end)
    axis = cmath.rect(1, math.radians(tilt))

    def on_unit_circle(z: complex) -> complex:
        local = z / axis
        return complex(local.real / rx, local.imag / ry)

    chord = on_unit_circle(end - start)
    half = abs(chord) / 2
    grown = max(1.0, half)
    # In the frame where the ellipse is the unit circle, from the start.
    along = chord / grown
    off = math.sqrt(max(0.0, 1 - (abs(along) / 2) ** 2)) / (abs(along) or 1.0)
    side = 1j if large != positive else -1j
    middle = along / 2 + side * off * along
    begin, finish = cmath.phase(-middle), cmath.phase(along - middle)
    turn = (finish - begin) % math.tau
    if not positive:
        turn -= math.tau
    local = middle * grown
    center = start + axis * complex(local.real * rx, local.imag * ry)
    rx, ry = rx * grown, ry * grown
    return Arc(center, axis * (rx + ry) / 2, axis * (rx - ry) / 2, begin, turn)
