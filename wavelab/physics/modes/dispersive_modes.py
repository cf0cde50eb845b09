"""Modes where media or layers have auxiliary variables: Rayleigh and Ritz for a nonlinear
eigenvalue problem.

For fields that go with exp(lambda t) the auxiliary variables follow from the fields at each
node, m = (lambda - D)^-1 C u where dm/dt = C u + D m, and so does what it adds to them.  What is
left is a problem of the fields alone,

    T(lambda) u = A u + (F + B (lambda - D)^-1 C) u - lambda u = 0,

with A the operator and F and B what fields and auxiliary variables add to the rates of the fields.
In the space of some vectors it is a small problem, whose solutions near a guess are found by
successive linear problems (Ruhe, SIAM J. Numer. Anal. 10 (1973) 674): T c = theta T' c, lambda ->
lambda - theta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.modes.modes import (
    Mode,
    applied,
    apply_mass,
    each,
    energy_norm,
    orthonormal,
    reciprocal,
    scaled,
    scheme_decay,
)
from wavelab.physics.operator.operator import Operator

#: Successive linear problems at most, and the relative change that ends them.
_MOST, _SETTLED = 25, 1e-12
#: Relative distance of solutions of which one linear problem tells all digits; of those that may be
#: one solution; and of those that are looked for from one another.
_AT_ONCE, _SAME, _NEIGHBOURS = 1e-7, 1e-3, 0.01
#: Part of a vector that others do not make up, if it is none of them.
_INDEPENDENT = 0.1
#: What decays less than this, relatively, does not decay.
_LOSSLESS = 1e-12


def dispersive_modes(
    operator: Operator,
    equations: Sequence[AuxiliaryEquations],
    vectors: Complex,
    guesses: Sequence[complex],
    *,
    pause: Callable[[], None] = lambda: None,
) -> list[Mode]:
    """Solutions in the space of some vectors, by frequency, each once.

    Parameters
    ----------
    vectors : (n, n_fields, n_elements, nodes_per_element).
    guesses : of lambda = -2 pi i f - decay.
    pause : called between parts of the work; what it raises ends that.
    """
    problem = _Reduced(operator, equations, vectors, pause)
    found: list[tuple[complex, Complex]] = []
    starts = list(guesses)
    for start in starts:  # which grow
        root = problem.root(start)
        if root is None:
            continue
        near = problem.solutions(root)
        here = [(value, c) for value, c in near if abs(value - root) < _AT_ONCE * abs(root)]
        new = [pair for pair in here if _is_new(found, *pair)]
        found += new
        if new:
            # Its partners, if it is one of several that the mesh has split, and its neighbours.
            starts += [value for value, c in near if _is_new(found, value, c)]
    modes = [problem.mode(value, c) for value, c in found]
    return sorted(modes, key=lambda mode: mode.frequency)


def _is_new(found: Sequence[tuple[complex, Complex]], value: complex, c: Complex) -> bool:
    """Whether a solution is not made up of those that were found at its frequency."""
    same = [other for known, other in found if abs(value - known) < _SAME * abs(value)]
    if not same:
        return True
    rest = c - np.array(same).T @ np.linalg.lstsq(np.array(same).T, c, rcond=None)[0]
    return bool(np.linalg.norm(rest) > _INDEPENDENT * np.linalg.norm(c))


class _Reduced:
    """T(lambda) in the space of some vectors."""

    def __init__(
        self,
        operator: Operator,
        equations: Sequence[AuxiliaryEquations],
        vectors: Complex,
        pause: Callable[[], None],
    ) -> None:
        self._operator, self._equations, self._pause = operator, equations, pause
        basis = orthonormal(operator, vectors, pause)
        self._vectors = np.tensordot(basis.T, vectors, axes=1)
        n = len(self._vectors)
        self._images = each(applied, operator, self._vectors, pause)
        self._tests = each(apply_mass, operator, reciprocal(operator.fields, self._vectors), pause)
        flat = self._tests.reshape(n, -1)
        self._plain = flat @ self._images.reshape(n, -1).T
        self._gram = flat @ self._vectors.reshape(n, -1).T

    def _small(self, value: complex) -> tuple[Complex, Complex]:
        """T and its derivative."""
        t, slope = self._plain - value * self._gram, -self._gram
        n = len(t)
        for e in self._equations:
            self._pause()
            here = self._vectors[:, :, e.elements]
            tests = self._tests[:, :, e.elements].reshape(n, -1)
            extra, changed = added(parts_of(self._operator, e), value)
            of_fields, of_slope = (
                np.stack([_times(matrix, fields) for fields in here]) for matrix in (extra, changed)
            )
            t = t + tests @ of_fields.reshape(n, -1).T
            slope = slope + tests @ of_slope.reshape(n, -1).T
        return t, slope

    def _steps(self, value: complex) -> tuple[Complex, Complex]:
        t, slope = self._small(value)
        return np.linalg.eig(np.linalg.solve(slope, t))

    def root(self, guess: complex) -> complex | None:
        """The solution that a guess leads to; None if it leads nowhere near."""
        value = guess
        for _ in range(_MOST):
            steps, _ = self._steps(value)
            step = complex(steps[np.argmin(np.abs(steps))])
            value -= step
            if not abs(value - guess) < 0.2 * abs(guess):
                return None
            if abs(step) < _SETTLED * abs(value):
                return value
        return None

    def solutions(self, value: complex) -> list[tuple[complex, Complex]]:
        """Those near one, as the linear problem there has them."""
        steps, vectors = self._steps(value)
        near = np.flatnonzero(np.abs(steps) < _NEIGHBOURS * abs(value))
        return [(value - complex(steps[i]), vectors[:, i]) for i in near]

    def mode(self, value: complex, c: Complex) -> Mode:
        """The mode of a solution."""
        self._pause()
        fields, image = (np.tensordot(c, of, axes=1) for of in (self._vectors, self._images))
        parts = [parts_of(self._operator, e) for e in self._equations]
        return _mode(self._operator, self._equations, parts, value, fields, image)


def modes_of(
    operator: Operator,
    equations: Sequence[AuxiliaryEquations],
    pairs: Sequence[tuple[complex, Complex]],
) -> list[Mode]:
    """The modes of fields (n_fields, n_elements, nodes_per_element) that go with exp(value t), by
    frequency; of each the value and the fields."""
    parts = [parts_of(operator, e) for e in equations]
    modes = [
        _mode(operator, equations, parts, value, fields, applied(operator, fields))
        for value, fields in pairs
    ]
    return sorted(modes, key=lambda mode: mode.frequency)


def _mode(
    operator: Operator,
    equations: Sequence[AuxiliaryEquations],
    parts: Sequence[Parts],
    value: complex,
    fields: Complex,
    image: Complex,
) -> Mode:
    """The same of one, with what the operator makes of the fields."""
    wrong, kept = image - value * fields, 0.0
    for e, of in zip(equations, parts, strict=True):
        here = fields[:, e.elements]
        auxiliary = of.auxiliary(value, here)
        wrong[:, e.elements] += _times(of.of_fields, here) + _times(of.of_auxiliary, auxiliary)
        kept += sum(
            stored_energy([e], [m], operator.discretization)
            for m in (auxiliary.real, auxiliary.imag)
        )
    residual = energy_norm(operator, wrong) / (abs(value) * energy_norm(operator, fields))
    decay = max(0.0, -value.real - scheme_decay(operator, fields, kept))
    frequency = -value.imag / (2 * np.pi)
    lossless = decay < _LOSSLESS * abs(value)
    quality = math.inf if lossless else np.pi * frequency / decay
    decay = 0.0 if lossless else decay
    return Mode(frequency, decay, float(quality), residual, scaled(operator, fields))


class Parts(NamedTuple):
    """F, B, C and D at every node, (n, nodes_per_element, rows, columns)."""

    of_fields: Array
    of_auxiliary: Array
    driven: Array
    own: Array

    def in_units(self, of_fields: Array, of_memory: Array) -> Parts:
        """The same of fields (n_fields, n) and variables (n_auxiliary, n) in other units."""
        q, m = (units.T[:, None] for units in (of_fields, of_memory))
        return Parts(
            self.of_fields * q[..., None, :] / q[..., None],
            self.of_auxiliary * m[..., None, :] / q[..., None],
            self.driven * q[..., None, :] / m[..., None],
            self.own * m[..., None, :] / m[..., None],
        )

    def resolvent(self, value: complex) -> Complex:
        """lambda - D."""
        return np.asarray(value * np.eye(self.own.shape[-1]) - self.own, np.complex128)

    def auxiliary(self, value: complex, fields: Complex) -> Complex:
        """(n_auxiliary, n, nodes_per_element) that goes with fields (n_fields, n, ...)."""
        right = np.moveaxis(_times(self.driven, fields), 0, -1)
        found = np.linalg.solve(self.resolvent(value), right[..., None])[..., 0]
        return np.moveaxis(np.asarray(found, np.complex128), -1, 0)


def parts_of(operator: Operator, e: AuxiliaryEquations) -> Parts:
    """Of what a medium or layer adds, turned where mu is a tensor."""
    matrix, k = e.matrices(), len(e.of.names)
    for tensor in operator.media.tensors:
        h = [e.of.names.index(name) for name in ("hx", "hy")]
        share = np.eye(k)
        share[np.ix_(h, h)] = tensor.share
        inside = np.isin(e.elements, tensor.elements)
        matrix[inside, :, :k] = share @ matrix[inside, :, :k]
    return Parts(matrix[..., :k, :k], matrix[..., :k, k:], matrix[..., k:, :k], matrix[..., k:, k:])


def added(parts: Parts, value: complex) -> tuple[Complex, Complex]:
    """F + B (lambda - D)^-1 C and its derivative, (n, nodes_per_element, n_fields, n_fields)."""
    f, b, c = (
        of.astype(np.complex128) for of in (parts.of_fields, parts.of_auxiliary, parts.driven)
    )
    inverse = np.asarray(np.linalg.inv(parts.resolvent(value)), np.complex128)
    auxiliary = inverse @ c
    return f + b @ auxiliary, -b @ (inverse @ auxiliary)


def _times(matrix: Complex | Array, fields: Complex) -> Complex:
    """(rows, n, nodes_per_element) of matrices at nodes and fields (columns, n, ...)."""
    return np.einsum("knij,jkn->ikn", matrix, fields)
