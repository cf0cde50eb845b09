"""Modes of the semi-discrete operator out of vectors that span them nearly, and how many to expect.

The fields of a mode go with exp(lambda t), lambda = -2 pi i f - decay.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.power.full_field_power import flux_loss
from wavelab.scene.model.shapes import Point

#: Directions with less than this part of the largest norm are rounding.
_RANK = 1e-9
#: Of the way from a node to the middle of its element: far enough from the rim to be inside.
_INSIDE = 1e-3
#: Relative loss in an oscillation below which nothing is lost.
_LOSSLESS = 1e-13


@dataclass(frozen=True, eq=False)
class Mode:
    """Attributes
    ----------
    frequency : f.
    decay : rate at which the fields decay for physical reasons: what the scheme itself loses is
        left out where it is known.
    quality : pi f / decay; infinite where nothing is lost.
    residual : how well the fields fulfil the equations, relative; the frequency is wrong by about
        its square.
    fields : (n_fields, n_elements, nodes_per_element) complex; those that a ping adds to, Ez or a
        velocity, are scaled to a largest real part of 1, with as little imaginary part as can be.
    """

    frequency: float
    decay: float
    quality: float
    residual: float
    fields: Complex


def ritz_modes(
    operator: Operator, vectors: Complex, *, pause: Callable[[], None] = lambda: None
) -> list[Mode]:
    """Rayleigh and Ritz: the operator restricted to the space of some vectors, by frequency.

    It is tested with :func:`reciprocal` vectors: where energy is lost modes are not orthogonal in
    the energy, and a frequency would be as wrong as its vector, not as the square of that.

    Parameters
    ----------
    vectors : (n, n_fields, n_elements, nodes_per_element).
    pause : called between parts of the work; what it raises ends that.
    """
    images = each(applied, operator, vectors, pause)
    n = len(vectors)
    basis = orthonormal(operator, vectors, pause)
    tests = each(apply_mass, operator, reciprocal(operator.fields, vectors), pause).reshape(n, -1)
    gram, small = (
        basis.T @ (tests @ those.reshape(n, -1).T) @ basis for those in (vectors, images)
    )
    eigenvalues, inside = np.linalg.eig(np.linalg.solve(gram, small))
    combinations = basis @ inside
    modes = []
    for value, c in zip(eigenvalues, combinations.T, strict=True):
        frequency = -value.imag / (2 * np.pi)
        if frequency <= 0:
            continue
        pause()
        fields = np.tensordot(c, vectors, axes=1)
        wrong = np.tensordot(c, images, axes=1) - value * fields
        residual = energy_norm(operator, wrong) / (abs(value) * energy_norm(operator, fields))
        decay = max(0.0, -value.real - scheme_decay(operator, fields))
        lossless = decay < _LOSSLESS * abs(value) or loses_nothing(operator)
        modes.append(
            Mode(
                float(frequency),
                0.0 if lossless else float(decay),
                math.inf if lossless else float(np.pi * frequency / decay),
                residual,
                scaled(operator, fields),
            )
        )
    return sorted(modes, key=lambda mode: mode.frequency)


def reciprocal(of: type[Fields], vectors: Complex) -> Complex:
    """Vectors (..., n_fields, n_elements, nodes_per_element) as time that runs backwards has them.

    The equations are reciprocal: with M the mass matrix and S this, S M A is symmetric for passive
    walls and media too.  So if A v = lambda v, then S M v is the eigenvector from the left, and
    what follows from testing with S v is wrong only by the square of what v is.
    """
    signs = [-1.0 if name in of.turned else 1.0 for name in of.names]
    return vectors * np.array(signs)[:, None, None]


def orthonormal(
    operator: Operator, vectors: Complex, pause: Callable[[], None] = lambda: None
) -> Complex:
    """(n, n_kept) combinations of vectors that are orthonormal in the energy, without those that
    are nothing but rounding."""
    n = len(vectors)
    flat = vectors.reshape(n, -1).conj()
    gram = flat @ each(apply_mass, operator, vectors, pause).reshape(n, -1).T
    norms = np.sqrt(np.maximum(np.diag(gram).real, 1e-300))
    # Vectors of very different strength would look dependent.
    values, turned = np.linalg.eigh((gram + gram.conj().T) / 2 / np.outer(norms, norms))
    kept = values > _RANK * values[-1]
    return turned[:, kept] / np.sqrt(values[kept]) / norms[:, None]


def transformed_mode(operator: Operator, fields: Complex, frequency: float, decay: float) -> Mode:
    """A mode whose numbers are known from elsewhere; fields (n_fields, n_elements, nodes)."""
    decay = max(decay, 0.0)
    quality = np.pi * frequency / decay if decay > _LOSSLESS * frequency else math.inf
    return Mode(frequency, decay, float(quality), math.nan, scaled(operator, fields))


def scheme_decay(operator: Operator, fields: Complex, kept: float = 0.0) -> float:
    """Rate at which the upwind flux alone makes a mode's fields decay.

    Parameters
    ----------
    kept : energy of the mode that is not in its fields but in a medium.
    """
    lost, stored = 0.0, kept
    for part in (fields.real, fields.imag):
        f = operator.fields.of(part)
        lost += flux_loss(operator, f)
        stored += float(operator.element_energy(f).sum())
    return lost / (2 * stored)


@dataclass(frozen=True)
class ModeEstimate:
    """Weyl's law: pi area f^2 - rim f / 2 modes below a frequency f, on average.

    ``area`` is that of the domain in units of wavelengths, the integral of 1 / speed^2; ``rim``
    the length of the conductors less that of the magnetic walls, in the same sense.  Of elastic
    waves the areas of P and S waves add up, and the rim is right about to its sign.
    """

    area: float
    rim: float

    def count(self, frequency: float) -> float:
        """Modes below a frequency."""
        return max(0.0, math.pi * self.area * frequency**2 - self.rim * frequency / 2)

    def frequency_of(self, count: float) -> float:
        """Below which there are so many."""
        half = self.rim / (4 * math.pi * self.area)
        return half + math.sqrt(half**2 + count / (math.pi * self.area))


def mode_estimate(operator: Operator) -> ModeEstimate:
    """From the mesh, the media and the walls."""
    d = operator.discretization
    slow = operator.slownesses
    area = float((slow**2 * 2 * d.geometry.jacobian).sum())
    element, face = np.nonzero(d.connectivity.is_boundary)
    length = 2 * d.geometry.face_scale[element, face] * d.geometry.jacobian[element]
    # Of elastic waves: where the normal velocity alone is held, P waves have more modes, as where
    # neither is, and S waves fewer, as where both are.  In a fluid P waves have more where it is.
    returned = np.sign(operator.reflection[element, face]).reshape(len(element), len(slow)).T
    fluid = slow[-1, element] == 0
    sign = np.where(fluid, returned, -returned[::-1])
    return ModeEstimate(area, float((slow[:, element] * length * sign).sum()))


def applied(operator: Operator, vector: Complex) -> Complex:
    """A v, part by part: the operator is real."""
    real, imaginary = (
        np.array(operator.right_hand_side(operator.fields.of(part.copy())).arrays)
        for part in (vector.real, vector.imag)
    )
    return real + 1j * imaginary


def each(
    function: Callable[[Operator, Complex], Complex],
    operator: Operator,
    vectors: Complex,
    pause: Callable[[], None],
) -> Complex:
    """What a function makes of each vector, with a pause before every one."""
    found = []
    for vector in vectors:
        pause()
        found.append(function(operator, vector))
    return np.array(found)


def apply_mass(operator: Operator, vector: Complex) -> Complex:
    """The flux densities of some fields times the mass matrix: u . this is twice the energy that
    u and the fields have together."""
    return np.array(_mass_part(operator, vector.real) + 1j * _mass_part(operator, vector.imag))


def energy_norm(operator: Operator, vector: Complex) -> float:
    return math.sqrt(max(0.0, float(np.vdot(vector, apply_mass(operator, vector)).real)))


def _mass_part(operator: Operator, part: Array) -> Array:
    densities = operator.densities(part)
    return np.array([operator.discretization.apply_mass(density) for density in densities])


def loses_nothing(operator: Operator) -> bool:
    """Whether there is neither conductivity nor a wall that takes anything."""
    outside = operator.reflection[operator.discretization.connectivity.is_boundary]
    return not (operator.decay.any() or operator.media.losses or (np.abs(outside) < 1).any())


def shape_of(operator: Operator, fields: Complex) -> Array:
    """(n_elements, nodes_per_element) of fields (n_fields, ...): Ez or what is in its place, with
    its sign; of elastic waves the size of the velocity, at most 1."""
    real = fields[[operator.fields.names.index(name) for name in operator.pinged]].real
    if len(real) == 1:
        return np.asarray(real[0])
    size = np.sqrt((real**2).sum(axis=0))
    return np.asarray(size / size.max()) if size.any() else size


def has_sign(operator: Operator) -> bool:
    """Whether :func:`shape_of` has one."""
    return len(operator.pinged) == 1


def inside_largest(d: Discretization, values: Array) -> Point:
    """Where a nodal field (n_elements, nodes_per_element) is largest, just inside of an element
    that has that place."""
    strength = np.abs(values)
    element, node = np.unravel_index(int(np.argmax(strength)), strength.shape)
    nodes = np.stack([d.x[element], d.y[element]], axis=-1)
    x, y = (nodes[node] + _INSIDE * (nodes.mean(axis=0) - nodes[node])).tolist()
    return x, y


def direction_of(operator: Operator, fields: Complex) -> float | None:
    """Degrees counterclockwise from the x axis in which fields (n_fields, ...) move where their
    shape is largest; None of scalar waves."""
    if len(operator.pinged) == 1:
        return None
    at = np.argmax(shape_of(operator, fields))
    vx, vy = (
        fields[operator.fields.names.index(name)].real.ravel()[at] for name in operator.pinged
    )
    return math.degrees(math.atan2(vy, vx))


def scaled(operator: Operator, fields: Complex) -> Complex:
    """With the phase in which what a ping adds to is as real as can be, and its largest value 1."""
    seen = [operator.fields.names.index(name) for name in operator.pinged]
    turned = fields * np.exp(-0.5j * np.angle(np.sum(fields[seen] ** 2)))
    real = turned[seen].real.ravel()
    largest = real[np.argmax(np.abs(real))]
    return turned / largest if largest != 0 else turned
