"""What can be shown of a running simulation: fields, energy density, error estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.resolution import ERROR_DECADES, error_decades
from wavelab.physics.stepper import QUANTITIES
from wavelab.simulation.simulation import Simulation

#: The steppers' own quantities, and the error estimate of each element in decades (see
#: ``wavelab.physics.resolution``).
VIEWS = (*QUANTITIES, "error")

#: The value at full colour of what has a scale of its own and no automatic range.
FIXED_LIMITS = {"error": ERROR_DECADES}


def view(simulation: Simulation, quantity: str) -> NDArray[np.float32]:
    """(n_elements, nodes_per_element) nodal values of one of ``VIEWS``."""
    if quantity == "error":
        return error_decades(simulation.problem.operator, simulation.stepper.fields())
    return simulation.stepper.view(quantity)


def fixed_limit(quantity: str, limit: float | None) -> float | None:
    """The value at full colour that was asked for or that the quantity has; None follows it."""
    return FIXED_LIMITS.get(quantity, limit)
