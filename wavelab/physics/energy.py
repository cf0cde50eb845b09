"""Electromagnetic energy of the discrete fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM

Array = NDArray[np.float64]


def energy_density(operator: MaxwellTM, fields: Fields) -> Array:
    """(eps Ez^2 + mu (Hx^2 + Hy^2)) / 2 at the nodes."""
    return 0.5 * (
        operator.epsilon[:, None] * fields.ez**2
        + operator.mu[:, None] * (fields.hx**2 + fields.hy**2)
    )


def element_energy(operator: MaxwellTM, fields: Fields) -> Array:
    """(n_elements,) exact integral of the energy density over each element.

    The square of the polynomial is integrated through the mass matrix, so this is the quantity
    that the central flux conserves.
    """
    d = operator.discretization
    return 0.5 * (
        operator.epsilon * d.integrate_product(fields.ez, fields.ez)
        + operator.mu
        * (d.integrate_product(fields.hx, fields.hx) + d.integrate_product(fields.hy, fields.hy))
    )
