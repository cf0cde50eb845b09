"""Integrals of powers over simulated time, from values at moments that need not be equally far
apart.

The trapezoidal rule, corrected by the second differences (the rule of Gill & Miller, *An algorithm
for the integration of unequally spaced data*, 1972).  For moments that are equally far apart the
corrections cancel inside and remain at the ends, so that the error of the integral of an
oscillation does not grow with time, as long as there are more than two moments in a period.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from wavelab.arrays import Array


class PowerIntegral:
    """The integral of several powers side by side, and how far it is to be trusted.

    Parameters
    ----------
    n : how many powers.
    """

    def __init__(self, n: int) -> None:
        self._all, self._half = Rule(n), Rule(n)
        self._left_out: Array | None = None  # the last values, if the half does not have them

    def __copy__(self) -> PowerIntegral:
        """One that goes on by itself; no array is changed in place."""
        made = PowerIntegral(0)
        made._all, made._half, made._left_out = copy(self._all), copy(self._half), self._left_out
        return made

    @property
    def total(self) -> Array:
        """(n,) integrals up to the last moment."""
        return self._all.total

    @property
    def time(self) -> float | None:
        """The last moment; None if the next one is the first."""
        return self._all.time

    @property
    def doubt(self) -> float:
        """How much all of them together change if every second moment is left out."""
        half = self._half.total
        if self._left_out is not None:
            half = half + self._all.last_interval
        return float(np.abs(self._all.total - half).sum())

    def jump(self) -> None:
        """The powers change at once: the next value begins anew, at the time of the last."""
        if self._left_out is not None and self._all.time is not None:
            self._half.add(np.array([self._all.time]), self._left_out[None])
        self._left_out = None
        self._all.begin_anew()
        self._half.begin_anew()

    def add(self, times: Array, values: Array) -> None:
        """Go on with values (m, n) at ascending times (m,); those not after the last count for
        nothing."""
        if self.time is not None:
            later = times > self.time
            times, values = times[later], values[later]
        if not len(times):
            return
        first = 0 if self.time is None or self._left_out is not None else 1
        self._all.add(times, values)
        self._half.add(times[first::2], values[first::2])
        self._left_out = values[-1] if self._half.time != self._all.time else None


class Rule:
    """One integral.  With h the times between values and p'' their second divided differences,
    the trapezoidal rule is off by h^3 p'' / 12 in each interval; p'' of an interval is the mean of
    those at its ends, or what the only end says that has one."""

    def __init__(self, n: int) -> None:
        self._sum = self._end = np.zeros(n)
        self.begin_anew()

    def begin_anew(self) -> None:
        """The next value is the first of a smooth piece."""
        self._sum = self.total
        n = len(self._sum)
        self.time: float | None = None
        self._value = np.zeros(n)
        self._step, self._slope = 0.0, np.zeros(n)  # of the last interval
        self._begun = False  # whether the first interval is corrected in its first half
        self._end = np.zeros(n)  # correction of its half that no value after it has made
        self.last_interval = np.zeros(n)

    @property
    def total(self) -> Array:
        return self._sum - self._end

    def add(self, times: Array, values: Array) -> None:
        if not len(times):
            return
        if self.time is not None:
            times = np.concatenate([[self.time], times])
            values = np.concatenate([self._value[None], values])
        self.time, self._value = float(times[-1]), values[-1]
        steps = np.diff(times)
        if not len(steps):
            return
        parts = steps[:, None] * (values[:-1] + values[1:]) / 2
        self._sum = self._sum + parts.sum(axis=0)
        slopes = np.diff(values, axis=0) / steps[:, None]
        if self._step:
            steps = np.concatenate([[self._step], steps])
            slopes = np.concatenate([self._slope[None], slopes])
        if len(steps) > 1:
            second = 2 * np.diff(slopes, axis=0) / (steps[:-1] + steps[1:])[:, None]
            weights = (steps[:-1] ** 3 + steps[1:] ** 3) / 24
            if not self._begun:
                weights[0] += steps[0] ** 3 / 24
            self._begun = True
            self._sum = self._sum - weights @ second
            self._end = steps[-1] ** 3 / 24 * second[-1]
        self._step, self._slope = float(steps[-1]), slopes[-1]
        self.last_interval = parts[-1]
