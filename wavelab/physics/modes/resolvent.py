"""(L - s)^-1 of the semi-discrete equations dq/dt = L q, auxiliary variables too, for a complex s.

Auxiliary variables couple nothing but what is at their node, and elements only what flows through
faces.  With w what an element feels of its neighbours, u = G (b - P w) inside of each with the
inverse G of its own equations, and w = R u of the neighbour; P R is what one feels of the other,
whose rank is that of the waves that come through a face, N + 1 of each kind where it is straight.
So what is left to be solved are the equations of w alone,

    w + R G P w = R G b,

as many as there are nodes on faces, level by level of the mesh
(:mod:`wavelab.numerics.spectra.block_tridiagonal`).  That is static condensation, as of hybridized
discontinuous Galerkin methods (Nguyen, Peraire & Cockburn, J. Comput. Phys. 230 (2011) 7151).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import Connectivity
from wavelab.numerics.spectra.block_tridiagonal import BlockTridiagonal, levels_of
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.modes.dispersive_modes import added, parts_of
from wavelab.physics.operator.operator import Operator

#: Singular values below this part of the largest are rounding.
_RANK = 1e-13


@dataclass(frozen=True, eq=False)
class ElementMatrices:
    """The operator element by element, in its natural units; m = n_fields nodes_per_element numbers
    are those of one.

    Attributes
    ----------
    own : (n_elements, m, m) what its own fields add to its rates.
    felt : (n_elements, m, 3 r) P, what comes through its faces adds to them.
    sent : (n_elements, 3, r, m) R, what comes through each face of the fields of the neighbour.
    there : (n_elements, 3, r) which of these there are; the others are zeros.
    neighbors : (n_elements, 3); walls have the element itself.
    units : (n_elements, m) what 1 is of each number.
    """

    own: Array
    felt: Array
    sent: Array
    there: Mask
    neighbors: Indices
    units: Array

    @classmethod
    def of(cls, operator: Operator, pause: Callable[[], None]) -> ElementMatrices:
        """By what the operator makes of each number, of many elements at once that have no
        neighbour in common."""
        d = operator.discretization
        c = d.connectivity
        n, nodes = d.shape
        n_fields = len(operator.fields.names)
        m = n_fields * nodes
        inner = ~_alone(c)
        own, across = np.zeros((n, m, m)), np.zeros((n, 3, m, m))
        units = np.repeat(operator.natural_units().T, nodes, axis=1)
        neighbors = c.neighbor_element.astype(np.int64)
        for elements in _apart(neighbors):
            # Those that feel one of these, and through which face.
            feels, face = np.nonzero(inner & np.isin(c.neighbor_element, elements))
            for j in range(m):
                pause()
                fields = np.zeros((n_fields, n, nodes))
                fields[j // nodes, elements, j % nodes] = units[elements, j]
                change = operator.right_hand_side(operator.fields.of(fields))
                rates = np.stack(change.arrays, axis=1).reshape(n, m) / units
                own[elements, :, j] = rates[elements]
                across[feels, face, :, j] = rates[feels]
        columns = _face_columns(d, n_fields)[c.neighbor_face]
        through = np.take_along_axis(across, columns[:, :, None, :], axis=3)
        left, values, right = np.linalg.svd(through, full_matrices=False)
        there = values > _RANK * values.max()
        r = int(there.sum(axis=2).max())
        there, left = there[..., :r], left[..., :r] * values[..., None, :r]
        sent = np.zeros((n, 3, r, m))
        np.put_along_axis(sent, columns[:, :, None, :], right[..., :r, :], axis=3)
        felt = np.where(there[:, :, None, :], left, 0.0).transpose(0, 2, 1, 3).reshape(n, m, 3 * r)
        return cls(own, felt, sent * there[..., None], there, neighbors, units)


def _face_columns(d: Discretization, n_fields: int) -> Indices:
    """(3, n_fields nodes_per_face) where the fields at the nodes of each face are."""
    nodes, face_nodes = d.nodes_per_element, d.element.face_nodes
    return np.concatenate([face_nodes + i * nodes for i in range(n_fields)], axis=1)


def _apart(neighbors: Indices) -> list[Indices]:
    """Elements in groups in which none touch each other or a common third."""
    group = np.full(len(neighbors), -1)
    for k in range(len(neighbors)):
        near = np.unique([*neighbors[k], *neighbors[neighbors[k]].ravel()])
        taken = set(group[near].tolist())
        group[k] = next(g for g in range(len(near) + 1) if g not in taken)
    return [np.flatnonzero(group == g) for g in range(int(group.max()) + 1)]


def suits(operator: Operator) -> bool:
    """Whether this can be made: fields are real, and no two elements touch each other twice."""
    return operator.phases is None and not touch_twice(operator)


def touch_twice(operator: Operator) -> bool:
    """Whether two elements have two faces in common, as they may have at glued edges."""
    c = operator.discretization.connectivity
    beyond = np.sort(np.where(_alone(c), -1 - np.arange(3), c.neighbor_element), axis=1)
    return bool((beyond[:, 1:] == beyond[:, :-1]).any())


def _alone(c: Connectivity) -> Mask:
    """(n_elements, 3) faces beyond which is nothing or, at glued edges, the element itself."""
    return c.is_boundary | (c.neighbor_element == np.arange(len(c.neighbor_element))[:, None])


def numbers_kept(operator: Operator) -> int:
    """About how many complex numbers :class:`Resolvent` keeps."""
    d = operator.discretization
    waves = 3 * d.element.face_nodes.shape[1] * len(operator.slownesses)
    sizes = [
        waves * len(level) for level in levels_of(d.connectivity.neighbor_element.astype(np.int64))
    ]
    inside = d.n_elements * (len(operator.fields.names) * d.nodes_per_element) ** 2
    return inside + 3 * sum(size**2 for size in sizes)


class Resolvent:
    """(L - s)^-1.

    Its vectors have the fields element by element, and then the variables of each of the auxiliary
    equations node by node; ``size`` numbers, in natural units, as those of a scene may be such that
    some are lost in the rounding of others.

    Attributes
    ----------
    units : (size, 1) what 1 is of each number.
    """

    def __init__(
        self,
        operator: Operator,
        matrices: ElementMatrices,
        equations: Sequence[AuxiliaryEquations],
        shift: complex,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        n, self._nodes = operator.discretization.shape
        self._n_fields = len(operator.fields.names)
        m = self._n_fields * self._nodes
        own = matrices.own - shift * np.eye(m)
        by_node = own.reshape(n, self._n_fields, self._nodes, self._n_fields, self._nodes)
        self._matrices, self._equations, self._remembered = matrices, equations, []
        k = np.arange(self._nodes)
        of_fields = operator.natural_units()
        units = [matrices.units.ravel()]
        for e in equations:
            of_memory = e.natural_units(of_fields)
            units.append(np.repeat(of_memory.T[:, None], self._nodes, axis=1).ravel())
            parts = parts_of(operator, e).in_units(of_fields[:, e.elements], of_memory)
            extra, _ = added(parts, shift)
            for i, j in np.ndindex(self._n_fields, self._n_fields):
                by_node[e.elements[:, None], i, k, j, k] += extra[..., i, j]
            alone = -np.linalg.inv(parts.resolvent(shift))
            self._remembered.append((parts.of_auxiliary, parts.driven, alone))
        pause()
        self._inverse = np.linalg.inv(own)
        passed = np.asarray(
            matrices.sent @ (self._inverse @ matrices.felt)[matrices.neighbors], np.complex128
        )
        self._order, self._faces = _eliminated(matrices, passed, pause)
        self._sizes = [
            n * m,
            *(len(e.elements) * self._nodes * len(e.variables) for e in equations),
        ]
        self.size = sum(self._sizes)
        self.units = np.concatenate(units)[:, None]

    def solve(self, right: Complex) -> Complex:
        """(size, k) what (L - s) makes ``right`` of."""
        n, m, count = *self._inverse.shape[:2], right.shape[1]
        fields, *others = np.split(right, np.cumsum(self._sizes)[:-1])
        b = fields.reshape(n, self._n_fields, self._nodes, count).copy()
        driven_alone = []
        for e, (of_auxiliary, _, alone), part in zip(
            self._equations, self._remembered, others, strict=True
        ):
            value = alone @ part.reshape(len(e.elements), self._nodes, len(e.variables), count)
            b[e.elements] -= np.moveaxis(of_auxiliary @ value, 2, 1)
            driven_alone.append(value)
        a = self._matrices
        inside = self._inverse @ b.reshape(n, m, count)
        through = (a.sent @ inside[a.neighbors]).reshape(-1, count)
        felt = np.zeros(through.shape, np.complex128)
        felt[self._order] = self._faces.solve(through[self._order])
        u = inside - self._inverse @ (a.felt @ felt.reshape(n, -1, count))
        found = [u.reshape(-1, count)]
        by_node = u.reshape(n, self._n_fields, self._nodes, count).swapaxes(1, 2)
        for e, (_, driven, alone), value in zip(
            self._equations, self._remembered, driven_alone, strict=True
        ):
            found.append((value - alone @ (driven @ by_node[e.elements])).reshape(-1, count))
        return np.concatenate(found)

    def fields(self, vectors: Complex) -> Complex:
        """(k, n_fields, n_elements, nodes_per_element) of vectors (size, k), in scene units."""
        n, size = len(self._inverse), self._sizes[0]
        found = self.units[:size] * vectors[:size]
        fields = found.reshape(n, self._n_fields, self._nodes, -1)
        return np.ascontiguousarray(np.moveaxis(fields, (3, 1), (0, 1)))


def _eliminated(
    matrices: ElementMatrices, passed: Complex, pause: Callable[[], None]
) -> tuple[Indices, BlockTridiagonal]:
    """What is left to be solved, and where its numbers are among those of all faces.

    Parameters
    ----------
    passed : (n_elements, 3, r, 3 r) R G P, from what the neighbour feels to what it sends.
    """
    n, _, r = matrices.there.shape
    levels = levels_of(matrices.neighbors)
    level = np.empty(n, np.int64)
    # Where each number is in its level; what is not there is behind its end.
    place = np.empty((n, 3 * r), np.int64)
    sizes, orders = [], []
    for number, elements in enumerate(levels):
        level[elements] = number
        there = matrices.there[elements].reshape(len(elements), 3 * r)
        sizes.append(int(there.sum()))
        own = np.full(there.shape, sizes[-1])
        own[there] = np.arange(sizes[-1])
        place[elements] = own
        orders.append((elements[:, None] * 3 * r + np.arange(3 * r))[there])

    def block(i: int, j: int) -> Complex:
        found = np.zeros((sizes[i] + 1, sizes[j] + 1), np.complex128)
        if i == j:
            np.fill_diagonal(found, 1.0)
        elements = levels[i]
        row, face = np.nonzero(level[matrices.neighbors[elements]] == j)
        here, beyond = elements[row], matrices.neighbors[elements[row], face]
        rows = place.reshape(n, 3, r)[here, face]
        np.add.at(found, (rows[:, :, None], place[beyond][:, None, :]), passed[here, face])
        return found[:-1, :-1]

    return np.concatenate(orders), BlockTridiagonal(sizes, block, pause)
