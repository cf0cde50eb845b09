"""Semi-discrete Maxwell equations, transverse magnetic, and their NumPy right-hand side.

mu  dHx/dt = -dEz/dy
mu  dHy/dt =  dEz/dx
eps dEz/dt =  dHy/dx - dHx/dy - sigma Ez - Jz
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import inside_trace, outside_trace, tangential
from wavelab.numerics.mesh.curved_elements import CurvedElements
from wavelab.physics.operator.energy import element_energy, energy_density
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.flux_densities import FluxDensities, corrected, flux_density
from wavelab.physics.operator.media import NO_MEDIA, Media, each_field, speed_range
from wavelab.physics.operator.operator import Operator
from wavelab.physics.operator.tensor import turned
from wavelab.scene.systems.scalar_waves import not_made


@dataclass(frozen=True, eq=False)
class MaxwellTM(Operator):
    """Everything that fixes the semi-discrete operator.

    Attributes
    ----------
    epsilon, mu : (n_elements,) relative permittivity and permeability, > 0.
    sigma : (n_elements,) conductivity, 1 / time.
    reflection : (n_elements, 3) reflection coefficient R in [-1, 1] of each boundary face: the
        ghost state is Ez+ = R Ez-, H+ = -R H-.  Not used on interior faces.
    upwinding : 0 (central flux, conserves energy) to 1 (upwind flux), the chapter's alpha.
    media : where epsilon, mu or sigma are not constants; the arrays have a reference there.
    raised, raised_mu : (n_elements,) how many times those of the medium epsilon and mu are, where
        it conducts well, see :mod:`wavelab.physics.materials.good_conductors`; None for once
        everywhere.
    phases : (n_elements, 3) radians by which complex fields that come in through a face are ahead
        of those at the edge that it is glued to; None for real fields.
    held : (n_elements,) where the fields stay as they are, since others compute them: the halo of
        a subdomain.  Neighbours see its impedance.  None for nowhere.
    """

    discretization: Discretization
    epsilon: Array
    mu: Array
    sigma: Array
    reflection: Array
    upwinding: float
    media: Media = NO_MEDIA
    raised: Array | None = None
    raised_mu: Array | None = None
    phases: Array | None = None
    held: Mask | None = None

    fields = MaxwellFields
    pinged = ("ez",)

    @property
    def slowest(self) -> Array:
        """(n_elements,) smallest speed of light in each element, relative to vacuum."""
        return self._speeds()[0]

    @property
    def fastest(self) -> Array:
        """(n_elements,) largest speed of light in each element at any time of the run."""
        return self._speeds()[1]

    def on(self, part: Discretization, origin: Indices, at_cuts: float) -> MaxwellTM:
        place = np.full(self.discretization.n_elements, -1, np.int64)
        place[origin] = np.arange(len(origin))
        wall = self.discretization.connectivity.is_boundary[origin]
        return MaxwellTM(
            part,
            self.epsilon[origin],
            self.mu[origin],
            self.sigma[origin],
            np.where(wall, self.reflection[origin], at_cuts),
            self.upwinding,
            self.media.restricted(place),
            None if self.raised is None else self.raised[origin],
            None if self.raised_mu is None else self.raised_mu[origin],
        )

    @property
    def slownesses(self) -> Array:
        return np.sqrt(self.epsilon * self.mu)[None]

    def densities(self, fields: Array) -> Array:
        found = super().densities(fields)
        for name, profile in each_field(self.media):
            here = self.fields.names.index(name), profile.elements
            found[here] = flux_density(profile, fields[here], 0.0)
        for tensor in self.media.tensors:
            k = tensor.elements
            found[0, k], found[1, k] = turned(tensor.matrix, fields[0, k], fields[1, k])
        return found

    @property
    def decay(self) -> Array:
        return self.sigma / self.epsilon

    @property
    def norm(self) -> Mapping[str, Array]:
        return {"ez": self.epsilon, "hx": self.mu, "hy": self.mu}

    @property
    def energy_matrix(self) -> Mapping[tuple[str, str], Array]:
        return {(name, name): weight for name, weight in self.norm.items()}

    def constant_rates(self, fields: Fields) -> Fields:
        return constant_right_hand_side(self, fields)

    def corrected(self, rates: Fields, fields: Fields, time: float) -> Fields:
        return corrected(self.media, self.epsilon, self.mu, rates, fields, time)

    def flux_densities(self) -> FluxDensities:
        return FluxDensities(self.media, self.epsilon, self.mu)

    def energy_density(
        self, fields: Fields, time: float = 0.0, weights: Array | None = None
    ) -> Array:
        return energy_density(self.epsilon, self.mu, self.media, fields, time, weights)

    def element_energy(self, fields: Fields, time: float = 0.0) -> Array:
        d = self.discretization
        return element_energy(d, self.epsilon, self.mu, self.media, fields, time)

    def _speeds(self) -> tuple[Array, Array]:
        if self.media:
            return speed_range(self.media, self.epsilon, self.mu)
        speed = 1 / np.sqrt(self.epsilon * self.mu)
        return speed, speed

    @property
    def impedance(self) -> Array:
        """(n_elements,) Z = sqrt(mu / epsilon), and less in good conductors, more in magnetic ones:
        fluxes are right with any Z, and lose energy alone."""
        impedance = np.sqrt(self.mu / self.epsilon)
        if self.raised is not None:
            impedance = impedance * self.raised**-0.25
        return impedance if self.raised_mu is None else impedance * self.raised_mu**0.25

    @property
    def slowed(self) -> Array | None:
        """(n_elements,) how many times that of the media epsilon mu is; None for once."""
        if self.raised is None or self.raised_mu is None:
            return self.raised if self.raised_mu is None else self.raised_mu
        return self.raised * self.raised_mu


def maxwell(operator: Operator, what: str) -> MaxwellTM:
    """The operator, for what is made for these equations alone.

    Raises
    ------
    WavelabError : it is of others; names ``what``.
    """
    if not isinstance(operator, MaxwellTM):
        raise not_made(what)
    return operator


def right_hand_side(operator: MaxwellTM, fields: Fields, time: float = 0.0) -> Fields:
    """d(hx, hy, ez)/dt without sources.

    Parameters
    ----------
    fields : nodal values, (n_elements, nodes_per_element) each.
    time : for media that change.
    """
    return operator.right_hand_side(fields, time)


def constant_right_hand_side(operator: MaxwellTM, fields: Fields) -> Fields:
    """The same with the operator's constants on every element, in strong form (HW 6.2 and 6.6)."""
    d = operator.discretization
    g, diff_r, diff_s, lift = d.geometry, d.element.diff_r, d.element.diff_s, d.element.lift

    def in_x(u_r: Array, u_s: Array) -> Array:
        return g.dr_dx[:, None] * u_r + g.ds_dx[:, None] * u_s

    def in_y(u_r: Array, u_s: Array) -> Array:
        return g.dr_dy[:, None] * u_r + g.ds_dy[:, None] * u_s

    def in_element(u: Array) -> tuple[Array, Array]:
        return u @ diff_r.T, u @ diff_s.T

    def lifted(flux: Array) -> Array:
        return (g.face_scale[:, :, None] * flux).reshape(d.n_elements, -1) @ lift.T

    ez_rs = in_element(fields.ez)
    ez_x, ez_y = in_x(*ez_rs), in_y(*ez_rs)
    hy_x, hx_y = in_x(*in_element(fields.hy)), in_y(*in_element(fields.hx))
    e_flux, h_flux = numerical_flux(operator, fields)
    of_hx = -ez_y - lifted(g.normal_y[:, :, None] * e_flux)
    of_hy = ez_x + lifted(g.normal_x[:, :, None] * e_flux)
    of_ez = hy_x - hx_y + lifted(h_flux)
    if d.curved is not None:
        here = slice(d.curved.first, None)
        of_hx[here], of_hy[here], of_ez[here] = _curved_terms(
            d.curved,
            *(values[here] for values in (fields.hx, fields.hy, fields.ez, e_flux, h_flux)),
        )
    mu, epsilon = operator.mu[:, None], operator.epsilon[:, None]
    rates = MaxwellFields(
        hx=of_hx / mu,
        hy=of_hy / mu,
        ez=(of_ez - operator.sigma[:, None] * fields.ez) / epsilon,
    )
    if operator.held is not None:
        for rate in (rates.hx, rates.hy, rates.ez):
            rate[operator.held] = 0
    return rates


