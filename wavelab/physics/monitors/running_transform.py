"""Integrals over time that a stepper keeps while it runs: Fourier transforms and mean squares.

After every ``every``-th step the stepper adds weight(t) exp(2 pi i f t) u to a complex sum for each
frequency f, u being a sample at a point or a nodal value.  With x(t) = Re[X exp(-2 pi i f t)] the
sum over whole periods is X / 2 times the sum of the weights.

A plain window may begin and end between two samples.  Its weights are those of the rectangle rule,
but for the samples next to an end, which are corrected so that polynomials are integrated exactly
(:func:`end_weights`).  The newest sample of a window without an end keeps its whole weight; what
that is off by is taken off at the begin as well, so that it cancels over whole periods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex, Indices
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.operator.fields import FIELD_NAMES, Fields

#: Samples next to an end of a plain window whose weights are corrected: cubics are exact.
MOST_CORRECTED = 4
_SAME = 1e-6  # of an interval: moments that differ by rounding


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

    def weight(self, times: Array, interval: float) -> Array:
        """(n,) at times (n,), of samples that are an ``interval`` apart; in units of time."""
        begun, to_come = (times - self.begin) / interval, (self.end - times) / interval
        inside = (begun > _SAME) & (to_come > -_SAME)
        weights = np.zeros(len(times))
        if not inside.any():
            return weights
        if self.power > 0:
            part = (times[inside] - self.begin) / (self.end - self.begin)
            weights[inside] = (1 - np.cos(2 * np.pi * part)) ** self.power
        else:
            n = int(min(max((self.end - self.begin) / interval / 2, 1), MOST_CORRECTED))
            weights[inside] = 1.0
            open_ended = not math.isfinite(self.end)
            for i in np.flatnonzero(inside & (begun < n + _SAME)):
                before = math.ceil(begun[i] - _SAME) - 1  # samples; one at the begin is left out
                weights[i] += end_weights(begun[i] - before, n, open_ended)[before]
            for i in np.flatnonzero(inside & (to_come < n - _SAME)):
                after = math.floor(to_come[i] + _SAME)  # one at the end is taken
                weights[i] += end_weights(to_come[i] - after, n)[after]
        return weights * interval


def end_weights(gap: float, n: int, open_ended: bool = False) -> Array:
    """(n,) what is added to the weights 1 of the first samples after the begin of an integral.

    With weights 1 + c[j] the samples at x = gap + j, j = 0, 1, 2, ..., integrate from x = 0 on
    every polynomial of a degree below ``n`` exactly, in the sense of Euler and Maclaurin: what is
    left over is at the other end.  There sum (gap + j)^k = zeta(-k, gap) = -B(k + 1, gap) / (k + 1)
    with the Bernoulli polynomials B, so that sum c[j] (gap + j)^k = B(k + 1, gap) / (k + 1).  With
    gap = 0 these are the rules of Gregory, with gap = 1 his open ones.

    Parameters
    ----------
    gap : from the begin to the first sample, in [0, 1], in units of the interval.
    n : at most ``MOST_CORRECTED``.
    open_ended : whether to add the error that weights of 1 make at the other end.
    """
    moments = _bernoulli(gap)
    if open_ended:
        moments = moments - _bernoulli(1.0)
    powers = np.vander(gap + np.arange(n), n, increasing=True).T
    return np.linalg.solve(powers, moments[:n] / np.arange(1, n + 1))


def _bernoulli(x: float) -> Array:
    """(MOST_CORRECTED,) values of the Bernoulli polynomials of degrees 1, 2, ..."""
    return np.array(
        [
            x - 1 / 2,
            x**2 - x + 1 / 6,
            x**3 - 3 / 2 * x**2 + x / 2,
            x**4 - 2 * x**3 + x**2 - 1 / 30,
        ]
    )


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

    def table(self, times: Array, steps: Indices, dt: float) -> tuple[Complex, Array]:
        """Factors (n, n_frequencies) and weights (n,) for the moments after some steps of ``dt``.

        A weight is 0 where no sample is taken, and else the time that the sample stands for.
        """
        taken = steps % self.every == 0
        weights = np.where(taken, self.window.weight(times, dt * self.every), 0.0)
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
    values : complex, of the shape of the transform; in units of the field times time.
    duration : sum of all weights, the simulated time they stand for.
    """

    values: Complex
    duration: float

    def joined(self, later: Sums) -> Sums:
        """Both together."""
        return Sums(self.values + later.values, self.duration + later.duration)

    @property
    def amplitude(self) -> Complex:
        """X of a field that oscillates as Re[X exp(-2 pi i f t)]; 0 before the first sample."""
        return self.values * (2 / self.duration if self.duration > 0 else 0.0)

    @property
    def mean(self) -> Array:
        """Mean over time of what was summed at frequency 0."""
        return self.values.real * (1 / self.duration if self.duration > 0 else 0.0)


class RunningSum:
    """One running transform in NumPy, and what has come together in it.

    Attributes
    ----------
    values, duration : as of :class:`Sums`; the array is changed in place.
    """

    def __init__(self, transform: RunningTransform, nodes_per_element: int) -> None:
        self.values = np.zeros(transform.shape(nodes_per_element), np.complex128)
        self.duration = 0.0
        self._transform = transform

    def add(self, fields: Fields, time: float, step: int, dt: float) -> None:
        """Add the fields after step number ``step``, of ``dt``."""
        factors, weights = self._transform.table(np.array([time]), np.array([step]), dt)
        if weights[0]:
            self.values += np.multiply.outer(factors[0], self._transform.sampled(fields))
            self.duration += float(weights[0])

    def read(self) -> Sums:
        """What has come together."""
        return Sums(self.values.copy(), self.duration)
