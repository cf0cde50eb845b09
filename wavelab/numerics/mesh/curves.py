"""Smooth curves that faces of a mesh may lie on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.polynomial import legendre

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.remembered import Remembered

#: Gauss points that integrate the length of an arc, and steps of Newton's method on it.
_LENGTH_POINTS = 24
_NEWTON_STEPS = 12


@dataclass(frozen=True)
class EllipseCurve:
    """Ellipse with half axes ``radii``, turned counterclockwise by ``angle`` degrees.

    Its parameter theta is the angle on the unit circle of which the ellipse is an affine image.
    """

    center: tuple[float, float]
    radii: tuple[float, float]
    angle: float = 0.0

    @property
    def largest_radius(self) -> float:
        """The larger half axis."""
        return max(self.radii)

    def halved(self) -> EllipseCurve:
        """The curve that the halves of faces lie on: this one."""
        return self

    def parameters(self, points: Array) -> Array:
        """(...,) theta in [-pi, pi] of points (..., 2) on the curve; of others, that of the point
        they are sent to by scaling from the centre."""
        turn = math.radians(self.angle)
        x, y = points[..., 0] - self.center[0], points[..., 1] - self.center[1]
        along = (math.cos(turn) * x + math.sin(turn) * y) / self.radii[0]
        across = (math.cos(turn) * y - math.sin(turn) * x) / self.radii[1]
        return np.arctan2(across, along)

    def points(self, theta: Array) -> Array:
        """(..., 2) points of parameters (...,)."""
        turn = math.radians(self.angle)
        along, across = self.radii[0] * np.cos(theta), self.radii[1] * np.sin(theta)
        return np.stack(
            [
                self.center[0] + math.cos(turn) * along - math.sin(turn) * across,
                self.center[1] + math.sin(turn) * along + math.cos(turn) * across,
            ],
            axis=-1,
        )

    def tangents(self, theta: Array) -> Array:
        """(..., 2) derivatives of :meth:`points` by theta."""
        turn = math.radians(self.angle)
        along, across = -self.radii[0] * np.sin(theta), self.radii[1] * np.cos(theta)
        return np.stack(
            [
                math.cos(turn) * along - math.sin(turn) * across,
                math.sin(turn) * along + math.cos(turn) * across,
            ],
            axis=-1,
        )

    def projected(self, points: Array) -> Array:
        """Points (..., 2) moved onto the curve along lines through its centre."""
        return self.points(self.parameters(points))

    def distances(self, points: Array) -> Array:
        """(...,) how far that moves them."""
        return np.linalg.norm(self.projected(points) - points, axis=-1)

    def turns(self, start: Array, end: Array) -> Array:
        """(n,) angles by which the tangent turns from points to points (n, 2), the shorter way."""
        one, other = (self.tangents(self.parameters(p)) for p in (start, end))
        across = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
        return np.asarray(np.abs(np.arctan2(across, (one * other).sum(axis=-1))))

    def arcs(self, start: Array, end: Array, fractions: Array) -> Array:
        """Points of the arcs between pairs of points, the shorter way round.

        Both directions give the same points, so that two elements that share an arc agree.

        Parameters
        ----------
        start, end : (n, 2) on the curve; fractions : (m,) of the length of the arc, which must be
            the same from both ends: 1 - fractions reversed.

        Returns
        -------
        (n, m, 2).
        """
        one, other = self.parameters(start), self.parameters(end)
        span = (other - one + np.pi) % (2 * np.pi) - np.pi
        backward = span < 0
        first, span = np.where(backward, other, one), np.abs(span)
        theta = first[:, None] + span[:, None] * self._parts_of_length(first, span, fractions)
        theta[backward] = theta[backward, ::-1]
        return self.points(theta)

    def _parts_of_length(self, first: Array, span: Array, fractions: Array) -> Array:
        """(n, m) parts of the spans of theta where the arcs have reached fractions of their length:
        equal steps in theta would crowd nodes where an ellipse bends."""
        a, b = self.radii
        part = np.broadcast_to(fractions, (len(first), len(fractions))).copy()
        if a == b or part.size == 0:
            return part
        nodes, weights = gauss_quadrature(0, 0, _LENGTH_POINTS)
        nodes, weights = (1 + nodes) / 2, weights / 2

        def speed(parts: Array) -> Array:
            theta = first[:, None] + span[:, None] * parts.reshape(len(first), -1)
            return np.hypot(a * np.sin(theta), b * np.cos(theta)).reshape(parts.shape)

        total = speed(np.broadcast_to(nodes, (len(first), len(nodes)))) @ weights
        for _ in range(_NEWTON_STEPS):
            reached = part * (speed(part[:, :, None] * nodes) @ weights)
            change = (reached - fractions * total[:, None]) / speed(part)
            part = np.clip(part - change, 0.0, 1.0)
            if np.abs(change).max() < 1e-15:
                break
        return part


@dataclass(frozen=True, eq=False)
class FacePolynomials:
    """Faces that are polynomials of one degree k each, as mesh files of higher order have them.

    Attributes
    ----------
    nodes : (n, k + 1, 2) points of each face at equal steps of its parameter, from end to end.
    """

    nodes: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FacePolynomials) and np.array_equal(self.nodes, other.nodes)

    def __hash__(self) -> int:
        return hash(self.nodes.tobytes())

    @property
    def largest_radius(self) -> float:
        """About that of the circle which the least bent face is a part of."""
        start, end = self.nodes[:, 0], self.nodes[:, -1]
        turns = np.maximum(self.turns(start, end), 1e-3)
        return float((np.linalg.norm(end - start, axis=1) / turns).max())

    def distances(self, points: Array) -> Array:
        """(...,) how far points (..., 2) are from the nearest end of a face."""
        ends = self.nodes[:, [0, -1]].reshape(-1, 2)
        flat = points.reshape(-1, 2)
        nearest = ends[shapely.STRtree(shapely.points(ends)).nearest(shapely.points(flat))]
        return np.asarray(np.linalg.norm(nearest - flat, axis=1).reshape(points.shape[:-1]))

    def turns(self, start: Array, end: Array) -> Array:
        """(n,) angles by which the tangents of faces turn on the way, there and back."""
        steps = np.linspace(0, 1, 2 * self.nodes.shape[1])
        along = np.diff(self._at(self._found(start, end)[0], steps), axis=1)
        one, other = along[:, :-1], along[:, 1:]
        across = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
        return np.asarray(np.abs(np.arctan2(across, (one * other).sum(axis=-1))).sum(axis=1))

    def arcs(self, start: Array, end: Array, fractions: Array) -> Array:
        """As :meth:`EllipseCurve.arcs`, but by the parameter of the face and not by its length:
        a polynomial of no higher degree through these points is the face itself.

        Parameters
        ----------
        start, end : (n, 2) ends of faces, in either order.
        """
        face, backward = self._found(start, end)
        points = self._at(face, fractions)
        points[backward] = points[backward, ::-1]
        return points

    def halved(self) -> FacePolynomials:
        """The two halves of every face, one after the other."""
        half = np.linspace(0, 0.5, self.nodes.shape[1])
        every = np.arange(len(self.nodes))
        parts = np.stack([self._at(every, half), self._at(every, half + 0.5)], axis=1)
        return FacePolynomials(parts.reshape(-1, *self.nodes.shape[1:]))

    def only(self, start: Array, end: Array) -> FacePolynomials:
        """Those of the faces between pairs of points (n, 2), in either order, each once."""
        return FacePolynomials(self.nodes[np.unique(self._found(start, end)[0])])

    def _at(self, face: Indices, parameters: Array) -> Array:
        """(n, m, 2) points of some faces."""
        degree = self.nodes.shape[1] - 1
        equal = np.linspace(-1, 1, degree + 1)
        # By way of Legendre polynomials: powers would lose digits.
        weights = legendre.legvander(2 * parameters - 1, degree) @ np.linalg.inv(
            legendre.legvander(equal, degree)
        )
        return np.asarray(np.einsum("mk,nkx->nmx", weights, self.nodes[face]))

    def _found(self, start: Array, end: Array) -> tuple[Indices, Mask]:
        """(n,) the faces between pairs of points, and whether they run from end to start.

        No two faces of a mesh have the middle of their chords in common.
        """
        tree = _middles.get(self, None, self._middles_of_chords)
        face = tree.nearest(shapely.points((start + end) / 2))
        first, last = self.nodes[face, 0], self.nodes[face, -1]
        forward = ((start - first) ** 2 + (end - last) ** 2).sum(axis=1)
        return face, forward > ((start - last) ** 2 + (end - first) ** 2).sum(axis=1)

    def _middles_of_chords(self) -> shapely.STRtree:
        return shapely.STRtree(shapely.points((self.nodes[:, 0] + self.nodes[:, -1]) / 2))


_middles: Remembered[FacePolynomials, shapely.STRtree] = Remembered(1)

#: What faces of a mesh may follow.
Curve = EllipseCurve | FacePolynomials
