"""The ways to draw a result, as plain data; ``wavelab.app.panels.plots`` has a drawing of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeSeries:
    """An array over time."""

    array: str
    label: str


@dataclass(frozen=True)
class Spectrum:
    """An array over the frequency, where there are several."""

    array: str
    label: str


@dataclass(frozen=True)
class Gather:
    """``values`` of receivers ``along`` a line, with time downwards as seismologists draw it."""


@dataclass(frozen=True)
class Polar:
    """A complex ``pattern`` over the angle for each frequency."""


@dataclass(frozen=True)
class ModeSpectra:
    """The powers ``forward`` and ``backward`` in each mode over the frequency."""


ResultPlot = TimeSeries | Spectrum | Gather | Polar | ModeSpectra
