"""Sums over time that a stepper keeps while it runs: Fourier transforms and mean squares.

After every ``every``-th step the stepper adds weight(t) exp(2 pi i f t) u to a complex sum for each
frequency f, u being a sample at a point or a nodal value.  With x(t) = Re[X exp(-2 pi i f t)] the
sum over whole periods is X / 2 times the sum of the weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex, Indices
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.operator.fields import FIELD_NAMES, Fields


@dataclass(frozen=True)
class TimeWindow:
    """When a sum is taken, and with which weight.

    Attributes
    ----------
    begin, end : simulated times; outside of them nothing is added.
    power : the weight is (1 - cos)^power; 0 for a plain one, 1 for a Hann window, which keeps
        frequencies apart that do not go into the time a whole number of times; more of it keeps
        them apart better, but they have to be further from each other.
    """

    begin: float = 0.0
    end: float = math.inf
    power: int = 0

    def weight(self, times: Array) -> Array:
        """(n,) at times (n,)."""
        inside = (times > self.begin) & (times <= self.end)
        if self.power == 0:
            return inside.astype(np.float64)
        if self.end <= self.begin:
            return np.zeros(len(times))
        part = (times - self.begin) / (self.end - self.begin)
        return np.where(inside, (1 - np.cos(2 * np.pi * part)) ** self.power, 0.0)


@dataclass(frozen=True, eq=False)
class RunningTransform:
    """What is summed up.

    Attributes
    ----------
    frequencies : (n_frequencies,), 0 for the plain sum.
    points : where; None for the nodes of elements.
    elements : (n,) int32, those elements; used if ``points`` is None.
    components : fields at the nodes, of ``FIELD_NAMES``; used if ``points`` is None.
    squared : whether the squares of the fields are summed.
    every : steps from one sample to the next.
    window : when, and how it is weighted.
    """

    frequencies: tuple[float, ...]
    points: ProbePoints | None = None
    elements: NDArray[np.int32] | None = None
    components: tuple[str, ...] = FIELD_NAMES
    squared: bool = False
    every: int = 1
    window: TimeWindow = TimeWindow()

    def shape(self, nodes_per_element: int) -> tuple[int, ...]:
        """Of the sums: (n_frequencies, n_points), or (n_frequencies, n_components, n_elements,
        nodes_per_element)."""
        if self.points is not None:
            return (len(self.frequencies), len(self.points))
        assert self.elements is not None
        n = len(self.elements)
        return (len(self.frequencies), len(self.components), n, nodes_per_element)

    def table(self, times: Array, steps: Indices) -> tuple[Complex, Array]:
        """Factors (n, n_frequencies) and weights (n,) for the moments after some steps.

        A weight is 0 where no sample is taken, and else includes the time from one sample to the
        next in units of the time step.
        """
        weights = np.where(steps % self.every == 0, self.window.weight(times) * self.every, 0.0)
        turns = np.outer(times, self.frequencies)
        # Whole turns off first: what is left of a large number of turns must be exact.
        return weights[:, None] * np.exp(2j * np.pi * (turns - np.round(turns))), weights

    def sampled(self, fields: Fields) -> Array:
        """What is multiplied by the factors: (n_points,), or (n_components, n_elements,
        nodes_per_element)."""
        if self.points is not None:
            values = self.points.sample(fields)
        else:
            values = np.stack([getattr(fields, name)[self.elements] for name in self.components])
        return values**2 if self.squared else values


@dataclass(frozen=True, eq=False)
class Sums:
    """What has come together.

    Attributes
    ----------
    values : complex, of the shape of the transform; in units of the field times steps.
    weight : sum of all weights, in steps.
    duration : that in units of simulated time.
    """

    values: Complex
    weight: float
    duration: float

    def joined(self, later: Sums) -> Sums:
        """Both together."""
        return Sums(
            self.values + later.values, self.weight + later.weight, self.duration + later.duration
        )

    @property
    def amplitude(self) -> Complex:
        """X of a field that oscillates as Re[X exp(-2 pi i f t)]; 0 before the first sample."""
        return self.values * (2 / self.weight if self.weight > 0 else 0.0)

    @property
    def mean(self) -> Array:
        """Mean over time of what was summed at frequency 0."""
        return self.values.real * (1 / self.weight if self.weight > 0 else 0.0)


class RunningSum:
    """One running transform in NumPy, and what has come together in it."""

    def __init__(self, transform: RunningTransform, nodes_per_element: int) -> None:
        self.values = np.zeros(transform.shape(nodes_per_element), np.complex128)
        self.weight = 0.0
        self._transform = transform

    def add(self, fields: Fields, time: float, step: int) -> None:
        """Add the fields after step number ``step``."""
        factors, weights = self._transform.table(np.array([time]), np.array([step]))
        if weights[0]:
            self.values += np.multiply.outer(factors[0], self._transform.sampled(fields))
            self.weight += float(weights[0])

    def read(self, dt: float) -> Sums:
        """What has come together in steps of ``dt``."""
        return Sums(self.values.copy(), self.weight, self.weight * dt)
