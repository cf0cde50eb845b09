"""Nodal fields on another mesh, by projection in L2.

An element that both meshes have keeps its values bit for bit.  Any other gets the polynomial that
is nearest to the old field in the mean of squares,

    int_K u v = int_K u_old v   for all polynomials v of degree N on K,

with 0 for u_old where the old mesh does not reach.  The right-hand side is exact: a straight
element K is cut along the edges of the old ones, and on each piece u_old v is a polynomial.  So
polynomials of degree N stay what they are on any pair of meshes, int u is kept, and int u^2 never
grows.  Where one of the two is curved, the old field is taken at the points of a quadrature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.reference_element import ReferenceElement, reference_element
from wavelab.numerics.elements.simplex_basis import vandermonde
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolate, locator_of, reference_coordinates
from wavelab.numerics.fields.projection import Projection, projection
from wavelab.numerics.mesh.geometry import cross
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.overlaps import Overlaps, overlaps, touching_boxes

#: Matrices of pairs of elements are made beforehand as long as they take no more memory than this,
#: and else anew for each field that is carried.
_MOST_BYTES = 64 << 20
#: Pairs whose matrices are made together: what that takes stays in cache.
_PAIRS_AT_ONCE = 512
#: How far points that are outside are moved inwards, in parts of the distance to the centre of
#: their element: the arc of another mesh may lie a little further in.
_INWARD = 1e-2
#: Odd numbers whose bits look random, for telling corners apart.
_MIX = np.random.default_rng(0).integers(1, 2**63, 6, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


class Carrying:
    """Takes fields from ``source`` to ``target``; to be made once for each pair of meshes.

    Attributes
    ----------
    kept : (n,) elements of the target that the source has too.
    """

    def __init__(self, source: Discretization, target: Discretization) -> None:
        self._copies = source.copies, target.copies
        source, target = source.seen, target.seen
        self.source, self.target = source, target
        self.kept, self._kept_in = _common(source, target)
        changed, before = _others(target, self.kept), _others(source, self._kept_in)
        sampled = _near_arcs(source, before, target, changed)
        self._projected = _Projected.between(source, before, target, changed[~sampled])
        self._sampled = [
            _Sampled.between(source, target, elements)
            for elements in _straight_and_curved(target, changed[sampled])
            if len(elements)
        ]

    def goes(self, source: Discretization, target: Discretization) -> bool:
        """Whether it takes fields from one of these to the other."""
        copies = source.copies, target.copies
        there = self.source is source.seen and self.target is target.seen
        return there and self._copies == copies

    def from_same(self, source: Discretization) -> Carrying:
        """The same where its source has come from another process: from the equal one here."""
        here = copy(self)
        here.source = source.seen
        here._projected = replace(self._projected, source=source.seen)
        here._sampled = [replace(part, source=source.seen) for part in self._sampled]
        return here

    def __call__(self, fields: Sequence[Array]) -> list[Array]:
        """Nodal fields of the source, on the target: where one of them has complex fields and the
        other real ones, the real parts.

        Parameters
        ----------
        fields : (n_elements, nodes_per_element) each.
        """
        before, after = self._copies
        if before == after == 1:
            return self._carried(fields)
        results = [
            np.zeros((after * self.target.n_elements, self.target.nodes_per_element))
            for _ in fields
        ]
        for number in range(min(before, after)):
            carried = self._carried([field[number::before] for field in fields])
            for result, values in zip(results, carried, strict=True):
                result[number::after] = values
        return results

    def _carried(self, fields: Sequence[Array]) -> list[Array]:
        results = [np.zeros(self.target.shape) for _ in fields]
        parts: list[_Projected | _Sampled] = [self._projected, *self._sampled]
        if len(self.kept):
            for result, field in zip(results, fields, strict=True):
                result[self.kept] = field[self._kept_in]
        for part in parts:
            for result, values in zip(results, part.values(fields), strict=True):
                result[part.elements] = values
        return results


def _common(source: Discretization, target: Discretization) -> tuple[Indices, Indices]:
    """Elements of the target with the same nodes as one of the source, and that."""
    nothing = np.zeros(0, np.int64)
    if source.order != target.order:
        return nothing, nothing
    mine, theirs = _keys(target.mesh), _keys(source.mesh)
    _, kept, kept_in = np.intersect1d(mine, theirs, return_indices=True)
    same = (target.x[kept] == source.x[kept_in]) & (target.y[kept] == source.y[kept_in])
    kept, kept_in = kept[same.all(axis=1)], kept_in[same.all(axis=1)]
    order = np.argsort(kept)
    return kept[order], kept_in[order]


def _keys(mesh: Mesh) -> NDArray[np.uint64]:
    """(n_elements,) a number made of the corners of each element; hardly two have the same."""
    corners = mesh.vertices[mesh.triangles].reshape(-1, 6) + 0.0  # no -0
    mixed = corners.view(np.uint64) * _MIX
    mixed ^= mixed >> np.uint64(32)
    return (mixed * _MIX[::-1]).sum(axis=1)


def _others(d: Discretization, elements: Indices) -> Indices:
    left = np.ones(d.n_elements, dtype=bool)
    left[elements] = False
    return np.flatnonzero(left)


def _near_arcs(
    source: Discretization, before: Indices, target: Discretization, changed: Indices
) -> Mask:
    """Which of the changed elements are curved, or lie where the source has curved ones."""
    near: Mask = changed >= target.first_curved
    bent = before[before >= source.first_curved]
    if len(bent) and len(changed):
        found, _ = touching_boxes(_boxes(target, changed), _boxes(source, bent))
        near[found] = True
    return near


def _boxes(d: Discretization, elements: Indices) -> Array:
    """(n, 2, 2) lower and upper corners of the boxes around nodes and corners of elements."""
    nodes = np.stack([d.x[elements], d.y[elements]], axis=2)
    points = np.concatenate([nodes, d.mesh.vertices[d.mesh.triangles[elements]]], axis=1)
    return np.stack([points.min(axis=1), points.max(axis=1)], axis=1)


def _straight_and_curved(d: Discretization, elements: Indices) -> tuple[Indices, Indices]:
    curved = elements >= d.first_curved
    return elements[~curved], elements[curved]


@dataclass(frozen=True, eq=False)
class _Projected:
    """Straight elements of the target that lie among straight ones of the source.

    Attributes
    ----------
    elements : (n,) of the target; before : (m,) of the source.
    cut : what elements have in common, by their numbers in these two.
    matrices : (n_pairs, modes of the target, modes of the source), where there is room for them:
        integrals of two modes over what a pair has in common.
    """

    source: Discretization
    target: Discretization
    elements: Indices
    before: Indices
    cut: Overlaps
    matrices: Array | None

    @classmethod
    def between(
        cls, source: Discretization, before: Indices, target: Discretization, changed: Indices
    ) -> _Projected:
        corners = [
            d.mesh.vertices[d.mesh.triangles[elements]]
            for d, elements in ((target, changed), (source, before))
        ]
        found = cls(source, target, changed, before, overlaps(*corners), None)
        size = 8 * source.nodes_per_element * target.nodes_per_element
        if not 0 < size * len(found.cut.one) <= _MOST_BYTES:
            return found
        return replace(found, matrices=np.concatenate([m for *_, m in found._parts()]))

    def values(self, fields: Sequence[Array]) -> list[Array]:
        """(n, nodes_per_element) each."""
        modal = [field[self.before] @ self.source.element.inverse_vandermonde.T for field in fields]
        loads = [np.zeros((len(self.elements), self.target.nodes_per_element)) for _ in fields]
        cut, made = self.cut, self.matrices
        parts = self._parts() if made is None else [(0, len(cut.one), made)]
        for first, last, matrices in parts:
            for load, of_field in zip(loads, modal, strict=True):
                shares = (matrices @ of_field[cut.other[first:last]][:, :, None])[:, :, 0]
                _add_sorted(load, cut.one[first:last], shares)
        # The modes are orthonormal on the reference triangle.
        jacobian = self.target.geometry.jacobian[self.elements, None]
        return [(load / jacobian) @ self.target.element.vandermonde.T for load in loads]

    def _parts(self) -> Iterator[tuple[int, int, Array]]:
        """Pairs from one number up to another, and their matrices."""
        n_pairs = len(self.cut.one)
        for first in range(0, n_pairs, _PAIRS_AT_ONCE):
            last = min(first + _PAIRS_AT_ONCE, n_pairs)
            yield first, last, self._matrices_of(first, last)

    def _matrices_of(self, first: int, last: int) -> Array:
        """(last - first, modes, modes) of some pairs."""
        cut = self.cut
        start, stop = np.searchsorted(cut.pair, [first, last])
        pieces, pair = cut.pieces[start:stop], cut.pair[start:stop]
        element = _finer(self.source.element, self.target.element)
        weights = np.stack([-(element.r + element.s) / 2, (1 + element.r) / 2, (1 + element.s) / 2])
        corners = pieces.reshape(-1, 2)
        modes = []
        for d, numbers in (
            (self.target, self.elements[cut.one[pair]]),
            (self.source, self.before[cut.other[pair]]),
        ):
            of_corners = reference_coordinates(d.mesh, np.repeat(numbers, 3), corners)
            r, s = (of_corners[:, i].reshape(-1, 3) @ weights for i in range(2))
            modes.append(vandermonde(d.order, r.ravel(), s.ravel()).reshape(*r.shape, -1))
        jacobian = cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]) / 4
        weighted = jacobian[:, None, None] * (element.mass @ modes[1])
        of_piece = modes[0].transpose(0, 2, 1) @ weighted
        matrices = np.zeros((last - first, *of_piece.shape[1:]))
        _add_sorted(matrices, pair - first, of_piece)
        return matrices


def _finer(one: ReferenceElement, other: ReferenceElement) -> ReferenceElement:
    """Of the higher order: its mass matrix has products of both exactly."""
    return reference_element(max(one.order, other.order))


def _add_sorted(sums: Array, rows: Indices, values: Array) -> None:
    """Add values to the rows they are for, which are ascending."""
    if len(rows):
        starts = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
        sums[rows[starts]] += np.add.reduceat(values, starts, axis=0)


@dataclass(frozen=True, eq=False)
class _Sampled:
    """Elements of the target, all straight or all curved, at whose points the source is read.

    Attributes
    ----------
    elements : (n,) of the target.
    rule : their quadrature.
    found, rs : (n n_points,) elements of the source at the points, -1 outside, and (..., 2).
    """

    source: Discretization
    elements: Indices
    rule: Projection
    found: NDArray[np.int32]
    rs: Array

    @classmethod
    def between(cls, source: Discretization, target: Discretization, elements: Indices) -> _Sampled:
        rule, x, y = projection(target, elements)
        points = np.stack([x, y], axis=2)
        inward = (points.mean(axis=1, keepdims=True) - points).reshape(-1, 2)
        points = points.reshape(-1, 2)
        locator = locator_of(source)
        found, rs = locator.locate(points)
        lost = np.flatnonzero(found < 0)
        found[lost], rs[lost] = locator.locate(points[lost] + _INWARD * inward[lost])
        return cls(source, elements, rule, found, rs)

    def values(self, fields: Sequence[Array]) -> list[Array]:
        """(n, nodes_per_element) each."""
        at_points = interpolate(self.source, list(fields), self.found, self.rs)
        return [self.rule.from_points(v.reshape(len(self.elements), -1)) for v in at_points]
