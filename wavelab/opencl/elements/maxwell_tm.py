"""What the Maxwell kernels need to know about each element (kernels/element/maxwell_tm.cl.mako)."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.mesh.curved_elements import CurvedElements
from wavelab.opencl.elements.curved import DenseMatrices
from wavelab.physics.operator.maxwell_tm import MaxwellTM

#: Order of the coefficients in the device's buffer.
COEFFICIENTS = (
    "dr_dx", "dr_dy", "ds_dx", "ds_dy",
    "face_scale_0", "face_scale_1", "face_scale_2",
    "inverse_epsilon", "inverse_mu", "loss", "impedance",
    "reflection_0", "reflection_1", "reflection_2",
    "outside_impedance_0", "outside_impedance_1", "outside_impedance_2",
)  # fmt: skip


def coefficients(operator: MaxwellTM) -> Array:
    """(n_elements, len(COEFFICIENTS)): metric, material and walls.

    ``loss`` is sigma / epsilon.  The impedance outside a wall is that inside.  Where fields are
    held as they are, all that changes them is multiplied with 0.
    """
    d = operator.discretization
    outside_impedance = operator.impedance[d.connectivity.neighbor_element]
    columns = {
        "dr_dx": d.geometry.dr_dx,
        "dr_dy": d.geometry.dr_dy,
        "ds_dx": d.geometry.ds_dx,
        "ds_dy": d.geometry.ds_dy,
        "inverse_epsilon": 1 / operator.epsilon,
        "inverse_mu": 1 / operator.mu,
        "loss": operator.sigma / operator.epsilon,
        "impedance": operator.impedance,
    }
    for face in range(3):
        columns[f"face_scale_{face}"] = d.geometry.face_scale[:, face]
        columns[f"reflection_{face}"] = operator.reflection[:, face]
        columns[f"outside_impedance_{face}"] = outside_impedance[:, face]
    if operator.held is not None:
        for name in ("inverse_epsilon", "inverse_mu", "loss"):
            columns[name] = np.where(operator.held, 0.0, columns[name])
    # One after the other in memory: side by side, each would pass through all of it.
    return np.array([columns[name] for name in COEFFICIENTS]).T


def _of_curved(_: ReferenceElement, curved: CurvedElements) -> tuple[Array, ...]:
    return (
        curved.diff_x, curved.diff_y, curved.lift, curved.lift_x, curved.lift_y,
        curved.tangent_x, curved.tangent_y,
    )  # fmt: skip


CURVED = DenseMatrices("curved", "ROW * (2 * NP + 9 * NFP) + 6 * NFP * FACE_ROW", _of_curved)
