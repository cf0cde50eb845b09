"""What the kernels of elastic waves need to know about each element
(kernels/element/elastic.cl.mako)."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.mesh.curved_elements import CurvedElements
from wavelab.numerics.mesh.curved_faces import curved_faces
from wavelab.opencl.elements.curved import DenseMatrices
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.elastic_flux import face_weights

#: Order of the coefficients in the device's buffer.
COEFFICIENTS = (
    "dr_dx", "dr_dy", "ds_dx", "ds_dy",
    "face_scale_0", "face_scale_1", "face_scale_2",
    "inverse_density", "lame", "shear", "impedance_p", "impedance_s",
    *(f"{name}_{wave}_{face}" for name in ("reflection", "outside", "weight")
      for wave in "ps" for face in range(3)),
)  # fmt: skip


def coefficients(operator: ElasticPSV) -> Array:
    """(n_elements, len(COEFFICIENTS)): metric, material and walls.

    The impedances outside a wall are those inside.  Where fields are held as they are, all that
    changes them is multiplied with 0.
    """
    g, near = operator.discretization.geometry, operator.discretization.connectivity
    z = operator.impedances
    moving = 1.0 if operator.held is None else np.where(operator.held, 0.0, 1.0)
    columns = {
        "dr_dx": g.dr_dx,
        "dr_dy": g.dr_dy,
        "ds_dx": g.ds_dx,
        "ds_dy": g.ds_dy,
        "inverse_density": moving / operator.density,
        "lame": moving * operator.lame,
        "shear": moving * operator.mu,
        "impedance_p": z[:, 0],
        "impedance_s": z[:, 1],
    }
    outside, weights = z[near.neighbor_element], face_weights(operator)
    for face in range(3):
        columns[f"face_scale_{face}"] = g.face_scale[:, face]
        for i, wave in enumerate("ps"):
            columns[f"reflection_{wave}_{face}"] = operator.reflection[:, face, i]
            columns[f"outside_{wave}_{face}"] = outside[:, face, i]
            columns[f"weight_{wave}_{face}"] = weights[:, face, i]
    return np.array([columns[name] for name in COEFFICIENTS]).T


def _of_curved(element: ReferenceElement, curved: CurvedElements) -> tuple[Array, ...]:
    faces = curved_faces(element, curved)
    normals = np.stack([faces.normal_x, faces.normal_y], axis=1).reshape(len(curved), -1)
    return faces.diff_x, faces.diff_y, faces.lift, faces.to_points, normals


CURVED = DenseMatrices(
    "curved_elastic", "ROW * (2 * NP + 3 * NFP) + 3 * NFP * FACE_ROW + 6 * NFP", _of_curved
)
