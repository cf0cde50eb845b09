"""Edits that place monitors, as pure functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wavelab.app.edits import Edit
from wavelab.scene.monitors import EnergyMonitor, FluxMonitor, LineMonitor, Monitor
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
    taken = {monitor.name for monitor in scene.monitors}
    name = next(n for i in range(1, len(taken) + 2) if (n := f"{kind} {i}") not in taken)
    monitors = (*scene.monitors, make(name, start, end))
    return Edit("Place monitor", check_scene(replace(scene, monitors=monitors)))
