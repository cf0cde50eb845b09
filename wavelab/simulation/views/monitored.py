"""Which monitor of a scene views show the findings of."""

from __future__ import annotations

from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.scene.model.monitors import FieldMonitor, IntensityMonitor
from wavelab.simulation.core.simulation import Simulation


def chosen_monitor(
    simulation: Simulation, kind: type[FieldMonitor | IntensityMonitor]
) -> tuple[DiscreteMonitor, int] | None:
    """The monitor that was chosen to be seen and the number of the frequency, or the first of a
    kind at its first frequency; None without one."""
    name, number = simulation.map
    known = [m for m in simulation.problem.monitors if isinstance(m.monitor, kind)]
    for discretized in known:
        if discretized.monitor.name == name:
            last = len(getattr(discretized.monitor, "frequencies", (0.0,))) - 1
            return discretized, min(number, last)
    return (known[0], 0) if known else None
