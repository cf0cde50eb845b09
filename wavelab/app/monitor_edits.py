"""Edits that place monitors, as pure functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wavelab.app.edits import Edit, free_name
from wavelab.scene.monitors import (
    MONITOR_VIEWS,
    EnergyMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    Monitor,
)
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import Point, Rectangle
from wavelab.scene.validate import check_scene


@dataclass(frozen=True)
class Measured:
    """Something that can be measured by pointing: what it is called, how it is placed ("click",
    "line" or "box"), and the monitor it makes of a name and the two ends of a drag; None makes a
    probe."""

    label: str
    placing: str
    make: Callable[[str, Point, Point], Monitor] | None = None


def _box(start: Point, end: Point) -> Rectangle:
    (x0, y0), (x1, y1) = start, end
    return Rectangle((min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1)))


#: What the probe tool can place.
MEASURED: dict[str, Measured] = {
    "point": Measured("Ez at a point", "click"),
    "line": Measured(
        "Ez along a line", "line", lambda name, start, end: LineMonitor(name, (start, end))
    ),
    "flux": Measured(
        "power through a line", "line", lambda name, start, end: FluxMonitor(name, (start, end))
    ),
    "energy": Measured(
        "energy in a box", "box", lambda name, start, end: EnergyMonitor(name, _box(start, end))
    ),
}


def add_monitor(scene: Scene, kind: str, start: Point, end: Point) -> Edit:
    """A monitor of a kind of ``MEASURED`` between two points.

    Raises
    ------
    ItemError : it cannot be there.
    """
    make = MEASURED[kind].make
    assert make is not None
    name = free_name(kind, (monitor.name for monitor in scene.monitors))
    monitors = (*scene.monitors, make(name, start, end))
    return Edit("Place monitor", check_scene(replace(scene, monitors=monitors)))


def add_monitor_for(scene: Scene, quantity: str) -> Edit | None:
    """A monitor of the whole domain for a view that needs one; None where the scene does not say
    at which frequency."""
    name = free_name(quantity, (monitor.name for monitor in scene.monitors))
    if MONITOR_VIEWS[quantity] is IntensityMonitor:
        monitor: Monitor = IntensityMonitor(name)
    else:
        frequency = _driven_frequency(scene)
        if frequency is None:
            return None
        monitor = FieldMonitor(name, (frequency,))
    return Edit("Add monitor", replace(scene, monitors=(*scene.monitors, monitor)))


def _driven_frequency(scene: Scene) -> float | None:
    """That of the first source that has one."""
    for source in scene.sources:
        frequency = getattr(getattr(source, "waveform", None), "frequency", None)
        if isinstance(frequency, float):
            return frequency
    return None
