"""Pieces of time in which nothing that drives the fields jumps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array

#: Of what a kernel makes of a time in its own precision.
_ROUNDINGS = 16


@dataclass(frozen=True)
class Piece:
    """From the first time to the last that formulas are taken at.

    A step that ends where a formula jumps must not see it any further on, and the next one must not
    see it before, whatever rounding makes of the times of their stages.
    """

    first: float = -math.inf
    last: float = math.inf

    def within(self, times: ArrayLike) -> Array:
        """Times in their shape, none before the first and none after the last."""
        return np.clip(np.asarray(times, np.float64), self.first, self.last)

    def narrowed(self, epsilon: float) -> Piece:
        """Shorter at both ends by what times are rounded by, but not by half of it.

        Parameters
        ----------
        epsilon : of the floating-point numbers in which formulas are evaluated.
        """
        first, last = (
            0.0 if math.isinf(end) else _ROUNDINGS * epsilon * abs(end)
            for end in (self.first, self.last)
        )
        most = (self.last - self.first) / 4
        return Piece(self.first + min(first, most), self.last - min(last, most))

    def follows(self, other: Piece) -> bool:
        """Whether there is a jump between the other one and this."""
        return other.last < self.first


#: No jumps.
ALWAYS = Piece()


@dataclass(frozen=True, eq=False)
class StepTimes:
    """Steps that come next.

    Attributes
    ----------
    starts : (n,) simulated times at which they begin.
    length : of each of them.
    piece : in which they lie.
    """

    starts: Array
    length: float
    piece: Piece = ALWAYS

    def at(self, parts: ArrayLike) -> Array:
        """(n, m) times after these (m,) parts of each step."""
        return self.piece.within(self.starts[:, None] + np.asarray(parts) * self.length)
