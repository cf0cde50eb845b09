"""Electromagnetic energy of the discrete fields, and the Poynting vector S = E x H: which way it
flows, and how much."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array, Indices
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import flux_density
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import each_field
from wavelab.physics.operator.tensor import turned


def energy_density(
    operator: MaxwellTM, fields: Fields, time: float = 0.0, weights: Array | None = None
) -> Array:
    """(D Ez + B . H) / 2 at the nodes; D = eps Ez and B = mu H where those are constants.

    Parameters
    ----------
    weights : (n_points, nodes_per_element) of the interpolation to points of every element, where
        the density is wanted in place of the nodes.
    """

    def there(nodal: Array) -> Array:
        return nodal if weights is None else nodal @ weights.T

    density = 0.5 * (
        operator.epsilon[:, None] * there(fields.ez) ** 2
        + operator.mu[:, None] * (there(fields.hx) ** 2 + there(fields.hy) ** 2)
    )
    for elements, (difference, field) in _in_media(operator, fields, time):
        density[elements] += 0.5 * there(difference) * there(field)
    return density


def element_energy(operator: MaxwellTM, fields: Fields, time: float = 0.0) -> Array:
    """(n_elements,) exact integral of the energy density over each element.

    The square of the polynomial is integrated through the mass matrix, so this is the quantity
    that the central flux conserves.

    Parameters
    ----------
    time : for media that change.
    """
    d = operator.discretization
    energy = 0.5 * (
        operator.epsilon * d.integrate_product(fields.ez, fields.ez)
        + operator.mu
        * (d.integrate_product(fields.hx, fields.hx) + d.integrate_product(fields.hy, fields.hy))
    )
    for elements, (difference, field) in _in_media(operator, fields, time):
        energy[elements] += 0.5 * np.einsum("kn,kn->k", d.apply_mass(difference, elements), field)
    return energy


def _in_media(
    operator: MaxwellTM, fields: Fields, time: float
) -> Iterator[tuple[Indices, tuple[Array, Array]]]:
    """Elements, by how much D or B there differ from the operator's constant times the field, and
    the field."""
    for name, profile in each_field(operator.media):
        field = getattr(fields, name)[profile.elements]
        density = flux_density(profile, field, time)
        yield profile.elements, (density - profile.reference[:, None] * field, field)
    for tensor in operator.media.tensors:
        here = fields.hx[tensor.elements], fields.hy[tensor.elements]
        for density, field in zip(turned(tensor.matrix, *here), here, strict=True):
            yield tensor.elements, (density - tensor.reference * field, field)


def power_flow(hx: ArrayLike, hy: ArrayLike, ez: ArrayLike) -> Array:
    """(..., 2) S = (-Ez Hy, Ez Hx) of (...) fields: power through a unit of length across."""
    hx, hy, ez = np.asarray(hx), np.asarray(hy), np.asarray(ez)
    return np.stack([-ez * hy, ez * hx], axis=-1)


def mean_power_flow(hx: ArrayLike, hy: ArrayLike, ez: ArrayLike) -> Array:
    """(..., 2) mean of S over a period, Re[E x H*] / 2, of (...) complex amplitudes."""
    return power_flow(np.conj(hx), np.conj(hy), np.asarray(ez)).real / 2
