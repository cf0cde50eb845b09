"""What can be shown of a running simulation: its fields, error estimate, monitors and mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.output.palette import DEFAULT_DIVERGING, DEFAULT_SEQUENTIAL, PALETTES
from wavelab.physics.materials.materials import refractive_index
from wavelab.physics.notices.resolution import ERROR_DECADES, error_decades
from wavelab.physics.stepper import QUANTITIES, ComingView, ViewAtHand
from wavelab.scene.model.monitors import MONITOR_VIEWS, FieldMonitor, IntensityMonitor
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.views.mesh_views import MESH_VIEWS, mesh_view
from wavelab.simulation.views.monitored import chosen_monitor

#: The steppers' own quantities, and the error estimate of each element in decades (see
#: ``wavelab.physics.notices.resolution``); the index of refraction, sqrt(epsilon mu); what monitors
#: of the scene find; and the mesh.
VIEWS = (*QUANTITIES, "error", "index", *MONITOR_VIEWS, *MESH_VIEWS)
#: Those of them that have a sign.
SIGNED = ("ez", "hx", "hy")

Values = NDArray[np.float32]

#: The value at full colour of what has a scale of its own and no automatic range.
FIXED_LIMITS = {"error": ERROR_DECADES, "quality": 1.0}
#: Those for which there is no logarithmic scale; numbers like 1 and 1.5 would have one colour.
LINEAR = (*FIXED_LIMITS, "index")


def begin_view(simulation: Simulation, quantity: str) -> ComingView:
    """What :func:`view` would give now, without waiting for the device."""
    if quantity in QUANTITIES:
        return simulation.stepper.begin_view(quantity)
    return ViewAtHand(view(simulation, quantity))


def view(simulation: Simulation, quantity: str) -> Values:
    """(n_elements, nodes_per_element) nodal values of one of ``VIEWS``."""
    if quantity == "error":
        return error_decades(simulation.problem.operator, simulation.stepper.fields())
    if quantity == "index":
        return refractive_index(simulation.problem.operator, simulation.time).astype(np.float32)
    if quantity in MESH_VIEWS:
        return mesh_view(simulation.problem, quantity)
    if quantity in MONITOR_VIEWS:
        return _monitored(simulation, MONITOR_VIEWS[quantity])
    return simulation.stepper.view(quantity)


def _monitored(simulation: Simulation, kind: type[FieldMonitor | IntensityMonitor]) -> Values:
    """What the monitor has found that was chosen, or the first of a kind; 0 outside of its shape,
    and without one."""
    values = np.zeros(simulation.problem.discretization.shape, np.float32)
    found = chosen_monitor(simulation, kind)
    if found is not None:
        discretized, frequency = found
        sums = simulation.sums_of(discretized)
        assert sums is not None
        ez = discretized.transforms[0].components.index("ez")
        if kind is FieldMonitor:
            values[discretized.elements] = np.abs(sums.amplitude[frequency, ez])
        else:
            values[discretized.elements] = sums.mean[0, ez]
    return values


def suited_palette(quantity: str, palette: str) -> str:
    """``palette``, or the usual one where it is not for quantities with, or without, a sign."""
    signed = quantity in SIGNED
    if palette not in PALETTES or PALETTES[palette].diverging == signed:
        return palette
    return DEFAULT_DIVERGING if signed else DEFAULT_SEQUENTIAL


def fixed_limit(quantity: str, limit: float | None) -> float | None:
    """The value at full colour that was asked for or that the quantity has; None follows it."""
    return FIXED_LIMITS.get(quantity, limit)


def shown_decades(quantity: str, decades: int | None) -> int | None:
    """The logarithmic scale that was asked for; none where the quantity is ``LINEAR``."""
    return None if quantity in LINEAR else decades
