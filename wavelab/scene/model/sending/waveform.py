"""What a source does in time: what every kind of waveform says of itself.

The kinds are in :mod:`wavelab.scene.waveforms`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import POSITIVE, ItemPath, require
from wavelab.scene.recordings.spline import Spline

#: exp(-u^2 / 2) is less than the rounding of double precision beyond this u.
OVER = 9.0


@dataclass(frozen=True)
class TimeFunction:
    """f(t), dimensionless: a formula or a spline, for NumPy and for kernels alike.

    Attributes
    ----------
    formula : of ``t``, which here is the time since ``origin``.
    settled : time since the origin from which on f repeats itself with ``period``, or stays 0 if
        that is 0; None if it never does, or nobody knows.
    """

    formula: Formula | Spline
    origin: float = 0.0
    settled: float | None = None
    period: float = 0.0

    @classmethod
    def of(
        cls,
        text: str,
        numbers: Mapping[str, float],
        origin: float,
        settled: float | None = None,
        period: float = 0.0,
    ) -> TimeFunction:
        """From the text of a formula of ``t`` and of numbers that have names there: a text that
        stays is parsed once, however often a number is turned."""
        return cls(Formula.parse(text, ("t",), numbers), origin, settled, period)

    def __call__(self, t: ArrayLike) -> Array:
        """f at these times, in their shape.

        Raises
        ------
        FormulaError : f has no finite value at one of them.
        """
        return self.formula.evaluate(t=np.asarray(t, np.float64) - self.origin)

    def delayed(self, delay: float) -> TimeFunction:
        """f(t - delay)."""
        return replace(self, origin=self.origin + delay)

    def folded(self, t: ArrayLike, span: float) -> Array:
        """Times since the origin that give what ``t`` gives, for all delays from 0 to ``span``.

        They stay small however long a run lasts, so that a kernel in single precision can tell a
        phase after a million periods as well as after one.
        """
        since = np.asarray(t, np.float64) - self.origin
        if self.settled is None:
            return since
        last = self.settled + span
        beyond = np.maximum(since - last, 0.0)
        return np.minimum(since, last) + (np.fmod(beyond, self.period) if self.period else 0.0)


@dataclass(frozen=True)
class Waveform(ABC):
    """One kind: its numbers, and what follows from them.

    Attributes
    ----------
    label, tip : what the window calls it, and says of it; no label of one that it does not offer.
    calmer : what else than smaller elements makes its waves long enough for them.
    """

    label: ClassVar[str] = ""
    tip: ClassVar[str] = ""
    calmer: ClassVar[str] = "a higher order"

    @abstractmethod
    def function(self) -> TimeFunction:
        """f(t)."""

    @abstractmethod
    def check(self, item: ItemPath, what: str) -> None:
        """Check the numbers of the waveform of ``what``.

        Raises
        ------
        ItemError : names the number and what would be right.
        """

    @classmethod
    def starting(cls, frequency: float) -> Self:
        """One that begins at time 0, without a jolt."""
        raise NotImplementedError(f"{cls.__name__} is not placed by hand")

    @property
    def first_felt(self) -> float:
        """The time before which there is nothing, or less than 1e-8 of the largest value: its
        delay, if it has one."""
        return float(getattr(self, "delay", 0.0))

    @property
    def silent(self) -> str:
        """Why it is 0 at all times, and the remedy; "" where it is not."""
        return ""

    @property
    def carrier(self) -> float | None:
        """The one frequency that it is around, if there is one."""
        return None

    @property
    def lowest_frequency(self) -> float | None:
        """The frequency that it is known by, the lower one where it has two; None of what has none
        of its own."""
        return self.carrier

    @property
    def highest_frequency(self) -> float | None:
        """Frequency above which the spectrum stays below 1 % of its largest value; None if that is
        not known."""
        return self.carrier

    def _check_positive(self, item: ItemPath, what: str, *keys: str) -> None:
        for key in keys:
            value = getattr(self, key)
            require(value > 0, (*item, key), f"{key} of {what} is {value:g}", POSITIVE)


def rounded(time: float) -> float:
    """What is written in a scene file has no digits that mean nothing."""
    return float(f"{time:.4g}")
