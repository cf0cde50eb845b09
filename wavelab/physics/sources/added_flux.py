"""What a wave that is added to the state outside of faces adds to the flux, which is linear in it
(:mod:`wavelab.physics.sources.incident`): of scalar waves and of elastic ones."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.elastic_flux import face_upwinding as elastic_upwinding
from wavelab.physics.operator.elastic_flux import face_weights, in_plane
from wavelab.physics.operator.maxwell_tm import MaxwellTM, face_upwinding


def added_flux(
    operator: MaxwellTM, elements: Indices, faces: Indices, e: Array, h: Array
) -> tuple[Array, Array]:
    """What Ez and H added to the state outside of faces add to E* - E- and H* - H-.

    See :func:`wavelab.physics.operator.maxwell_tm.numerical_flux`, which is linear in both.

    Parameters
    ----------
    e, h : (n, nodes_per_face).
    """
    z = operator.impedance[elements, None]
    outside = operator.discretization.connectivity.neighbor_element[elements, faces]
    z_outside = operator.impedance[outside, None]
    a = face_upwinding(operator)[elements, faces, None]
    return (
        (e / z_outside + a * h) / (1 / z + 1 / z_outside),
        (z_outside * h + a * e) / (z + z_outside),
    )


def elastic_flux(
    operator: ElasticPSV, elements: Indices, faces: Indices, velocity: Array, traction: Array
) -> Array:
    """(n, 5, nodes_per_face) what velocity and traction added to the state outside of straight
    faces have lifted to the rates of change of the fields.

    Parameters
    ----------
    velocity, traction : (n, nodes_per_face, 2).
    """
    of_v, of_t = added_elastic_flux(operator, elements, faces, velocity, traction)
    g = operator.discretization.geometry
    scale = g.face_scale[elements, faces, None]
    nx, ny = (normal[elements, faces, None] for normal in (g.normal_x, g.normal_y))
    of_vx, of_vy = (scale * of for of in in_plane(of_v, nx, ny))
    of_tx, of_ty = (scale * of for of in in_plane(of_t, nx, ny))
    density = operator.density[elements, None]
    lame, mu = operator.lame[elements, None], operator.mu[elements, None]
    strain_x, strain_y = nx * of_vx, ny * of_vy
    return np.stack(
        [
            of_tx / density,
            of_ty / density,
            (lame + 2 * mu) * strain_x + lame * strain_y,
            lame * strain_x + (lame + 2 * mu) * strain_y,
            mu * (ny * of_vx + nx * of_vy),
        ],
        axis=1,
    )


def added_elastic_flux(
    operator: ElasticPSV, elements: Indices, faces: Indices, velocity: Array, traction: Array
) -> tuple[Array, Array]:
    """What they add to v* - v- and traction* - traction-, (..., 2) along normal and tangent; see
    :func:`wavelab.physics.operator.elastic.numerical_flux`, which is linear in both."""
    z = operator.impedances[elements][:, None]
    outside = operator.discretization.connectivity.neighbor_element[elements, faces]
    z_outside = operator.impedances[outside][:, None]
    weight = face_weights(operator)[elements, faces][:, None]
    a = elastic_upwinding(operator)[elements, faces][:, None]
    return (
        weight * (z_outside * velocity + a * traction),
        weight * z * (traction + a * z_outside * velocity),
    )
