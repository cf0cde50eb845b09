"""The terms of the energy balance, one list of them for all who compute, sample or book them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from wavelab.arrays import Array


class Term(IntEnum):
    """Columns of tables of powers, each for the attribute of :class:`Powers` of that name."""

    SOURCE = 0
    WALL = 1
    JOULE = 2
    UPWIND = 3
    PARAMETRIC = 4


@dataclass(frozen=True)
class Powers:
    """Energy per time.  ``source`` and ``parametric`` are put in, by sources and by media that
    change (negative where they take out); the others are lost: to walls that do not reflect all, in
    conductors, and by the upwind flux."""

    source: float
    wall: float
    joule: float
    upwind: float
    parametric: float = 0.0

    @property
    def net(self) -> float:
        """dE/dt of the semi-discrete equations."""
        return self.source + self.parametric - self.wall - self.joule - self.upwind

    @property
    def row(self) -> Array:
        """(n_terms,) by :class:`Term`."""
        return np.array([getattr(self, term.name.lower()) for term in Term])
