"""Solids and fluids whose density and moduli are formulas of the place.

What is advanced there is momentum and strain, in parts of the constants that the operator has on
each element (:mod:`wavelab.physics.operator.flux_densities`).  With P the projection of a product
onto the polynomials of an element,

    v = P[m / density],   (sxx + syy) / 2 = P[(lambda + mu) (exx + eyy)],
    (sxx - syy) / 2 = P[mu (exx - eyy)],   sxy = P[2 mu exy].

These three laws do not mix, so each is that of a scalar, weight-adjusted in the same way (Chan,
Hewett & Warburton 2017; :mod:`wavelab.physics.operator.media`), and the energy

    1/2 int m . v + s : e

obeys the balance of constant media: the flux conserves it for upwinding 0, and loses what it does
else, for any positive impedances of both sides.  A fluid has the first two laws alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.operator.media import Media
from wavelab.physics.operator.profile import Profile

#: What stands between what is advanced and the fields.
MODULI = ("density", "compression", "shear")
_NAMES = (*MODULI, "p_speed", "s_speed")


@dataclass(frozen=True, eq=False)
class ElasticMedia(Media):
    """What of elastic media is not one constant on its element; nothing of it changes in time.

    Attributes
    ----------
    density : of the velocity.
    compression : 1 / (lambda + mu), of the mean of sxx and syy.
    shear : 1 / mu, of their difference and of sxy; none in a fluid.
    p_speed, s_speed : on the elements of all these, s_speed not in fluids; nothing is advanced by
        them.
    """

    density: tuple[Profile, ...] = ()
    compression: tuple[Profile, ...] = ()
    shear: tuple[Profile, ...] = ()
    p_speed: tuple[Profile, ...] = ()
    s_speed: tuple[Profile, ...] = ()

    @property
    def profiles(self) -> tuple[Profile, ...]:
        return (*self.density, *self.compression, *self.shear)

    @property
    def densities(self) -> tuple[tuple[tuple[str, ...], tuple[Profile, ...]], ...]:
        return (
            (("vx", "vy"), self.density),
            (("mean",), self.compression),
            (("differ", "sxy"), self.shear),
        )

    def restricted(self, place: Indices) -> ElasticMedia:
        found: dict[str, Any] = {
            name: tuple(
                part
                for profile in getattr(self, name)
                if len((part := profile.restricted(place)).elements)
            )
            for name in _NAMES
        }
        return replace(self, **found)

    def extremes(self) -> list[Media]:
        return [self]

    def range(self, name: str, constants: Array) -> tuple[Array, Array]:
        """(n_elements,) smallest and largest of one of them in each element, and ``constants``
        where it has no profile."""
        low, high = constants.copy(), constants.copy()
        for profile in getattr(self, name):
            low[profile.elements] = profile.lowest.min(axis=1)
            high[profile.elements] = profile.highest.max(axis=1)
        return low, high

    def at_nodes(self, name: str, constants: Array, n_nodes: int) -> Array:
        """(n_elements, n_nodes) one of them, by projection."""
        found = np.repeat(constants[:, None], n_nodes, axis=1)
        for profile in getattr(self, name):
            found[profile.elements] = profile.projection.from_points(profile.lowest)
        return found

    def shares_at_nodes(self, elements: Indices, n_nodes: int) -> tuple[Array, Array, Array]:
        """(n, n_nodes) each, on some elements: density, lambda + mu and mu over the constants of
        the operator, by projection; 1 where they are these."""
        found = {name: np.ones((len(elements), n_nodes)) for name in MODULI}
        for name, shares in found.items():
            for rows, part in self._on(name, elements):
                shares[rows] = part.projection.from_points(part.shares(0.0))
        return 1 / found["density"], found["compression"], found["shear"]

    def _on(self, name: str, elements: Indices) -> Iterator[tuple[Indices, Profile]]:
        """Rows of ``elements``, and the profile of one of them there."""
        for profile in getattr(self, name):
            _, rows, mine = np.intersect1d(elements, profile.elements, return_indices=True)
            if len(rows):
                yield rows, profile.on_rows(mine)

    def undone(self, name: str, elements: Indices, nodal: Array) -> Array:
        """What has to be added to the momentum or the strain, in parts of the operator's constants,
        for ``nodal`` to be added to the velocity or the stress.

        Parameters
        ----------
        name : "density", "compression" or "shear".
        elements : (n,) distinct.
        nodal : (n, nodes_per_element).
        """
        found = nodal.copy()
        for rows, part in self._on(name, elements):
            found[rows] = part.scaled(nodal[rows], 0.0)
        return found


NO_ELASTIC_MEDIA = ElasticMedia()
