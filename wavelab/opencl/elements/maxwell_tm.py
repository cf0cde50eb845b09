"""What the Maxwell kernels need to know about each element (kernels/element/maxwell_tm.cl.mako)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.physics.operator.maxwell_tm import MaxwellTM

#: Order of the coefficients in the device's buffer.
COEFFICIENTS = (
    "dr_dx", "dr_dy", "ds_dx", "ds_dy",
    "face_scale_0", "face_scale_1", "face_scale_2",
    "inverse_epsilon", "inverse_mu", "loss", "impedance",
    "reflection_0", "reflection_1", "reflection_2",
    "outside_impedance_0", "outside_impedance_1", "outside_impedance_2",
)  # fmt: skip


#: The same in two parts, for kernels that find everything but the metric in a table.
METRIC = COEFFICIENTS[:4]
MATERIAL = COEFFICIENTS[7:]


def material_table(
    coefficients: Array,
) -> tuple[Array, NDArray[np.int32]]:
    """The different rows of the material part, and which of them each element has.

    Parameters
    ----------
    coefficients : (n_elements, len(COEFFICIENTS)).

    Returns
    -------
    table (n_rows, len(MATERIAL)) and (n_elements,) int32.
    """
    rows = np.ascontiguousarray(coefficients[:, 7:])
    # Sorting one number per row is ten times faster than sorting rows.  Rows that differ get the
    # same number with a probability of about 2^-64 a pair; the comparison makes sure.
    odd = np.random.default_rng(0).integers(0, 2**63, rows.shape[1], dtype=np.uint64) * 2 + 1
    mixed = rows.view(np.uint64) * odd
    keys = ((mixed ^ (mixed >> np.uint64(29))) * odd).sum(axis=1, dtype=np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    table = rows[first]
    if not np.array_equal(table[inverse], rows):
        table, inverse = np.unique(rows, axis=0, return_inverse=True)
    return table, inverse.reshape(-1).astype(np.int32)


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
