"""Which monitor of a scene views show the findings of."""

from __future__ import annotations

from wavelab.physics.monitors.monitors import PosedMonitor
from wavelab.scene.model.monitors import FieldMonitor, IntensityMonitor
from wavelab.simulation.core.simulation import Simulation


def chosen_monitor(
    simulation: Simulation, kind: type[FieldMonitor | IntensityMonitor]
) -> tuple[PosedMonitor, int] | None:
    """The monitor that was chosen to be seen and the number of the frequency, or the first of a
    kind at its first frequency; None without one."""
    name, number = simulation.map
    known = [m for m in simulation.problem.monitors if isinstance(m.monitor, kind)]
    for posed in known:
        if posed.monitor.name == name:
            last = len(getattr(posed.monitor, "frequencies", (0.0,))) - 1
            return posed, min(number, last)
    return (known[0], 0) if known else None
