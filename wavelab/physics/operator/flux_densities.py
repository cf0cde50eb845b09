"""D and B where media are not one constant on an element: what a stepper advances there.

Kept as D / reference, so that they change by what the operator's rates say: after a stage

    D += b residual,  Ez = P[reference / epsilon(t) D],

with t the time of the state that the stage has made.  In a Kerr medium it is Ez = P[E], with E the
root of D = epsilon E + chi E^3 at each point of the quadrature.  The sum of E dD over those points
is then that of Ez dD, so that the energy obeys the same balance as that of linear media, whatever
the quadrature leaves out of products of waves (aliasing).  Nothing else of a stage changes.

Where mu is a tensor that does not change in time the rates of H are turned instead, which is the
same.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.media import Media, each_field
from wavelab.physics.operator.profile import Profile
from wavelab.physics.operator.tensor import turned


def flux_density(profile: Profile, nodal: Array, time: float) -> Array:
    """(n, nodes_per_element) D or B on the elements of a profile, from the field there."""
    return profile.reference[:, None] * profile.scaled(nodal, time)


def conduct(
    media: Media, epsilon: Array, mu: Array, rates: Fields, fields: Fields, time: float
) -> None:
    """Add what conductivities that are not constant do to the operator's rates, which is
    -P[sigma Ez] / epsilon on their elements, and likewise for H and mu.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the operator's constants.
    rates : changed in place.
    """
    for names, profile in media.losses:
        here = profile.elements
        for name in names:
            taken = profile.projection.times(profile.at(time), getattr(fields, name)[here])
            getattr(rates, name)[here] += -taken / (epsilon if name == "ez" else mu)[here, None]


def turn(media: Media, rates: Fields) -> None:
    """Make the rates of H of those of B / mu, in place, where mu is a tensor."""
    for tensor in media.tensors:
        here = tensor.elements
        rates.hx[here], rates.hy[here] = turned(tensor.share, rates.hx[here], rates.hy[here])


def corrected(
    media: Media, epsilon: Array, mu: Array, rates: Fields, fields: Fields, time: float
) -> Fields:
    """d(hx, hy, ez)/dt from the operator's, which take every element as constant.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the operator's constants.
    rates : changed in place.
    """
    conduct(media, epsilon, mu, rates, fields, time)
    turn(media, rates)
    for name, profile in each_field(media):
        here = profile.elements
        rate, field = rates.part(name, here), fields.part(name, here)
        rates.put(name, here, profile.field_rates(rate, field, time))
    return rates


def scaled(media: Media, fields: Fields) -> Array:
    """(n_fields, n_elements, nodes_per_element) D and B over the operator's constants, of media
    that do not change."""
    found = fields.copy()
    for name, profile in each_field(media):
        here = profile.elements
        found.put(name, here, profile.scaled(fields.part(name, here), 0.0))
    return np.array(found.arrays)


class FluxDensities:
    """The state of the media of one stepper.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the operator's constants.

    Attributes
    ----------
    scaled : D and B / reference on the elements of each profile, which steps change in place.
    """

    def __init__(self, media: Media, epsilon: Array, mu: Array) -> None:
        self._media, self._epsilon, self._mu = media, epsilon, mu
        self.scaled: list[Array] = []

    def restart(self, fields: Fields, time: float) -> None:
        """Take over the fields of a moment."""
        self.scaled = [
            profile.scaled(fields.part(name, profile.elements), time)
            for name, profile in each_field(self._media)
        ]

    def conduct(self, rates: Fields, fields: Fields, time: float) -> None:
        """Add what conductivities do to the rates of change at a stage."""
        conduct(self._media, self._epsilon, self._mu, rates, fields, time)

    def turn(self, rates: Fields) -> None:
        """What tensors make of the rates of change at a stage, when all else has been added."""
        turn(self._media, rates)

    def follow(self, fields: Fields, residual: Fields, b: float, time: float) -> None:
        """Correct the fields that a stage has made for ``time``."""
        for (name, profile), scaled in zip(each_field(self._media), self.scaled, strict=True):
            scaled += b * residual.part(name, profile.elements)
            fields.put(name, profile.elements, profile.field(scaled, time))

    def add_to_ez(self, fields: Fields, change: Array, time: float) -> None:
        """Add to D what ``change``, (n_elements, nodes_per_element), of Ez is in a linear medium,
        and let Ez follow, in place."""
        ez = fields.ez
        ez += change
        for (name, profile), scaled in zip(each_field(self._media), self.scaled, strict=True):
            if name == "ez":
                scaled += profile.projection.undone(profile.shares(time), change[profile.elements])
                ez[profile.elements] = profile.field(scaled, time)
