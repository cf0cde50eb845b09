"""Bloch modes of a cell that repeats itself: frequencies and fields for any wavevector.

Without losses and sources Maxwell's equations for fields that go with exp(-i w t) are

    curl(1/mu curl Ez) = w^2 epsilon Ez,    H = i/(w mu) curl Ez,    curl Ez = (-dEz/dy, dEz/dx),

and elastic ones for displacements u of a solid

    -div C e(u) = w^2 density u,    v = -i w u,    s = C e(u).

The modes of a crystal are Bloch waves, Ez(x + t) = exp(i k.t) Ez(x) for each lattice vector t.
They are found by Galerkin's method with polynomials on the elements that are continuous
(:mod:`wavelab.numerics.fields.conforming`): a Hermitian eigenvalue problem

    P* K P u = w^2 P* M P u

with the matrices of :mod:`wavelab.physics.modes.conforming_matrices`, where P(k) gives each node
the value it shares with others, with its phase.  By Rayleigh's principle every w is too high, and
falls as fast as the order doubled says with finer elements: 2 N.

Of the matrices only P depends on k.  So what lies inside of the elements is eliminated once
(static condensation) and a dense matrix is left of the nodes on faces, whose inverse at each k
serves to find the lowest modes by block Lanczos iteration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex, Mask
from wavelab.numerics.fields.conforming import conforming_nodes
from wavelab.physics.materials.solids import moduli_at
from wavelab.physics.modes.conforming_matrices import (
    complex_gradient,
    shares_of,
    stiffness_and_mass,
)
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM

#: Vectors beyond those that are wanted, steps of the iteration before it begins anew with the best
#: of what it has found, and how often it does.
_MORE, _STEPS, _ROUNDS = 4, 5, 40
#: Relative residual of a mode that is found; its frequency is wrong by about the square.
_FOUND = 1e-8
#: Parts of vectors below this are rounding.
_NOTHING_NEW = 1e-8
#: Squares of frequencies below this part of the shift are rounding: uniform fields.
_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class BlochModes:
    """The lowest modes for one wavevector.

    Attributes
    ----------
    frequencies : (n,) ascending, in waves of vacuum per length.
    amplitudes : (n, n_components, n_elements, nodes_per_element) complex, Ez or the displacement.
    """

    frequencies: Array
    amplitudes: Complex


class Cell:
    """The eigenvalue problem of one cell, for any wavevector.

    Parameters
    ----------
    operator : without losses and fluids, with walls that are conductors (R = -1) or magnetic (R =
        1), or of which both velocities are so; where only one is held, they lie along x or y.  Its
        glued edges are parallel.
    """

    def __init__(self, operator: MaxwellTM | ElasticPSV) -> None:
        d = self._d = operator.discretization
        self._operator = operator
        self._nodes = conforming_nodes(d)
        stiffness, mass = stiffness_and_mass(operator)
        self.n_components = c = stiffness.shape[1] // d.nodes_per_element
        area = float((operator.slownesses**2 * 2 * d.geometry.jacobian).sum())
        # Of the order of the first mode: Weyl's law.
        self._shift = 4 * math.pi / area
        rim = np.unique(d.element.face_nodes)
        inner = np.setdiff1d(np.arange(d.nodes_per_element), rim)
        # Of all components those on the rim, and then those within.
        starts = d.nodes_per_element * np.arange(c)[:, None]
        self._order = np.concatenate([(starts + rim).ravel(), (starts + inner).ravel()])
        self._n_rim = c * len(rim)
        within = np.ix_(np.arange(d.n_elements), self._order, self._order)
        self._stiffness, self._mass = stiffness[within], mass[within]
        self._number_unknowns(operator)
        self._condense()

    def _number_unknowns(self, operator: MaxwellTM | ElasticPSV) -> None:
        """Numbers of the unknowns on faces, in the order of the nodes there; those that are 0 at a
        wall have the last number."""
        c, r, count = self.n_components, self._n_rim, self._nodes.count
        # Of each component all nodes, one component after the other.
        unknown = np.concatenate([self._nodes.unknown + i * count for i in range(c)], axis=1)
        fixed, on_faces = np.zeros((2, c * count), dtype=bool)
        for i, faces in enumerate(_held(operator)):
            element, face = np.nonzero(faces)
            nodes = self._d.element.face_nodes[face]
            fixed[self._nodes.unknown[element[:, None], nodes] + i * count] = True
        on_faces[unknown[:, self._order[:r]]] = True
        free = on_faces & ~fixed
        self.n_skeleton = int(free.sum())
        numbers = np.full(c * count, self.n_skeleton)
        numbers[free] = np.arange(self.n_skeleton)
        self._rim = numbers[unknown[:, self._order[:r]]]

    def phases(self, k: Array) -> Complex:
        """(n_elements, n_rim) those of the values on the rim."""
        of_nodes = self._nodes.phases(k)
        return np.tile(of_nodes, (1, self.n_components))[:, self._order[: self._n_rim]]

    def _condense(self) -> None:
        r, matrix = self._n_rim, self._stiffness + self._shift * self._mass
        self._inner = np.linalg.inv(matrix[:, r:, r:])
        self._to_inner = self._inner @ matrix[:, r:, :r]
        self._condensed = matrix[:, :r, :r] - matrix[:, :r, r:] @ self._to_inner

    def modes(self, k: Array, count: int) -> BlochModes:
        """The lowest modes.

        Parameters
        ----------
        k : (2,) wavevector, in radians per length.
        count : how many; fewer are found where the mesh has not so many unknowns.
        """
        at = _AtWavevector(self, np.asarray(k, np.float64))
        squares, vectors = at.lowest(count)
        squares = np.where(np.abs(squares) < _ROUNDING * self._shift, 0.0, squares)
        n, nodes = self._d.shape
        values = np.empty((len(squares), n, self.n_components * nodes), np.complex128)
        values[:, :, self._order] = np.moveaxis(at.to_elements(vectors), 2, 0)
        parts = values.reshape(len(squares), n, self.n_components, nodes)
        frequencies = np.sqrt(np.maximum(squares, 0.0)) / (2 * math.pi)
        return BlochModes(frequencies, np.moveaxis(parts, 2, 1))

    def fields(self, modes: BlochModes, number: int) -> Complex:
        """(n_fields, n_elements, nodes_per_element) of a mode, which goes with exp(-i w t); the
        largest value of Ez or of a component of the velocity is 1."""
        values = modes.amplitudes[number]
        values = values / values.flat[int(np.argmax(np.abs(values)))]
        w = 2 * math.pi * float(modes.frequencies[number])
        slopes = np.array([complex_gradient(self._d, part) for part in values])
        if isinstance(self._operator, ElasticPSV):
            return _elastic_fields(self._operator, values, slopes, w)
        if w == 0:
            return np.stack([0 * values[0], 0 * values[0], values[0]])
        by_x, by_y = slopes[0]
        curl = np.stack([-by_y, by_x]) / self._operator.mu[:, None]
        h = np.einsum("kij,jkn->ikn", shares_of(self._operator), curl)
        return np.stack([*(1j / w * h), values[0]])


def _elastic_fields(operator: ElasticPSV, v: Complex, slopes: Complex, w: float) -> Complex:
    """Velocity and stress, of a velocity and its derivatives (2 components, along x and y, ...)."""
    d = operator.discretization
    _, lame, mu = moduli_at(operator, d.x, d.y)
    # u = i v / w.
    (xx, xy), (yx, yy) = slopes * (1j / w if w else 0.0)
    pressed = lame * (xx + yy)
    return np.stack([*v, pressed + 2 * mu * xx, pressed + 2 * mu * yy, mu * (xy + yx)])


def _held(operator: MaxwellTM | ElasticPSV) -> list[Mask]:
    """Of each component the faces, (n_elements, 3), at which it is 0."""
    d = operator.discretization
    at_wall, r = d.connectivity.is_boundary, operator.reflection
    if not isinstance(operator, ElasticPSV):
        return [at_wall & (r < 0)]
    normal, along = at_wall & (r[..., 0] < 0), at_wall & (r[..., 1] < 0)
    across_x = np.abs(d.geometry.normal_x) > math.sqrt(0.5)
    return [np.where(across_x, normal, along), np.where(across_x, along, normal)]


class _AtWavevector:
    """The problem of a cell at one wavevector.

    Vectors are (n, m): m vectors of all unknowns, those on faces first, then those of each element.
    """

    def __init__(self, cell: Cell, k: Array) -> None:
        self._cell = cell
        self._phases = cell.phases(k)
        n = cell.n_skeleton + 1
        p, rim = self._phases, cell._rim
        entries = (p.conj()[:, :, None] * cell._condensed * p[:, None, :]).ravel()
        places = (rim[:, :, None] * n + rim[:, None, :]).ravel()
        real, imag = (np.bincount(places, part, n * n) for part in (entries.real, entries.imag))
        matrix = (real + 1j * imag).reshape(n, n)[:-1, :-1]
        self._inverse = np.linalg.inv(matrix)

    @property
    def _size(self) -> int:
        n_elements, n_inner = self._cell._inner.shape[:2]
        return self._cell.n_skeleton + n_elements * n_inner

    def to_elements(self, v: Complex) -> Complex:
        """(n_elements, nodes_per_element, m) values at the nodes, in the order of the cell."""
        cell, n = self._cell, self._cell.n_skeleton
        known = np.concatenate([v[:n], np.zeros((1, v.shape[1]))])
        rim = self._phases[:, :, None] * known[cell._rim]
        return np.concatenate([rim, v[n:].reshape(*cell._inner.shape[:2], v.shape[1])], axis=1)

    def _gathered(self, w: Complex) -> Complex:
        """The adjoint of :meth:`to_elements`."""
        cell, m = self._cell, w.shape[2]
        rim = (self._phases.conj()[:, :, None] * w[:, : cell._n_rim]).reshape(-1, m)
        sums = np.zeros((cell.n_skeleton + 1, m), np.complex128)
        np.add.at(sums, cell._rim.ravel(), rim)
        return np.concatenate([sums[:-1], w[:, cell._n_rim :].reshape(-1, m)])

    def _mass_times(self, v: Complex) -> Complex:
        return self._gathered(self._cell._mass @ self.to_elements(v))

    def _solved(self, b: Complex) -> Complex:
        """(K + shift M)^-1 b."""
        cell, n, m = self._cell, self._cell.n_skeleton, b.shape[1]
        inner = b[n:].reshape(*cell._inner.shape[:2], m)
        lifted = np.swapaxes(cell._to_inner, 1, 2) @ inner
        empty = np.zeros_like(inner)
        rim = b[:n] - self._gathered(np.concatenate([lifted, empty], axis=1))[:n]
        found = np.concatenate(
            [self._inverse @ rim, np.zeros((inner.shape[0] * inner.shape[1], m))]
        )
        at_rim = self.to_elements(found)[:, : cell._n_rim]
        found[n:] = (cell._inner @ inner - cell._to_inner @ at_rim).reshape(-1, m)
        return found

    def lowest(self, count: int) -> tuple[Array, Complex]:
        """(count,) smallest w^2 and their vectors, which are orthonormal with respect to M.

        Krylov spaces of (K + shift M)^-1 M with a block that is larger than any multiplicity, begun
        anew with the best vectors until these fulfil the equations.
        """
        shift, size = self._cell._shift, self._size
        count = min(count, size)
        rng = np.random.default_rng(0)  # the same every time
        block = rng.standard_normal((size, min(count + _MORE, size))).astype(np.complex128)
        for _ in range(_ROUNDS):
            basis = np.zeros((size, 0), np.complex128)
            mapped = basis
            for _ in range(_STEPS):
                block = self._orthonormal(block, basis)
                if not block.shape[1]:
                    break  # the basis is that of all there is
                image = self._solved(self._mass_times(block))
                basis, mapped = (np.concatenate(p, 1) for p in ((basis, block), (mapped, image)))
                block = image
            small = basis.conj().T @ self._mass_times(mapped)
            inverse, turned = np.linalg.eigh((small + small.conj().T) / 2)
            best = turned[:, ::-1][:, : min(count + _MORE, size)]
            block, values = basis @ best, inverse[::-1][: best.shape[1]]
            wrong = (mapped @ best / values - block)[:, :count]
            residual = np.einsum("nm,nm->m", wrong.conj(), self._mass_times(wrong)).real
            if (residual < _FOUND**2).all():
                break
        return 1 / values[:count] - shift, block[:, :count]

    def _orthonormal(self, block: Complex, basis: Complex) -> Complex:
        """A basis, orthonormal with respect to M, of what a block adds to one; what it does not add
        to is left out."""
        for _ in range(2):  # once more for what rounding has left
            weighted = self._mass_times(block)
            norms = np.sqrt(np.einsum("nm,nm->m", block.conj(), weighted).real)
            block = (block - basis @ (basis.conj().T @ weighted)) / norms
            gram = block.conj().T @ self._mass_times(block)
            values, turned = np.linalg.eigh((gram + gram.conj().T) / 2)
            kept = values > _NOTHING_NEW**2
            block = block @ (turned[:, kept] / np.sqrt(values[kept]))
            if not kept.any():
                break
        return block
