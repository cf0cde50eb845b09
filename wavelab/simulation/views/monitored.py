"""What monitors of a scene find, for views."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.monitors.findings import findings
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.scene.monitors import Monitor
from wavelab.simulation.core.simulation import Simulation


def chosen_monitor(
    simulation: Simulation, kind: type[Monitor]
) -> tuple[DiscreteMonitor, int] | None:
    """The monitor that was chosen to be seen and the number of the frequency, or the first of a
    kind at its first frequency; None without one."""
    name, number = simulation.map
    known = [m for m in simulation.problem.monitors if isinstance(m.monitor, kind)]
    for discretized in known:
        if discretized.monitor.name == name:
            last = len(discretized.transforms[0].frequencies) - 1
            return discretized, min(number, last)
    return (known[0], 0) if known else None


def map_values(
    simulation: Simulation, kind: type[Monitor], quantity: str, time: float | None = None
) -> NDArray[np.float32]:
    """The map of the monitor that was chosen, or of the first of a kind; 0 outside of its shape,
    and without one.

    Parameters
    ----------
    quantity : what of it.
    time : of what swings; None for now.
    """
    time = simulation.time if time is None else time
    d = simulation.problem.discretization
    values = np.zeros(d.shape, np.float32)
    if (chosen := chosen_monitor(simulation, kind)) is not None:
        discretized, frequency = chosen
        found = findings(discretized, simulation.sums_of(discretized), d.x, d.y)
        values[discretized.elements] = discretized.monitor.shown(found, quantity, frequency, time)
    return values
