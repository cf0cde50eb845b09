"""Media that are not constant on each element: graded in space, changing in time.

The operator has a constant epsilon, mu and sigma per element, with which its fluxes and its volume
term are computed.  Where a quantity is a formula that constant is only a reference, and the rate of
change is corrected element by element.  With the flux densities D = epsilon Ez and B = mu H, and
g the lifted right-hand side of dD/dt (the rate of the operator times its reference),

    dD/dt = g - sigma Ez,     Ez = P[D / epsilon],

where P is the projection onto the polynomials of the element by a quadrature.  The mass matrix of
epsilon would have to be inverted element by element; its inverse is replaced by M^-1 M[1/epsilon]
M^-1, whose factors all elements share: weight-adjusted discontinuous Galerkin (Chan, Hewett &
Warburton, *Weight-adjusted discontinuous Galerkin methods: wave propagation in heterogeneous
media*, 2017).  The order of accuracy stays N + 1, and the energy

    1/2 int D^2 / epsilon = 1/2 int D Ez

(the products of polynomials integrated exactly) obeys the same balance as with constants: the
fluxes conserve or lose what they do for any positive impedances of the two sides, a conductivity
takes int sigma Ez^2 (by the quadrature), and a medium that changes puts in -1/2 int D^2 epsilon_t
/ epsilon^2.  D and B are what goes on steadily when a medium changes suddenly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import UnstableError
from wavelab.physics.operator.profile import Profile
from wavelab.physics.operator.tensor import Tensor

#: Of the time in which epsilon or mu changes by as much as itself: a step of this length follows a
#: change to a few parts in a thousand.
_PART_OF_TIME_SCALE = 0.2
#: Fewest and most samples of how the energy may grow between two looks, and the logarithm of the
#: largest growth that is told apart.
_GROWTH_SAMPLES, _LARGEST_EXPONENT = (8, 512), 300.0
#: How far below the smallest value of all sampled times epsilon or mu may fall while running.
_SLACK = 0.1
#: Times that epsilon of a Kerr medium may seem larger in a strong field; it is all the same from
#: some hundred on.
_STRONG = 1e4
Part = TypeVar("Part", Profile, Tensor)
_NAMES = ("epsilon", "mu", "sigma", "magnetic_sigma")


@dataclass(frozen=True, eq=False)
class Media:
    """All that is not one constant on its element; an element occurs once per quantity.

    ``tensors`` are permeabilities that depend on the direction; where one is there is no profile
    of mu.  ``until`` is the time up to which the profiles were looked at.
    """

    epsilon: tuple[Profile, ...] = ()
    mu: tuple[Profile, ...] = ()
    sigma: tuple[Profile, ...] = ()
    magnetic_sigma: tuple[Profile, ...] = ()
    tensors: tuple[Tensor, ...] = ()
    until: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def profiles(self) -> tuple[Profile, ...]:
        return (*self.epsilon, *self.mu, *self.sigma, *self.magnetic_sigma)

    @property
    def densities(self) -> tuple[tuple[tuple[str, ...], tuple[Profile, ...]], ...]:
        """The fields that follow from something else that is advanced, those that do so in the same
        way together, and how: Ez of D by epsilon, H of B by mu."""
        return (("ez",), self.epsilon), (("hx", "hy"), self.mu)

    @property
    def parts(self) -> tuple[Profile | Tensor, ...]:
        """All, where it matters only that something is no constant."""
        return (*self.profiles, *self.tensors)

    @property
    def kerr(self) -> tuple[Profile, ...]:
        """Those of epsilon that depend on the field."""
        return tuple(profile for profile in self.epsilon if profile.kerr)

    @property
    def losses(self) -> tuple[tuple[tuple[str, ...], Profile], ...]:
        """The conductivities, each with the fields that it damps."""
        of_ez = ((("ez",), profile) for profile in self.sigma)
        of_h = ((("hx", "hy"), profile) for profile in self.magnetic_sigma)
        return (*of_ez, *of_h)

    @property
    def changes(self) -> bool:
        """Whether anything depends on time."""
        return any(profile.changes for profile in self.profiles)

    @property
    def longest_step(self) -> float:
        """Largest time step that follows how epsilon and mu change."""
        scales = [p.time_scale for p in (*self.epsilon, *self.mu)]
        return _PART_OF_TIME_SCALE * min(scales, default=np.inf)

    def restricted(self, place: Indices) -> Media:
        """For a part of the mesh, see :meth:`Profile.restricted`."""

        def kept(those: tuple[Part, ...]) -> tuple[Part, ...]:
            return tuple(part for each in those if len((part := each.restricted(place)).elements))

        profiles: dict[str, Any] = {name: kept(getattr(self, name)) for name in _NAMES}
        return replace(self, tensors=kept(self.tensors), **profiles)

    def extremes(self) -> list[Media]:
        """What bounds the spectrum of the operator at all times of the run, frozen.

        First the fastest: epsilon and mu at every point as small, and sigma as large, as at any
        time.  Two more, since the spectrum does not shrink as epsilon grows, though the norm of the
        operator does: a mode of Ez and H that decay at the rates a and b, coupled by w, has

            2 lambda = -(a + b) +- sqrt((a - b)^2 - 4 w^2).

        A larger epsilon makes a and w smaller, and where w holds the roots together lambda goes on
        to -b, up to twice as far from 0 as before.  That is so at a magnetic wall, where the flux
        damps H alone, and at a conductor, where it damps Ez alone, with mu.  So both are looked at
        where Ez, and where H, is as slow as it ever gets; and sigma too at its smallest, which may
        leave an undamped wave where a scheme allows least.  A Kerr medium is slower the stronger
        the field, without end, and never faster than for none.
        """
        changing = [
            name for name in _NAMES if any(p.changes or p.kerr for p in getattr(self, name))
        ]
        return [self._frozen(), *(self._frozen(slow=name) for name in changing)]

    def _frozen(self, slow: str = "") -> Media:
        """The fastest, but for one quantity that is as slow as it gets."""
        highest = {name: (slow == name) != name.endswith("sigma") for name in _NAMES}
        profiles: dict[str, Any] = {
            name: tuple(
                p.frozen(_highest(p) if highest[name] else p.lowest) for p in getattr(self, name)
            )
            for name in _NAMES
        }
        return replace(self, **profiles)

    def check(self, time: float) -> None:
        """Refuse media that have left the range for which the time step was chosen.

        Raises
        ------
        UnstableError : epsilon or mu is smaller than ever before ``until``.
        """
        if time <= self.until:
            return
        for profile in (*self.epsilon, *self.mu):
            if not profile.changes:
                continue
            now = profile.at(time)
            worst = int(np.argmin(now - (1 - _SLACK) * profile.lowest))
            if now.flat[worst] < (1 - _SLACK) * profile.lowest.flat[worst]:
                row = 0 if profile.uniform else worst // now.shape[1]
                raise UnstableError(
                    f"{profile.what} falls to {now.flat[worst]:.4g} at t = {time:.6g}; the time "
                    f"step was chosen for {profile.lowest.flat[worst]:.4g} and more",
                    remedy=f"The formula was looked at up to until = {self.until:g} in [solver]; "
                    "set that to the time the run shall last.",
                    element=int(profile.elements[row]),
                    time=time,
                )

    def growth(self, start: float, end: float) -> float:
        """Bound on the factor that the energy grows by because media change.

        With D and B held, the energy goes like 1 / epsilon and 1 / mu, point by point; these are
        looked at often enough to see how they swing.
        """
        changing = [p for p in (*self.epsilon, *self.mu) if p.changes]
        if not changing or end <= start:
            return 1.0
        scale = min(p.time_scale for p in changing)
        samples = int(np.clip(8 * (end - start) / scale, *_GROWTH_SAMPLES))
        times = np.linspace(start, end, samples + 1)
        falls = np.array([p.steepest_falls(times) for p in changing])
        return float(np.exp(np.minimum(falls.max(axis=0).sum(), _LARGEST_EXPONENT)))


NO_MEDIA = Media()


def _highest(profile: Profile) -> Array:
    return _STRONG * profile.highest if profile.kerr else profile.highest


def bounds(profiles: tuple[Profile, ...], constants: Array) -> tuple[Array, Array]:
    """(n_elements,) smallest and largest value in each element at any time of the run.

    Parameters
    ----------
    profiles : of one quantity; constants : (n_elements,) of the operator, elsewhere.
    """
    low, high = constants.copy(), constants.copy()
    for profile in profiles:
        low[profile.elements] = profile.lowest.min(axis=1)
        high[profile.elements] = profile.highest.max(axis=1)
    return low, high


def speed_range(media: Media, epsilon: Array, mu: Array) -> tuple[Array, Array]:
    """(n_elements,) bounds on the slowest and the fastest speed in each element, at any time.

    Parameters
    ----------
    epsilon, mu : (n_elements,) the constants of the operator.
    """
    lowest_epsilon, highest_epsilon = bounds(media.epsilon, epsilon)
    lowest_mu, highest_mu = bounds(media.mu, mu)
    for tensor in media.tensors:
        lowest_mu[tensor.elements], highest_mu[tensor.elements] = tensor.range
    return 1 / np.sqrt(highest_epsilon * highest_mu), 1 / np.sqrt(lowest_epsilon * lowest_mu)


def each_field(media: Media) -> Iterator[tuple[str, Profile]]:
    """The fields whose flux density is not a constant times them: ("ez", a profile of epsilon),
    ("hx", one of mu), ("hy", one of mu); of elastic waves parts of the fields."""
    for names, profiles in media.densities:
        for profile in profiles:
            for name in names:
                yield name, profile
