"""D and B where media are not constant on an element: what a stepper advances there.

Kept as D / reference, so that they change by what the operator's rates say: after a stage

    D += b residual,  Ez = P[reference / epsilon(t) D],

with t the time of the state that the stage has made.  Nothing else of a stage changes.
"""

from __future__ import annotations

from wavelab.arrays import Array
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.media import Media, Profile, each_field


def flux_density(profile: Profile, nodal: Array, time: float) -> Array:
    """(n, nodes_per_element) D or B on the elements of a profile, from the field there."""
    scaled = profile.projection.undone(profile.shares(time), nodal)
    return profile.reference[:, None] * scaled


def conduct(media: Media, epsilon: Array, dez_dt: Array, ez: Array, time: float) -> None:
    """Add what conductivities that are not constant do to the operator's dEz/dt, which is
    -P[sigma Ez] / epsilon on their elements."""
    for profile in media.sigma:
        here = profile.elements
        taken = profile.projection.times(profile.at(time), ez[here])
        dez_dt[here] += -taken / epsilon[here, None]


def corrected(media: Media, epsilon: Array, rates: Fields, fields: Fields, time: float) -> Fields:
    """d(hx, hy, ez)/dt from the operator's, which take every element as constant.

    Parameters
    ----------
    epsilon : (n_elements,) the operator's constant.
    rates : changed in place.
    """
    conduct(media, epsilon, rates.ez, fields.ez, time)
    for name, profile in each_field(media):
        rate, field = getattr(rates, name), getattr(fields, name)[profile.elements]
        shares, rule = profile.shares(time), profile.projection
        change = rule.times(shares, rate[profile.elements])
        if profile.changes:
            change += rule.times(profile.share_rates(time), rule.undone(shares, field))
        rate[profile.elements] = change
    return rates


class FluxDensities:
    """The state of the media of one stepper.

    Parameters
    ----------
    epsilon : (n_elements,) the operator's constant.

    Attributes
    ----------
    scaled : D and B / reference on the elements of each profile, which steps change in place.
    """

    def __init__(self, media: Media, epsilon: Array) -> None:
        self._media, self._epsilon = media, epsilon
        self.scaled: list[Array] = []

    def restart(self, fields: Fields, time: float) -> None:
        """Take over the fields of a moment."""
        self.scaled = [
            profile.projection.undone(profile.shares(time), getattr(fields, name)[profile.elements])
            for name, profile in each_field(self._media)
        ]

    def conduct(self, dez_dt: Array, ez: Array, time: float) -> None:
        """Add what conductivities do to the rate of change at a stage."""
        conduct(self._media, self._epsilon, dez_dt, ez, time)

    def follow(self, fields: Fields, residual: Fields, b: float, time: float) -> None:
        """Correct the fields that a stage has made for ``time``."""
        for (name, profile), scaled in zip(each_field(self._media), self.scaled, strict=True):
            scaled += b * getattr(residual, name)[profile.elements]
            shares = profile.shares(time)
            getattr(fields, name)[profile.elements] = profile.projection.times(shares, scaled)
