"""Notice that a run blows up, soon and without false alarms.

In the energy norm E(t) = 1/2 int eps Ez^2 + mu H^2, a loss-free, lossy or absorbing scene can only
shrink a field, and whatever is put in adds at most its own norm (the triangle inequality):

    sqrt(E(t)) <= sqrt(E(0)) + sum over pings sqrt(E_ping) + int_0^t sqrt(E[-Jz(s) / eps]) ds

The right-hand side is known from the problem, so a run may ramp up from nothing, resonate or be
rung a thousand times, yet an instability, which grows without any of these, is caught when it has
passed a small multiple of that sum.  Where media change in time the sum grows by as much as the
energy of a field with D and B held can (:meth:`wavelab.physics.operator.media.Media.growth`): after
many periods of a medium that swings only what is not finite is still noticed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import UnstableError
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import bounds
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.stepper import LOOK_EVERY
from wavelab.physics.time.step_clock import StepClock
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sending.waveform import TimeFunction
from wavelab.simulation.core.origin import origin

#: Amplitude allowed over what has been put in: covers interpolation and single precision.
MARGIN = 2.0
#: The same when a current is given by a formula, which is only sampled now and then.
FORMULA_MARGIN = 1e3
#: Waveform samples per check.
_SAMPLES = 64
#: Times the largest value of a waveform that a step may make of it where it swings within the step.
#: The stages then meet anything, and their weights have two signs: 190 is the most of all schemes
#: and all waves for which they are stable (tests/numerics/time/test_runge_kutta.py).
OVERSHOOT = 200.0
#: A waveform that changes by more than this part of itself within one of these parts of a step is
#: too quick for the stages.  Whole periods may pass within some of the parts, hence eight without
#: any pattern.
_SWING, _PARTS_OF_A_STEP = 0.5, np.random.default_rng(0).random(8)
#: A formula is evaluated at these parts of the time between two checks, as a sine may vanish at any
#: single one ...
_FORMULA_SAMPLES = (0.31, 0.67, 1.0)
#: ... until so many checks have been made; then it is known how strong it can be.
_FORMULA_CHECKS = 10


def ez_norm(operator: MaxwellTM, nodes: Indices, values: Array) -> float:
    """sqrt(1/2 int eps Ez^2) of a field with ``values`` at flat ``nodes`` and 0 elsewhere."""
    discretization = operator.discretization
    element_of, local = np.divmod(nodes, discretization.nodes_per_element)
    elements, row = np.unique(element_of, return_inverse=True)
    ez = np.zeros((len(elements), discretization.nodes_per_element))
    ez[row, local] = values
    return _nodal_norm(operator, ez, elements)


def _nodal_norm(operator: MaxwellTM, ez: Array, elements: Indices) -> float:
    """The same of nodal values on some elements."""
    squares = np.einsum("kn,kn->k", operator.discretization.apply_mass(ez, elements), ez)
    _, epsilon = bounds(operator.media.epsilon, operator.epsilon)
    return math.sqrt(max(0.0, 0.5 * float(epsilon[elements] @ squares)))


def _norm_into(operator: ElasticPSV, nodes: Indices, into: Iterable[tuple[str, Array]]) -> float:
    """sqrt(E) of fields with values at flat ``nodes``, by name."""
    added = operator.fields.zeros(operator.discretization.shape)
    for name, values in into:
        getattr(added, name).reshape(-1)[nodes] = values
    return math.sqrt(max(0.0, float(operator.element_energy(added).sum())))


def _strength(
    operator: Operator, source_term: NodalSourceTerm | MovingSourceTerm | FaceSourceTerm
) -> tuple[float, Callable[..., Array], float]:
    """The norm of what a source term adds per time and unit of its waveform, the waveform, and how
    far back in time it reaches."""
    if isinstance(operator, ElasticPSV):
        if isinstance(source_term, FaceSourceTerm):
            steady = replace(source_term, waveform=TimeFunction(Formula.parse("1", ("t",))))
            added = operator.fields.zeros(operator.discretization.shape)
            steady.rates(operator, 0.0).add_to(added)
            norm = math.sqrt(max(0.0, float(operator.element_energy(added).sum())))
            return norm, source_term.waveform, max(float(source_term.delay.max()), 1e-300)
        assert isinstance(source_term, NodalSourceTerm)
        driven = [(name, share * source_term.rate) for name, share in source_term.into]
        return _norm_into(operator, source_term.nodes, driven), source_term.waveform, 0.0
    assert isinstance(operator, MaxwellTM)
    if isinstance(source_term, NodalSourceTerm):
        return ez_norm(operator, source_term.nodes, source_term.rate), source_term.waveform, 0.0
    if isinstance(source_term, MovingSourceTerm):
        # The integral of exp(-d^2 / radius^2) over the plane is pi radius^2.
        density = 0.5 * float((operator.epsilon * source_term.strength**2).max())
        return math.sqrt(math.pi * density) * source_term.radius, source_term.waveform, 0.0
    d = operator.discretization
    steady = replace(source_term, waveform=TimeFunction(Formula.parse("1", ("t",))))
    rates = steady.rates(operator, 0.0)
    square = 0.0
    for rate, weight in (
        (rates.of["ez"], operator.epsilon),
        (rates.of["hx"], operator.mu),
        (rates.of["hy"], operator.mu),
    ):
        products = np.einsum("kn,kn->k", d.apply_mass(rate, np.asarray(rates.elements)), rate)
        square += float(weight[rates.elements] @ products)
    return (
        math.sqrt(0.5 * square),
        source_term.waveform,
        max(float(source_term.delay.max()), 1e-300),
    )


@dataclass(frozen=True)
class GuardMark:
    """How much energy is explained up to a time, and how strong formulas have been seen to be."""

    amplitude: float
    time: float
    strongest: float
    formula_checks: int


class Guard:
    """Compares the energy with what has been put in.

    Parameters
    ----------
    operator : of the run.
    source_terms : its sources.
    energy : of the field at ``time``.
    dt : time step.
    """

    def __init__(
        self,
        operator: Operator,
        source_terms: tuple[SourceTerm, ...],
        energy: float,
        time: float,
        *,
        dt: float,
    ) -> None:
        self._operator, self._dt = operator, dt
        self._known = [
            _strength(operator, d) for d in source_terms if not isinstance(d, FormulaSourceTerm)
        ]
        self._formulas = [d for d in source_terms if isinstance(d, FormulaSourceTerm)]
        self._margin = FORMULA_MARGIN if self._formulas else MARGIN
        self._strongest = 0.0
        self._formula_checks = 0
        self.restart(energy, time)

    def mark(self) -> GuardMark:
        """For :meth:`go_to`."""
        return GuardMark(self._amplitude, self._time, self._strongest, self._formula_checks)

    def go_to(self, mark: GuardMark) -> None:
        """The run is where it was at a mark."""
        self._amplitude, self._time = mark.amplitude, mark.time
        self._strongest, self._formula_checks = mark.strongest, mark.formula_checks

    def restart(self, energy: float, time: float) -> None:
        """The field was replaced by one of this energy."""
        self._amplitude = math.sqrt(max(energy, 0.0)) if math.isfinite(energy) else 0.0
        self._time = time

    def added(self, nodes: Indices, values: Array) -> None:
        """A ping was added, (n_pinged, n)."""
        operator = self._operator
        if isinstance(operator, ElasticPSV):
            added = zip(operator.pinged, values, strict=True)
            self._amplitude += _norm_into(operator, nodes, added)
        else:
            assert isinstance(operator, MaxwellTM)
            self._amplitude += ez_norm(operator, nodes, values[0])

    def check(self, element_energy: Array, time: float) -> float:
        """Total energy, if the field is still what its sources explain.

        Parameters
        ----------
        element_energy : (n_elements,), of an excerpt of a mesh one more for all that is not in it.

        Raises
        ------
        UnstableError : naming the worst element and the time of the last good check.
        """
        last_good = self._time
        # Media that change may raise the energy of a field by themselves.
        self._amplitude *= math.sqrt(self._operator.media.growth(self._time, time))
        self._amplitude += self._driven(self._time, time)
        self._time = time
        finite = np.isfinite(element_energy)
        if not finite.all():
            self._fail("is not finite any more", int(np.argmin(finite)), last_good)
        energy = float(element_energy.sum())
        allowed = self._margin * self._amplitude
        # The smallest normal single-precision number, squared root of an energy of rounding noise.
        if math.sqrt(max(energy, 0.0)) > allowed + 1e-19:
            self._fail("grows without bound", int(np.argmax(element_energy)), last_good)
        return energy

    def look(self, found: tuple[int, Mask] | None, clock: StepClock) -> None:
        """
        Parameters
        ----------
        found : what :meth:`wavelab.physics.stepper.Stepper.first_not_finite` gives.
        clock : gives the times of the steps.

        Raises
        ------
        UnstableError : it gives something; naming the element where that began.
        """
        if found is not None:
            step, mask = found
            element = origin(self._operator.discretization.connectivity.neighbor_element, mask)
            last_good = max(self._time, clock.after(step - LOOK_EVERY))
            self._fail("is not finite any more", element, last_good)

    def _driven(self, start: float, end: float) -> float:
        """At least int sqrt(E[-Jz / eps]) dt over the interval, by samples."""
        if end <= start:
            return 0.0
        total = 0.0
        for norm, waveform, span in self._known:
            times = np.linspace(start - span, end, _SAMPLES)
            times = times + self._dt * np.array((0.0, *_PARTS_OF_A_STEP))[:, None]
            values, *later = np.broadcast_to(waveform(times), times.shape)
            strongest = float(np.abs(values).max())
            if np.abs(later - values).max() > _SWING * strongest:
                strongest *= OVERSHOOT
            total += norm * strongest
        parts = _FORMULA_SAMPLES if self._formula_checks < _FORMULA_CHECKS else (1.0,)
        self._formula_checks += 1
        for source_term in self._formulas:
            for part in parts:
                norm = self._formula_norm(source_term, start + part * (end - start))
                self._strongest = max(self._strongest, norm)
            total += self._strongest
        return total * (end - start)

    def _formula_norm(self, source_term: FormulaSourceTerm, time: float) -> float:
        operator, discretization = self._operator, self._operator.discretization
        assert isinstance(operator, MaxwellTM)
        jz = source_term.jz.evaluate(x=discretization.x, y=discretization.y, t=time)
        rate = np.broadcast_to(jz, discretization.x.shape) / operator.epsilon[:, None]
        return _nodal_norm(operator, rate, np.arange(len(rate)))

    def _fail(self, what: str, element: int, last_good: float) -> None:
        d, place = self._operator.discretization, "anywhere"
        if 0 <= element < d.n_elements:
            x, y = float(d.x[element].mean()), float(d.y[element].mean())
            place = f"in element {element} near ({x:.4g}, {y:.4g})"
        if self._formulas:
            remedy = "Check the current formula for values that explode, or lower the safety."
        else:
            remedy = (
                "Lower the time-step safety or the order, or mesh anew with a larger element size "
                "near that point."
            )
        raise UnstableError(
            f"the field {what} {place}, after t = {last_good:.6g}",
            remedy=remedy,
            element=element,
            time=last_good,
        )
