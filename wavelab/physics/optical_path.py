"""How many wavelengths lie along a straight line, and how long a wave takes for it.

With n the index of refraction the phase of a wave of frequency f turns N(f) = f int n(f) ds / c
times on its way, and a pulse around that frequency takes dN/df, which in a medium without
dispersion is int n ds / c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.fields.interpolation import Locator
from wavelab.physics.materials.index_factor import index_factors
from wavelab.physics.notices.resolution import points_in_elements
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.profile import Profile
from wavelab.physics.problem import Problem
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.shapes import Point

Indices = NDArray[np.integer]

#: Pieces of a line.  Looking up more of them costs little: it is vectorised over places.
_PIECES = 2000
#: Parts of the frequency between which the derivative is taken; its error is that squared.
_DETUNING = 1e-4


@dataclass(frozen=True, eq=False)
class OpticalPath:
    """What a line goes through.

    Attributes
    ----------
    wavelengths : along all of it, at the frequency that was asked for.
    time : that a pulse around that frequency takes.
    marks : (n,) parts of the line after each whole wavelength; none where there are more than the
        line has pieces, and could not be told apart.
    """

    wavelengths: float
    time: float
    marks: Array


@dataclass(frozen=True)
class Spot:
    """What there is at one place of the mesh, for waves of one frequency.

    ``size`` is the longest edge of the element; ``index`` that of the slowest direction.
    """

    element: int
    size: float
    order: int
    index: float
    wavelength: float
    points_per_wavelength: float


class Surveyor:
    """Looks up the media of a problem at places of its mesh.

    Parameters
    ----------
    locator : of the problem's discretization.
    """

    def __init__(self, problem: Problem, locator: Locator) -> None:
        self._problem = problem
        self._operator = problem.operator
        self._locator = locator
        self._dispersive = [e for e in problem.auxiliary_equations if e.kind == "medium"]
        self._known: tuple[float, Array, Array] | None = None
        self._sizes = problem.discretization.mesh.longest_edges

    def spot(self, x: float, y: float, frequency: float, time: float = 0.0) -> Spot | None:
        """What is at a place; None outside of the mesh."""
        points = np.array([[x, y]])
        elements, _ = self._locator.locate(points)
        element = int(elements[0])
        if element < 0:
            return None
        index = float(self._index(elements, points, frequency, time)[0])
        return Spot(
            element,
            float(self._sizes[element]),
            self._problem.discretization.order,
            index,
            1 / (index * frequency) if index > 0 else np.inf,
            float(self._at(frequency)[1][element]),
        )

    def path(
        self, start: Point, end: Point, frequency: float, time: float = 0.0
    ) -> OpticalPath | None:
        """Along a line, for media as they are at a time; None if part of it is outside of the mesh.

        In a crystal it is the phase of a wave whose fronts are across the line.  A border between
        media that it crosses is off by up to 1 / 4000 of its length.
        """
        way = np.array([end[0] - start[0], end[1] - start[1]])
        ends = np.linspace(0.0, 1.0, _PIECES + 1)
        points = np.array(start) + ((ends[1:] + ends[:-1]) / 2)[:, None] * way
        elements, _ = self._locator.locate(points)
        if (elements < 0).any():
            return None
        length = float(np.hypot(*way)) / _PIECES

        def delays(f: float) -> Array:
            return self._index(elements, points, f, time, way) * length

        phase = np.concatenate([[0.0], np.cumsum(frequency * delays(frequency))])
        total = float(phase[-1])
        # As parts of the frequency: nothing overflows, however large or small it is.
        above, below = (
            part * float(delays(part * frequency).sum()) for part in (1 + _DETUNING, 1 - _DETUNING)
        )
        count = int(total + 1e-9) if total <= _PIECES else 0  # nor of what is not finite
        whole = np.arange(1, count + 1)
        return OpticalPath(total, (above - below) / (2 * _DETUNING), np.interp(whole, phase, ends))

    def _index(
        self,
        elements: Indices,
        points: Array,
        frequency: float,
        time: float,
        way: Array | None = None,
    ) -> Array:
        """(n,) sqrt(epsilon mu) at points in elements; its real part where it is complex.

        Parameters
        ----------
        way : (2,) of the wave; None for the slowest one.
        """
        of = dict(zip(("epsilon", "mu"), self._at(frequency)[0][:, elements], strict=True))
        for name, values in of.items():
            for profile in getattr(self._operator.media, name):
                if profile.formula is None:
                    continue  # of a Kerr medium: weak waves have the number that is its reference
                inside = np.isin(elements, profile.elements)
                if inside.any():
                    # What poles add is beside it.
                    reference = getattr(self._operator, name)[elements[inside]]
                    values[inside] += _values(profile.formula, points[inside], time) - reference
        square = of["epsilon"] * of["mu"]
        for profile in self._slowest_of_solids():
            inside = np.isin(elements, profile.elements)
            if inside.any() and profile.formula is not None:
                slowest = self._operator.slowest[elements[inside]]
                square[inside] *= (slowest / _values(profile.formula, points[inside], time)) ** 2
        for tensor in self._operator.media.tensors:
            inside = np.isin(elements, tensor.elements)
            mu = tensor.range[1] if way is None else tensor.towards(*(way / np.hypot(*way)))
            square[inside] *= mu / tensor.reference
        return np.sqrt(square).real

    def _slowest_of_solids(self) -> Iterator[Profile]:
        """Speeds that are formulas: of S waves, and of P waves in fluids."""
        operator = self._operator
        if isinstance(operator, ElasticPSV):
            yield from operator.media.s_speed
            yield from (p for p in operator.media.p_speed if not operator.mu[p.elements].any())

    def _at(self, frequency: float) -> tuple[Array, Array]:
        """(2, n_elements) epsilon and mu, complex in dispersive media, where formulas count as
        their reference, of other waves 1 / speed^2 and 1; and points per wavelength."""
        operator = self._operator
        if self._known is None or self._known[0] != frequency:
            of = (1 / operator.slowest**2, np.ones_like(operator.slowest))
            if isinstance(operator, MaxwellTM):
                of = operator.epsilon, operator.mu
            both = np.array(of, complex)
            for medium in self._dispersive:
                both[:, medium.elements] *= index_factors(operator, medium, frequency)
            points, _ = points_in_elements(operator, frequency, self._dispersive)
            self._known = (frequency, both, points)
        return self._known[1], self._known[2]


def _values(formula: Formula, points: Array, time: float) -> Array:
    """(n,) of epsilon or mu at points."""
    return formula.evaluate(x=points[:, 0], y=points[:, 1], t=time)
