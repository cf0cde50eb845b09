"""Curves in places along the axes of a plot, and as a table of what these stand for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve, table
from wavelab.arrays import Array

Interval = tuple[float, float]

#: Powers of ten of a logarithmic axis at most, from its upper end.
_MOST = 9.0
#: Of one that has less, beyond both ends.
_BEYOND = 0.05


def on_axes(curves: Sequence[Curve], across: Axis, up: Axis) -> tuple[Curve, ...]:
    """Curves of numbers of the scene in places along the axes."""
    if not (across.log or up.log):
        return tuple(curves)
    return tuple(curve.mapped(across.place, up.place) for curve in curves)


def keep_logarithms(curves: Sequence[Curve], across: Axis, up: Axis) -> None:
    """Axes stay logarithmic where what they show allows it; sizes are what is shown then of what
    has a sign."""
    signed = any((curve.drawn < 0).any() for curve in curves)
    for axis, of_sizes in ((across, False), (up, signed)):
        log = axis.log and bool(curves) and axis.can_be_log
        axis.set_log(log, of_sizes=log and of_sizes)


def table_of(curves: Sequence[Curve], across: Axis, up: Axis) -> tuple[list[str], list[Array]]:
    """Names of columns, and those, in the units of the axes; see :func:`table`."""
    places, heights = table(curves)
    names = [across.text, *(curve.name for curve in curves)]
    return names, [across.in_unit(places), *map(up.in_unit, heights)]


def home(
    curves: Sequence[Curve], across: Axis, up: Axis, x: Interval, y: Interval
) -> tuple[Interval, Interval]:
    """From where to where axes go that nobody has moved, in places along them.

    Parameters
    ----------
    curves : in such places.
    x, y : what a plot with linear axes shows.
    """
    if across.log:
        low, high = _of_logarithms([curve.along for curve in curves])
        top = float(across.place(max(x))) if max(x) > 0 else high
        least = float(across.place(min(x))) if min(x) > 0 else low
        x = (max(low, least), top) if max(low, least) < top else (low, high)
    if up.log:
        inside = ((c.along >= min(x)) & (c.along <= max(x)) for c in curves)
        y = _of_logarithms([c.drawn[there] for c, there in zip(curves, inside, strict=True)])
    return x, y


def _of_logarithms(values: Sequence[Array]) -> Interval:
    every = np.concatenate([*values, np.zeros(0)])
    every = every[np.isfinite(every)]
    if not len(every):
        return 0.0, 1.0
    high = float(every.max())
    low = max(float(every.min()), high - _MOST)
    room = max(_BEYOND * (high - low), math.log10(1.2))
    return low - room, high + room
