"""Smooth curves that faces of a mesh may lie on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import gauss_quadrature

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
