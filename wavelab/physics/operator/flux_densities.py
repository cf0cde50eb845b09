"""D and B where media are not constant on an element: what a stepper advances there.

Kept as D / reference, so that they change by what the operator's rates say: after a stage

    D += b residual,  Ez = P[reference / epsilon(t) D],

with t the time of the state that the stage has made.  Nothing else of a stage changes.
"""

from __future__ import annotations

from wavelab.arrays import Array, Indices
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.media import Media, Profile, each_field


def flux_density(profile: Profile, nodal: Array, time: float) -> Array:
    """(n, nodes_per_element) D or B on the elements of a profile, from the field there."""
    scaled = profile.projection.undone(profile.shares(time), nodal)
    return profile.reference[:, None] * scaled


def conduction(media: Media, epsilon: Array, ez: Array, time: float) -> list[tuple[Indices, Array]]:
    """What conductivities that are not constant add to the operator's dEz/dt: elements and
    (n, nodes_per_element) -P[sigma Ez] / epsilon."""
    return [
        (
            p.elements,
            -p.projection.times(p.at(time), ez[p.elements]) / epsilon[p.elements, None],
        )
        for p in media.sigma
    ]


def corrected(media: Media, epsilon: Array, rates: Fields, fields: Fields, time: float) -> Fields:
    """d(hx, hy, ez)/dt from the operator's, which take every element as constant.

    Parameters
    ----------
    epsilon : (n_elements,) the operator's constant.
    rates : changed in place.
    """
    for elements, added in conduction(media, epsilon, fields.ez, time):
        rates.ez[elements] += added
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
    """

    def __init__(self, media: Media, epsilon: Array) -> None:
        self._media, self._epsilon = media, epsilon
        self._scaled: list[Array] = []

    def restart(self, fields: Fields, time: float) -> None:
        """Take over the fields of a moment."""
        self._scaled = [
            profile.projection.undone(profile.shares(time), getattr(fields, name)[profile.elements])
            for name, profile in each_field(self._media)
        ]

    def conduct(self, dez_dt: Array, ez: Array, time: float) -> None:
        """Add what conductivities do to the rate of change at a stage."""
        for elements, added in conduction(self._media, self._epsilon, ez, time):
            dez_dt[elements] += added

    def follow(self, fields: Fields, residual: Fields, b: float, time: float) -> None:
        """Correct the fields that a stage has made for ``time``."""
        for (name, profile), scaled in zip(each_field(self._media), self._scaled, strict=True):
            scaled += b * getattr(residual, name)[profile.elements]
            shares = profile.shares(time)
            getattr(fields, name)[profile.elements] = profile.projection.times(shares, scaled)
