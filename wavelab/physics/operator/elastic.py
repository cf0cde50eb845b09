"""Semi-discrete elastic waves in the plane (P and SV), and their NumPy right-hand side.

density dvx/dt = dsxx/dx + dsxy/dy        dsxx/dt = (lambda + 2 mu) dvx/dx + lambda dvy/dy
density dvy/dt = dsxy/dx + dsyy/dy        dsyy/dt = lambda dvx/dx + (lambda + 2 mu) dvy/dy
                                          dsxy/dt = mu (dvx/dy + dvy/dx)

Across a face travel two waves: the normal velocity with the normal traction, of the impedance
Zp = density cp, and the tangential ones, of Zs = density cs.  Each has the flux that a scalar wave
has (:mod:`wavelab.physics.operator.maxwell_tm`).  A fluid is a medium with mu = 0, so Zs = 0: the
same formulas then say that a face to it bears no shear traction and that both sides slip, and solid
and fluid are one mesh (Wilcox, Stadler, Burstedde & Ghattas, *A high-order discontinuous Galerkin
method for wave propagation through coupled elastic-acoustic media*, 2010).  On arcs that holds at
every point with its own normal (:mod:`wavelab.numerics.mesh.curved_faces`).

Where density and moduli are formulas these are the equations of momentum and strain, with constants
of every element that only scale them (:mod:`wavelab.physics.operator.elastic_profiles`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.gradients import gradient
from wavelab.numerics.fields.traces import point_normals
from wavelab.numerics.mesh.curved_faces import curved_faces
from wavelab.physics.operator.elastic_flux import TwoWaves, in_plane, numerical_flux
from wavelab.physics.operator.elastic_profiles import NO_ELASTIC_MEDIA, ElasticMedia
from wavelab.physics.operator.energy import excess
from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.physics.operator.flux_densities import FluxDensities, corrected, scaled


@dataclass(frozen=True, eq=False)
class ElasticPSV(TwoWaves):
    """Everything that fixes the semi-discrete operator.

    Attributes
    ----------
    density : (n_elements,) > 0.
    lame, mu : (n_elements,) Lame's moduli, lambda > 0 and mu >= 0; mu = 0 of fluids.
    reflection : (n_elements, 3, 2) reflection coefficient R in [-1, 1] of each boundary face, of
        the normal and of the tangential velocity: the ghost state is v+ = R v-, traction+ =
        -R traction-.  Not used on interior faces.
    media : where density and moduli are not constants; the arrays have a reference there.
    """

    discretization: Discretization
    density: Array
    lame: Array
    mu: Array
    reflection: Array
    upwinding: float
    phases: Array | None = None
    held: Mask | None = None
    media: ElasticMedia = NO_ELASTIC_MEDIA

    fields = ElasticFields
    pinged = ("vx", "vy")

    @property
    def fastest(self) -> Array:
        return self.media.range("p_speed", self._speeds["p_speed"])[1]

    @property
    def slowest(self) -> Array:
        p, s = (self.media.range(name, of)[0] for name, of in self._speeds.items())
        return np.where(self.mu > 0, s, p)

    @property
    def _speeds(self) -> Mapping[str, Array]:
        """Of the constants."""
        moduli = {"p_speed": self.lame + 2 * self.mu, "s_speed": self.mu}
        return {name: np.sqrt(modulus / self.density) for name, modulus in moduli.items()}

    @property
    def slownesses(self) -> Array:
        return np.stack([1 / self.fastest, np.where(self.mu > 0, 1 / self.slowest, 0.0)])

    @property
    def decay(self) -> Array:
        return np.zeros_like(self.density)

    @property
    def norm(self) -> Mapping[str, Array]:
        stiffness = 1 / (self.lame + 2 * self.mu)
        return dict.fromkeys(("vx", "vy"), self.density) | dict.fromkeys(
            ("sxx", "syy", "sxy"), stiffness
        )

    @property
    def described(self) -> Mapping[str, tuple[Array, str]]:
        """(n_elements,) what files say of the media, and what that is."""
        return {
            "density": (self.density, "density of each element"),
            "p_speed": (self._speeds["p_speed"], "speed of P waves in each element"),
            "s_speed": (self._speeds["s_speed"], "speed of S waves in each element"),
        }

    @property
    def impedances(self) -> Array:
        """(n_elements, 2) Zp and Zs."""
        return impedances(self.density, self.lame, self.mu)

    def on(self, part: Discretization, origin: Indices, at_cuts: float) -> ElasticPSV:
        wall = self.discretization.connectivity.is_boundary[origin]
        place = np.full(self.discretization.n_elements, -1, np.int64)
        place[origin] = np.arange(len(origin))
        return ElasticPSV(
            part,
            self.density[origin],
            self.lame[origin],
            self.mu[origin],
            np.where(wall[:, :, None], self.reflection[origin], at_cuts),
            self.upwinding,
            media=self.media.restricted(place),
        )

    def constant_rates(self, fields: Fields) -> ElasticFields:
        d = self.discretization
        of_velocity, of_traction = numerical_flux(self, fields)
        nx, ny = point_normals(d)

        # One array of all derivatives, and one of all that is lifted: small meshes wait for calls.
        along_x, along_y = gradient(d, np.array(fields.arrays))
        (vx_x, vy_x, sxx_x, _, sxy_x), (vx_y, vy_y, _, syy_y, sxy_y) = along_x, along_y
        # From normal and tangential components to x and y; the tangent is (-ny, nx).
        of_vx, of_vy = in_plane(of_velocity, nx, ny)
        flux = np.array(
            [
                *in_plane(of_traction, nx, ny),
                nx * of_vx, ny * of_vy, ny * of_vx + nx * of_vy,
            ]
        )  # fmt: skip
        weighted = (d.geometry.face_scale[:, :, None] * flux).reshape(len(flux), d.n_elements, -1)
        lifted = weighted @ d.element.lift.T
        if d.curved is not None:
            lift, here = curved_faces(d.element, d.curved).lift, slice(d.curved.first, None)
            bent = flux[:, here].reshape(len(flux), len(lift), -1, 1)
            lifted[:, here] = (lift @ bent)[..., 0]
        density, lame, mu = self.density[:, None], self.lame[:, None], self.mu[:, None]
        strain_x, strain_y = vx_x + lifted[2], vy_y + lifted[3]
        rates = ElasticFields(
            vx=(sxx_x + sxy_y + lifted[0]) / density,
            vy=(sxy_x + syy_y + lifted[1]) / density,
            sxx=(lame + 2 * mu) * strain_x + lame * strain_y,
            syy=lame * strain_x + (lame + 2 * mu) * strain_y,
            sxy=mu * (vx_y + vy_x + lifted[4]),
        )
        if self.held is not None:
            for rate in rates.arrays:
                rate[self.held] = 0
        return rates

    def of_ping(self, nodes: Indices, values: Array, radius: float) -> tuple[Indices, Array]:
        """A push outwards, -radius times the gradient of the bump: all of it runs away as P waves,
        where a pressure would leave a stress behind for ever."""
        d = self.discretization
        bump = np.zeros(d.shape)
        bump.reshape(-1)[nodes] = values
        elements = np.unique(nodes // d.nodes_per_element)
        touched = elements[:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
        pushed = [-radius * slope[elements].ravel() for slope in gradient(d, bump)]
        return touched.ravel(), np.array(pushed)

    def corrected(self, rates: Fields, fields: Fields, time: float) -> Fields:
        return corrected(self.media, self.density, self.density, rates, fields, time)

    def densities(self, fields: Array) -> Array:
        return super().densities(scaled(self.media, self.fields.of(fields)))

    def flux_densities(self) -> FluxDensities:
        """Momentum and strain."""
        return FluxDensities(self.media, self.density, self.density)

    def energy_density(
        self, fields: Fields, time: float = 0.0, weights: Array | None = None
    ) -> Array:
        def there(nodal: Array) -> Array:
            return nodal if weights is None else nodal @ weights.T

        density: Array = sum(  # type: ignore[assignment]
            0.5 * weight[:, None] * there(u) ** 2 for weight, u in self.energies(fields)
        )
        for elements, (difference, field) in excess(self.media, fields, time):
            density[elements] += 0.5 * there(difference) * there(field)
        return density

    def element_energy(self, fields: Fields, time: float = 0.0) -> Array:
        d = self.discretization
        energy: Array = sum(  # type: ignore[assignment]
            0.5 * weight * d.integrate_product(u, u) for weight, u in self.energies(fields)
        )
        for elements, (difference, field) in excess(self.media, fields, time):
            tested = d.apply_mass(difference, elements)
            energy[elements] += 0.5 * np.einsum("kn,kn->k", tested, field)
        return energy

    @property
    def energy_matrix(self) -> Mapping[tuple[str, str], Array]:
        """That of :meth:`energies`."""
        mean, shear = 1 / (self.lame + self.mu), self._of_shear
        alike, mixed = (mean + shear) / 4, (mean - shear) / 4
        return {
            ("vx", "vx"): self.density,
            ("vy", "vy"): self.density,
            ("sxx", "sxx"): alike,
            ("syy", "syy"): alike,
            ("sxx", "syy"): mixed,
            ("syy", "sxx"): mixed,
            ("sxy", "sxy"): shear,
        }

    @property
    def _of_shear(self) -> Array:
        """(n_elements,) 1 / mu, and 0 of a fluid, which has no deviator."""
        stiff = self.mu > 0
        return np.where(stiff, 1 / np.where(stiff, self.mu, 1.0), 0.0)

    def energies(self, fields: Fields) -> list[tuple[Array, Array]]:
        """Weights (n_elements,) and fields, half the weighted squares of which are the energy of
        constant media: of motion, and of strain, by the mean stress s = (sxx + syy) / 2 and the
        deviator t = (sxx - syy) / 2, s^2 / (2 (lambda + mu)) + (t^2 + sxy^2) / (2 mu); a fluid has
        s alone."""
        of_shear = self._of_shear
        return [
            (self.density, fields.vx),
            (self.density, fields.vy),
            (1 / (self.lame + self.mu), (fields.sxx + fields.syy) / 2),
            (of_shear, (fields.sxx - fields.syy) / 2),
            (of_shear, fields.sxy),
        ]


def impedances(density: Array, lame: Array, mu: Array) -> Array:
    """(n, 2) those of P and S waves."""
    return np.sqrt(density[:, None] * np.stack([lame + 2 * mu, mu], axis=1))
