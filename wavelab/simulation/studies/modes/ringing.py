"""Letting a problem ring: random smooth fields, records at points, transforms everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.physics.modes.dispersive_modes import parts_of
from wavelab.physics.modes.modes import Mode
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.physics.time.step_clock import StepClock
from wavelab.simulation.steppers.steppers import equip
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.study_runs import double_stepper, in_chunks

#: Time between the samples of a record, in periods of the highest frequency: two are too few.
_OF_PERIOD = 0.4
#: Bumps of a random field, and their radius in wavelengths of the highest frequency.
_BUMPS, _RADIUS = 48, 0.19
#: Logarithm of the most that a mode is made stronger than another.
_LOUDEST = 12.0


def random_points(problem: Problem, count: int) -> ProbePoints:
    """Points at random, as many per area everywhere, the same ones each time."""
    d = problem.discretization
    rng = np.random.default_rng(0)
    area = d.geometry.jacobian / d.geometry.jacobian.sum()
    elements = rng.choice(d.n_elements, count, p=area).astype(np.int32)
    rs = np.sort(rng.uniform(0, 1, (count, 2)), axis=1)
    # The two lengths between sorted numbers are barycentric coordinates.
    rs = 2 * np.column_stack([rs[:, 0], rs[:, 1] - rs[:, 0]]) - 1
    names = tuple(f"point {i + 1}" for i in range(count))
    return ProbePoints(names, elements, interpolation_weights(d.element, rs))


def random_fields(problem: Problem, highest: float, seed: int) -> Fields:
    """Ez made of Gaussian bumps at random places that hold frequencies up to ``highest``; H = 0."""
    d = problem.discretization
    rng = np.random.default_rng(seed)
    ez = np.zeros(d.shape)
    area = d.geometry.jacobian / d.geometry.jacobian.sum()
    for element in rng.choice(d.n_elements, _BUMPS, p=area):
        # A wavelength is as long as the medium there says.
        radius = _RADIUS * float(problem.operator.slowest[element]) / highest
        x, y = d.x[element].mean(), d.y[element].mean()
        distance = (d.x - x) ** 2 + (d.y - y) ** 2
        ez += rng.standard_normal() * np.exp(-distance / (2 * radius**2))
    return MaxwellFields(np.zeros(d.shape), np.zeros(d.shape), ez)


def mixture(problem: Problem, modes: Sequence[Mode], time: float, seed: int) -> Fields:
    """Modes with random phases, together with what they are in media and layers with a memory.

    Those that decay are so strong that all are about as strong as each other at some ``time``.
    """
    rng = np.random.default_rng(seed)
    fields = np.zeros((3, *problem.discretization.shape))
    equations = problem.auxiliary_equations
    auxiliary = [np.zeros(e.shape) for e in equations]
    parts = [parts_of(problem.operator, e) for e in equations]
    for mode in modes:
        louder = math.exp(min(mode.decay * time, _LOUDEST))
        factor = louder * np.exp(2j * np.pi * rng.random())
        fields += (factor * mode.fields).real
        value = -2j * np.pi * mode.frequency - mode.decay
        for e, of, kept in zip(equations, parts, auxiliary, strict=True):
            kept += (factor * of.auxiliary(value, mode.fields[:, e.elements])).real
    hx, hy, ez = fields
    return MaxwellFields(hx, hy, ez, tuple(auxiliary))


class Ringing:
    """Runs a problem from given fields, again and again, in double precision.

    Attributes
    ----------
    steps : taken in all.
    """

    def __init__(
        self,
        problem: Problem,
        backend: str,
        device: str | None,
        tell: Callable[[float, str], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self.steps = 0
        self._problem, self._backend, self._device = problem, backend, device
        self._tell, self._cancelled = tell, cancelled
        self._part = 0.0

    def tell_from(self, part: float) -> None:
        """The work is done to this part."""
        self._part = max(self._part, part)

    def tell_more(self, share: float, text: str) -> None:
        """This share of what was left is done; and say what is being done."""
        self._part += share * (1 - self._part)
        self._tell(self._part, text)

    def tell(self, text: str) -> None:
        """Say what is being done."""
        self._tell(self._part, text)

    def pause(self) -> None:
        """To be called between parts of long work.

        Raises
        ------
        StudyCancelledError : as ``cancelled`` said.
        """
        if self._cancelled():
            raise StudyCancelledError

    def record(
        self, start: Fields, points: ProbePoints, duration: float, highest: float, text: str
    ) -> tuple[Array, Array]:
        """Times (n,) and Ez (n, n_points) after each step, which are short enough to tell the
        ``highest`` frequency by."""
        with closing(self._stepper(duration, _OF_PERIOD / highest)) as stepper:
            stepper.set_probes(points)
            samples = self._advance(stepper, start, duration, text)
            return StepClock(stepper.dt).times(1, len(samples)), samples

    def transform(
        self, start: Fields, transform: RunningTransform, duration: float, text: str
    ) -> Complex:
        """(n_frequencies, 3, n_elements, nodes_per_element) amplitudes of a running transform."""
        with closing(self._stepper(duration)) as stepper:
            stepper.set_transforms([transform])
            self._advance(stepper, start, duration, text)
            return stepper.read_transforms()[0].amplitude

    def _stepper(self, duration: float, longest: float = math.inf) -> Stepper:
        problem = self._problem
        dt = duration / max(1, math.ceil(duration / min(problem.dt_max, longest)))
        stepper = double_stepper(problem, dt, self._backend, self._device)
        equip(stepper, problem)
        return stepper

    def _advance(self, stepper: Stepper, start: Fields, duration: float, text: str) -> Array:
        stepper.set_fields(start)
        n_steps = round(duration / stepper.dt)
        began = self._part
        # Each run takes a share of what is left, so that the bar never goes back.
        share = 0.3 * (1 - began)

        def advance(steps: int) -> Array:
            samples = stepper.advance(steps)
            stepper.synchronize()
            return samples

        def advanced(part: float) -> None:
            self._part = began + share * part
            self._tell(self._part, text)

        samples = in_chunks(advance, n_steps, self._cancelled, advanced)
        self.steps += n_steps
        return np.concatenate(samples)