def _curved_terms(
    curved: CurvedElements, hx: Array, hy: Array, ez: Array, e_flux: Array, h_flux: Array
) -> tuple[Array, Array, Array]:
    """Derivatives and lifted fluxes on the curved elements."""

    def times(matrices: Array, values: Array) -> Array:
        return (matrices @ values.reshape(len(curved), -1, 1))[:, :, 0]

    return (
        -times(curved.diff_y, ez) - times(curved.lift_y, e_flux),
        times(curved.diff_x, ez) + times(curved.lift_x, e_flux),
        times(curved.diff_x, hy) - times(curved.diff_y, hx) + times(curved.lift, h_flux),
    )


def numerical_flux(operator: MaxwellTM, fields: Fields) -> tuple[Array, Array]:
    """E* - E- and H* - H- at the face nodes, (n_elements, 3, nodes_per_face) each.

    H = nx Hy - ny Hx is the tangential magnetic field.  Seen from the neighbour, whose normal
    points the other way, it has the other sign.  The flux solves the Riemann problem between two
    media for upwinding 1 (Mohammadian, Shankar & Hall 1991) and averages for 0.

    A wall that takes something, |R| < 1, has upwinding 1 whatever the rest has.  With p and m the
    waves into it and out of it, a solution has m = R p, so E = (1 + R) p and Z H = (R - 1) p, and
    E* - E- = -(1 - R^2) (1 - a) p / 2: only for a = 1 does what the wall promises leave it alone,
    and for a = 0 the energy it takes is 0.  For |R| = 1 any a is right.
    """
    d, a = operator.discretization, face_upwinding(operator)[:, :, None]
    ez = inside_trace(d, fields.ez)
    h = tangential(d, inside_trace(d, fields.hx), inside_trace(d, fields.hy))
    z = operator.impedance[:, None]
    z_outside = operator.impedance[d.connectivity.neighbor_element]

    wall = d.connectivity.is_boundary[:, :, None]
    reflection = operator.reflection[:, :, None]
    ez_outside = np.where(wall, reflection * ez, outside_trace(d, ez, operator.phases))
    h_outside = np.where(wall, -reflection * h, -outside_trace(d, h, operator.phases))

    jump_e, jump_h = ez - ez_outside, h - h_outside
    z, z_outside = z[:, :, None], z_outside[:, :, None]
    e_flux = -(jump_e / z_outside + a * jump_h) / (1 / z + 1 / z_outside)
    h_flux = -(z_outside * jump_h + a * jump_e) / (z + z_outside)
    return e_flux, h_flux


def taking_walls(operator: MaxwellTM) -> Mask:
    """(n_elements, 3) which faces are walls that take something."""
    return operator.discretization.connectivity.is_boundary & (np.abs(operator.reflection) < 1)


def face_upwinding(operator: MaxwellTM) -> Array:
    """(n_elements, 3) upwinding of each face: 1 at walls that take something."""
    return np.where(taking_walls(operator), 1.0, operator.upwinding)
