"""What can be shown of a running simulation: its fields, error estimate, monitors and mesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.fields.gradients import gradient
from wavelab.output.palette import palette_fit
from wavelab.physics.materials.displacement import integral_of
from wavelab.physics.materials.materials import refractive_index
from wavelab.physics.notices.resolution import error_decades
from wavelab.physics.operator.maxwell_tm import maxwell
from wavelab.physics.stepper import ComingView, ViewAtHand
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import INTEGRAL, QUANTITIES, monitor_for
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.views.mesh_views import element_qualities, element_steps, on_elements
from wavelab.simulation.views.monitored import map_values
from wavelab.simulation.views.real_part import RealPart

Values = NDArray[np.float32]

#: (n_elements, nodes_per_element) of those of ``wavelab.scene.view.quantities.QUANTITIES`` that
#: neither a stepper nor a monitor computes.
COMPUTED: dict[str, Callable[[Simulation], Values]] = {
    "error": lambda s: error_decades(s.problem.operator, s.stepper.fields()),
    "index": lambda s: refractive_index(
        maxwell(s.problem.operator, "refractive indices"), s.time
    ).astype(np.float32),
    INTEGRAL: lambda s: _integral(s).astype(np.float32),
    "divergence": lambda s: _gradient(s)[0].astype(np.float32),
    "curl": lambda s: _gradient(s)[1].astype(np.float32),
    "quality": lambda s: on_elements(s.problem, element_qualities),
    "step": lambda s: on_elements(s.problem, element_steps),
}


def _gradient(simulation: Simulation) -> tuple[Array, Array]:
    """The divergence and the curl of the velocity, in each element."""
    fields, d = simulation.stepper.fields(), simulation.problem.discretization
    (vx_x, vx_y), (vy_x, vy_y) = (gradient(d, u) for u in (fields.vx, fields.vy))
    return vx_x + vy_y, vy_x - vx_y


def _integral(simulation: Simulation) -> Array:
    stepper = simulation.stepper
    found = integral_of(simulation.problem.auxiliary_equations, stepper.fields())
    return np.zeros(simulation.problem.discretization.shape) if found is None else found


def begin_view(simulation: Simulation, quantity: str) -> ComingView:
    """What :func:`view` would give now, without waiting for the device."""
    copies = simulation.problem.discretization.copies
    if quantity in COMPUTED or monitor_for(quantity) is not None:
        return ViewAtHand(view(simulation, quantity))
    shown = system_of(simulation.problem.scene).shown.get(quantity)
    coming = simulation.stepper.begin_view(quantity if shown is None else shown.of)
    if shown is not None and shown.sign < 0:
        coming = _Negative(coming)
    return coming if copies == 1 else RealPart(coming, copies)


def view(simulation: Simulation, quantity: str) -> Values:
    """(n_elements, nodes_per_element) nodal values of one of ``QUANTITIES``, on the elements of
    :attr:`wavelab.numerics.fields.discretization.Discretization.seen`."""
    return _of_all(simulation, quantity)[:: simulation.problem.discretization.copies]


def _of_all(simulation: Simulation, quantity: str) -> Values:
    """The same on all elements."""
    if (compute := COMPUTED.get(quantity)) is not None:
        return compute(simulation)
    if (kind := monitor_for(quantity)) is not None:
        return map_values(simulation, kind, quantity)
    shown = system_of(simulation.problem.scene).shown.get(quantity)
    if shown is None:
        return simulation.stepper.view(quantity)
    values = simulation.stepper.view(shown.of)
    return values if shown.sign > 0 else -values


@dataclass(frozen=True)
class _Negative:
    """A view of the solver's field with the other sign."""

    coming: ComingView

    @property
    def here(self) -> bool:
        return self.coming.here

    def values(self) -> Values | None:
        found = self.coming.values()
        return None if found is None else -found


def suited_palette(quantity: str, palette: str) -> str:
    """``palette``, or the usual one where it is not for quantities with, or without, a sign; a
    quantity that is not known is refused elsewhere."""
    signed = quantity in QUANTITIES and QUANTITIES[quantity].signed
    return palette_fit(palette, signed=signed)


def fixed_limit(quantity: str, limit: float | None) -> float | None:
    """The value at full colour that was asked for or that the quantity has; None follows it."""
    own = QUANTITIES[quantity].full_colour
    return limit if own is None else own


def shown_decades(quantity: str, decades: int | None) -> int | None:
    """The logarithmic scale that was asked for; none where the quantity has only a linear one."""
    return None if QUANTITIES[quantity].linear else decades
