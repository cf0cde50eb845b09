"""What sources send, as plain data: the few ways in which fields are driven.

Every kind of source says which of these it amounts to; what they add to the rates of change of the
fields on a mesh is said in :mod:`wavelab.physics.sources.emissions`.

A current density Jz adds -Jz / epsilon to dEz/dt.  Where ``adds`` is "field" the same profile is
added to dEz/dt as it is, whatever the medium.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, Shape

#: Times of the run at which the way of something that moves is looked at.
_LOOKS = 801


@dataclass(frozen=True)
class Emission:
    """One way."""

    def places(self, size: float, count: int = 2) -> Array:
        """(n, 2) where it acts; none of what is everywhere, comes in through faces, or moves.

        Parameters
        ----------
        size : of chords along a curved rim.
        count : points along a line.
        """
        return np.zeros((0, 2))


@dataclass(frozen=True)
class GaussianLine(Emission):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from a line, or from a point where
    both ends are one."""

    start: Point
    end: Point
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = "current"

    def places(self, size: float, count: int = 2) -> Array:
        if self.start == self.end:
            return np.array([self.start])
        part = np.linspace(0, 1, count)[:, None]
        return (1 - part) * np.array(self.start) + part * np.array(self.end)


@dataclass(frozen=True)
class GaussianPoints(Emission):
    """The same at points, each with a delay.

    Attributes
    ----------
    leads : how much longer, for each point, is the way that its wave spares: it sends later by the
        time that waves need for that, the least of them at once.  None: all are in step.
    """

    centers: tuple[Point, ...]
    radius: float
    amplitude: float
    waveform: Waveform
    leads: tuple[float, ...] | None = None
    adds: str = "current"

    def places(self, size: float, count: int = 2) -> Array:
        return np.array(self.centers)

    def delays(self, speed: float) -> Array:
        """(n,) delay of each point, 0 for the first to send, where waves have this speed."""
        if self.leads is None:
            return np.zeros(len(self.centers))
        leads = np.array(self.leads)
        return (leads - leads.min()) / speed


@dataclass(frozen=True)
class Area(Emission):
    """amplitude f(t) everywhere inside of ``shape``, 0 outside."""

    shape: Shape
    amplitude: float
    waveform: Waveform
    adds: str = "current"

    def places(self, size: float, count: int = 2) -> Array:
        return np.concatenate([ring for ring, _ in self.shape.rings(size)])


@dataclass(frozen=True)
class CurrentFormula(Emission):
    """Current density Jz everywhere, a formula of x, y and t."""

    jz: Formula


@dataclass(frozen=True)
class MovingGaussian(Emission):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from a point whose position is a
    formula of t."""

    x: Formula
    y: Formula
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = "current"

    @property
    def begin(self) -> float:
        """When it is first heard; never before time 0."""
        return max(self.waveform.first_felt, 0.0)

    def way(self, until: float, count: int = _LOOKS) -> tuple[Array, Array]:
        """(count,) times at which it is heard and (count, 2) where it is then.

        Parameters
        ----------
        until : the end of the run; one that is placed in the window after that is looked at for as
            long again.

        Raises
        ------
        FormulaError : it is nowhere at one of the times.
        """
        begin = self.begin
        times = np.linspace(begin, until if begin < until else begin + until, count)
        return times, np.column_stack([self.x.evaluate(t=times), self.y.evaluate(t=times)])


@dataclass(frozen=True)
class Mechanical(Emission):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from ``center``, times a ``force``
    per area along x and y, and times the rate of the ``moment`` per area, xx, yy and xy, which the
    stress loses."""

    center: Point
    radius: float
    amplitude: float
    waveform: Waveform
    force: tuple[float, float]
    moment: tuple[float, float, float]

    def places(self, size: float, count: int = 2) -> Array:
        return np.array([self.center])


@dataclass(frozen=True)
class PlaneWaveIn(Emission):
    """A plane wave through the border of ``shape`` or through absorbing ``edges``;
    :class:`wavelab.scene.sources.plane_wave.PlaneWave` says more."""

    direction: float
    amplitude: float
    waveform: Waveform
    shape: Shape | None = None
    edges: tuple[str, ...] = ()


@dataclass(frozen=True)
class BodyWaveIn(Emission):
    """A plane P wave, or with ``shear`` an S wave, through absorbing ``edges``;
    :class:`wavelab.scene.sources.mechanical.body_wave.BodyWave` says more."""

    direction: float
    amplitude: float
    waveform: Waveform
    edges: tuple[str, ...]
    shear: bool


@dataclass(frozen=True)
class GuidedModeIn(Emission):
    """A mode between parallel walls through the absorbing ``edge``;
    :class:`wavelab.scene.sources.guided_mode.GuidedMode` says more.  ``frequency`` is what it is
    made for."""

    edge: str
    mode: int
    sides: str
    frequency: float
    amplitude: float
    waveform: Waveform


@dataclass(frozen=True)
class PortIn(Emission):
    """A mode of the guide that the line from ``start`` to ``end`` goes across, to the right of the
    line; :class:`wavelab.scene.sources.port.Port` says more."""

    start: Point
    end: Point
    mode: int
    frequency: float
    amplitude: float
    waveform: Waveform
