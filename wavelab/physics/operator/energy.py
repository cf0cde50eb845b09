"""Electromagnetic energy of the discrete fields."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import flux_density
from wavelab.physics.operator.media import Media, each_field
from wavelab.physics.operator.tensor import turned


def energy_density(
    epsilon: Array,
    mu: Array,
    media: Media,
    fields: Fields,
    time: float,
    weights: Array | None,
) -> Array:
    """(D Ez + B . H) / 2 at the nodes; D = eps Ez and B = mu H where those are constants.  In Kerr
    media eps Ez^2 / 2 + 3/4 chi Ez^4 in place of D Ez / 2.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the operator's constants.
    weights : (n_points, nodes_per_element) of the interpolation to points of every element, where
        the density is wanted in place of the nodes.
    """

    def there(nodal: Array) -> Array:
        return nodal if weights is None else nodal @ weights.T

    density = 0.5 * (
        epsilon[:, None] * there(fields.ez) ** 2
        + mu[:, None] * (there(fields.hx) ** 2 + there(fields.hy) ** 2)
    )
    for elements, (difference, field) in excess(media, fields, time):
        density[elements] += 0.5 * there(difference) * there(field)
    for profile in media.kerr:
        # E D / 2 + chi E^4 / 4 is epsilon E^2 / 2 + 3/4 chi E^4.
        k, part = profile.elements, there(fields.ez[profile.elements])
        density[k] += 0.25 * (profile.kerr * profile.reference)[:, None] * part**4
    return density


def element_energy(
    d: Discretization, epsilon: Array, mu: Array, media: Media, fields: Fields, time: float
) -> Array:
    """(n_elements,) exact integral of the energy density over each element.

    The square of the polynomial is integrated through the mass matrix, so this is the quantity
    that the central flux conserves.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the operator's constants.
    time : for media that change.
    """
    energy = 0.5 * (
        epsilon * d.integrate_product(fields.ez, fields.ez)
        + mu
        * (d.integrate_product(fields.hx, fields.hx) + d.integrate_product(fields.hy, fields.hy))
    )
    for elements, (difference, field) in excess(media, fields, time):
        energy[elements] += 0.5 * np.einsum("kn,kn->k", d.apply_mass(difference, elements), field)
    for profile in media.kerr:
        k, ez = profile.elements, fields.ez[profile.elements]
        half = 0.5 * np.einsum("kn,kn->k", d.apply_mass(flux_density(profile, ez, time), k), ez)
        energy[k] += profile.kerr_energy(ez) - half
    return energy


def excess(
    media: Media, fields: Fields, time: float
) -> Iterator[tuple[Indices, tuple[Array, Array]]]:
    """Elements, by how much D or B there differ from the operator's constant times the field, and
    the field."""
    for name, profile in each_field(media):
        field = fields.part(name, profile.elements)
        there = np.flatnonzero(field.any(axis=1))
        if not len(there):
            continue
        if 2 * len(there) < len(field):  # to undo a projection takes long
            profile, field = profile.on_rows(there), field[there]
        density = flux_density(profile, field, time)
        yield profile.elements, (density - profile.reference[:, None] * field, field)
    for tensor in media.tensors:
        here = fields.hx[tensor.elements], fields.hy[tensor.elements]
        for density, field in zip(turned(tensor.matrix, *here), here, strict=True):
            yield tensor.elements, (density - tensor.reference * field, field)
