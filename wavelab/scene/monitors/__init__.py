"""Monitors: what a scene measures besides the field at its probes.  A kind is one file: what it
asks of the mesh and the wave, what it makes of what comes back, its rules, tables and words, and
how it is placed and drawn."""

from __future__ import annotations

from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.monitors.energy import EnergyMonitor
from wavelab.scene.monitors.far_field import FarFieldMonitor
from wavelab.scene.monitors.field import FieldMonitor
from wavelab.scene.monitors.flux import FluxMonitor
from wavelab.scene.monitors.half_space import HalfSpaceMonitor
from wavelab.scene.monitors.intensity import IntensityMonitor
from wavelab.scene.monitors.line import LineMonitor
from wavelab.scene.monitors.modes import ModeMonitor

#: The ``kind`` written in a scene file.
MONITORS: dict[str, type[Monitor]] = {
    "line": LineMonitor,
    "flux": FluxMonitor,
    "energy": EnergyMonitor,
    "field": FieldMonitor,
    "intensity": IntensityMonitor,
    "far_field": FarFieldMonitor,
    "modes": ModeMonitor,
    "half_space": HalfSpaceMonitor,
}


def monitor_kind(monitor: Monitor | type[Monitor]) -> str:
    """What a scene file calls it."""
    type_ = monitor if isinstance(monitor, type) else type(monitor)
    return next(kind for kind, known in MONITORS.items() if known is type_)
