"""Monitors: what a scene measures besides the field at its probes.

Those with ``frequencies`` keep a running Fourier transform from ``begin`` to ``end`` (the end of
the run if there is none), which may be weighted by a Hann window.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from wavelab.scene.model.item_error import ItemPath, require, require_one_of
from wavelab.scene.model.shapes import Point, Shape

WINDOWS = ("none", "hann")
FIELDS = ("ez", "hx", "hy")
#: How the window draws what a line of receivers recorded: with time downwards, or along the line
#: the field and its amplitude, or the mean of its square.
PLOTS = ("gather", "profile", "intensity")
#: Receivers on a line and directions of a far field at most.
MOST_POINTS = 10_000
#: Frequencies of a monitor at most; each keeps two numbers for every value.
MOST_FREQUENCIES = 200
_POSITIVE = "It must be greater than 0."


@dataclass(frozen=True)
class LineMonitor:
    """Records a field at ``count`` points spread evenly over a polyline, after every step."""

    name: str
    vertices: tuple[Point, ...]
    count: int = 50
    quantity: str = "ez"
    plot: str = "gather"


@dataclass(frozen=True)
class FluxMonitor:
    """Power through a polyline, over time and at frequencies.

    It counts from left to right for someone who walks along the vertices, and outwards if the line
    is ``closed``.
    """

    name: str
    vertices: tuple[Point, ...]
    closed: bool = False
    frequencies: tuple[float, ...] = ()
    begin: float = 0.0
    end: float | None = None
    window: str = "none"


@dataclass(frozen=True)
class EnergyMonitor:
    """Energy in the elements whose middle lies in a shape, every ``every`` steps."""

    name: str
    shape: Shape
    every: int = 20


@dataclass(frozen=True)
class FieldMonitor:
    """Amplitude and phase of all fields at frequencies, in a shape or everywhere."""

    name: str
    frequencies: tuple[float, ...]
    begin: float = 0.0
    end: float | None = None
    window: str = "none"
    shape: Shape | None = None


@dataclass(frozen=True)
class IntensityMonitor:
    """Mean of Ez^2 over time, in a shape or everywhere."""

    name: str
    begin: float = 0.0
    end: float | None = None
    shape: Shape | None = None


@dataclass(frozen=True)
class FarFieldMonitor:
    """What leaves a closed contour, far away in ``directions`` evenly spread directions."""

    name: str
    shape: Shape
    frequencies: tuple[float, ...]
    begin: float = 0.0
    end: float | None = None
    window: str = "none"
    directions: int = 360


Monitor = (
    LineMonitor | FluxMonitor | EnergyMonitor | FieldMonitor | IntensityMonitor | FarFieldMonitor
)

#: The ``kind`` written in a scene file.
MONITORS: dict[str, type[Monitor]] = {
    "line": LineMonitor,
    "flux": FluxMonitor,
    "energy": EnergyMonitor,
    "field": FieldMonitor,
    "intensity": IntensityMonitor,
    "far_field": FarFieldMonitor,
}


#: What a view can show of the first monitor of a kind: amplitude of Ez at its first frequency, mean
#: of Ez^2.
MONITOR_VIEWS: dict[str, type[FieldMonitor | IntensityMonitor]] = {
    "amplitude": FieldMonitor,
    "intensity": IntensityMonitor,
}


#: What arrows over the field show: nothing, the Poynting vector now, or its mean over a period at
#: the first frequency of the first monitor of fields.
ARROWS = ("none", "power", "mean_power")


def can_show(quantity: str, monitors: Iterable[Monitor]) -> bool:
    """Whether a scene with these monitors has what a view of ``quantity`` needs, or "mean_power"
    arrows."""
    kind = MONITOR_VIEWS.get(quantity) if quantity != "mean_power" else FieldMonitor
    return kind is None or any(isinstance(monitor, kind) for monitor in monitors)


def monitor_to_show(quantity: str) -> str:
    """What to do about a view that has no monitor."""
    kind = _kind_of(MONITOR_VIEWS.get(quantity, FieldMonitor))
    return f'Add a [[monitors]] table with kind = "{kind}".'


def _kind_of(type_: type[Monitor]) -> str:
    return next(kind for kind, known in MONITORS.items() if known is type_)


def monitor_kind(monitor: Monitor) -> str:
    """What a scene file calls it."""
    return _kind_of(type(monitor))


def as_measured(monitor: Monitor) -> Monitor:
    """The same whatever way it is drawn."""
    return replace(monitor, plot=PLOTS[0]) if isinstance(monitor, LineMonitor) else monitor


def check_monitor(monitor: Monitor, item: ItemPath, until: float) -> None:
    """Rules that need no mesh; those of its shape are checked elsewhere.

    Parameters
    ----------
    until : time at which the scene ends.

    Raises
    ------
    ItemError : names the monitor and what would be right.
    """
    what = f'monitor "{monitor.name}"'
    if isinstance(monitor, LineMonitor | FluxMonitor):
        _check_path(monitor, item, what)
    if isinstance(monitor, LineMonitor):
        _check_count(monitor.count, (*item, "count"), what, "points", least=1)
        require_one_of(monitor.quantity, FIELDS, (*item, "quantity"), "quantity")
        require_one_of(monitor.plot, PLOTS, (*item, "plot"), "plot")
    if isinstance(monitor, EnergyMonitor):
        require(
            monitor.every >= 1,
            (*item, "every"),
            f"{what} looks every {monitor.every} steps",
            "It must be a whole number from 1 on.",
        )
    if isinstance(monitor, FarFieldMonitor):
        _check_count(monitor.directions, (*item, "directions"), what, "directions", least=2)
    if isinstance(monitor, FluxMonitor | FieldMonitor | FarFieldMonitor):
        needed = not isinstance(monitor, FluxMonitor)
        _check_frequencies(monitor.frequencies, (*item, "frequencies"), what, needed)
        require_one_of(monitor.window, WINDOWS, (*item, "window"), "window")
    if not isinstance(monitor, LineMonitor | EnergyMonitor):
        _check_times(monitor.begin, monitor.end, item, what, until)


def _check_path(monitor: LineMonitor | FluxMonitor, item: ItemPath, what: str) -> None:
    vertices = monitor.vertices
    closed = isinstance(monitor, FluxMonitor) and monitor.closed
    least = 3 if closed else 2
    require(
        len(set(vertices)) >= least,
        (*item, "vertices"),
        f"{what} has {len(set(vertices))} different vertices",
        f"A {'closed line' if closed else 'line'} needs at least {least} different vertices.",
    )
    for i, (a, b) in enumerate(itertools.pairwise(vertices)):
        require(
            a != b,
            (*item, "vertices", i + 1),
            f"vertex {i + 2} of {what} is where vertex {i + 1} is",
            "Leave one of them out.",
        )
    require(
        not closed or vertices[0] != vertices[-1],
        (*item, "vertices"),
        f"{what} is closed and ends where it begins",
        "Leave the last vertex out; the line closes itself.",
    )


def _check_count(count: int, item: ItemPath, what: str, kind: str, least: int) -> None:
    require(
        least <= count <= MOST_POINTS,
        item,
        f"{what} has {count} {kind}",
        f"It can have {least} to {MOST_POINTS}.",
    )


def _check_frequencies(
    frequencies: tuple[float, ...], item: ItemPath, what: str, needed: bool
) -> None:
    require(
        bool(frequencies) or not needed,
        item,
        f"{what} has no frequencies",
        "Give at least one, such as frequencies = [3.0].",
    )
    require(
        len(frequencies) <= MOST_FREQUENCIES,
        item,
        f"{what} has {len(frequencies)} frequencies",
        f"It can have up to {MOST_FREQUENCIES}; spread them over several monitors.",
    )
    for i, frequency in enumerate(frequencies):
        require(
            frequency > 0, (*item, i), f"frequency {i + 1} of {what} is {frequency:g}", _POSITIVE
        )
        require(
            frequencies.index(frequency) == i,
            (*item, i),
            f"{what} has the frequency {frequency:g} twice",
            "Leave one of them out.",
        )


def _check_times(begin: float, end: float | None, item: ItemPath, what: str, until: float) -> None:
    require(begin >= 0, (*item, "begin"), f"{what} begins at {begin:g}", "It must not be negative.")
    last = until if end is None else end
    if not math.isfinite(last):
        return  # refused elsewhere
    require(
        begin < last,
        (*item, "begin" if end is None else "end"),
        f"{what} begins at {begin:g} and ends at {last:g}",
        "It must end after it begins; without an end of its own it ends with the scene, at "
        "solver.until.",
    )
