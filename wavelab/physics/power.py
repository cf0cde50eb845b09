"""Where the energy of the discrete fields goes: what the scheme itself says, to rounding.

With E = 1/2 int eps Ez^2 + mu (Hx^2 + Hy^2), multiply the semi-discrete equations by the fields and
sum over the elements.  Volume and surface terms combine exactly (the products are integrated
through the mass matrices, HW 6.6), and what is left is a quadratic form of the traces:

    dE/dt = source - joule - wall - upwind
    source = - int Jz Ez            joule = int sigma Ez^2
    upwind = sum over inner faces    a int [Ez]^2 / (Z- + Z+) + [H]^2 / (Y- + Y+)
           + sum over outer faces    a int (m - R p)^2 / Z
    wall   = sum over outer faces    a int (1 - R^2) p^2 / Z

[q] is the jump across a face, a the upwinding, Z the impedance and Y = 1/Z.  At a wall the traces
are split into the wave p = (Ez - Z H)/2 that runs into it and the wave m = (Ez + Z H)/2 that comes
out; the wall takes what p brings less what R p carries back, and m - R p, by which the discrete
field misses the wall's condition, is a loss of the scheme like every other jump.

None of the losses can be negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization
from wavelab.numerics.traces import inside_trace, outside_trace
from wavelab.physics.drives import Drive, NodalDrive
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Powers:
    """Energy per time.  ``source`` is put in (negative where a source takes out); the others are
    lost: to walls that do not reflect all, in conductors, and by the upwind flux."""

    source: float
    wall: float
    joule: float
    upwind: float

    @property
    def net(self) -> float:
        """dE/dt of the semi-discrete equations."""
        return self.source - self.wall - self.joule - self.upwind


def powers(
    operator: MaxwellTM, fields: Fields, drives: Sequence[Drive] = (), time: float = 0.0
) -> Powers:
    """All terms of the energy balance for these fields at this time.

    Parameters
    ----------
    fields : nodal values, (n_elements, nodes_per_element) each.
    drives : sources that act at ``time``.
    """
    wall, upwind = _face_losses(operator, fields)
    return Powers(
        source=sum(_source_power(operator, fields.ez, drive, time) for drive in drives),
        wall=wall,
        joule=_joule_power(operator, fields.ez),
        upwind=upwind,
    )


def edge_mass(discretization: Discretization) -> Array:
    """(nodes_per_face, nodes_per_face) mass matrix of the reference edge, of length 2."""
    element = discretization.element
    on_first_face = slice(0, element.nodes_per_face)
    # M times the lift is the mass of the faces (HW 6.2), the same one on each.
    return (element.mass @ element.lift)[element.face_nodes[0], on_first_face]


def _face_losses(operator: MaxwellTM, fields: Fields) -> tuple[float, float]:
    """(wall, upwind)."""
    if operator.upwinding == 0:
        return 0.0, 0.0
    d = operator.discretization
    g, c = d.geometry, d.connectivity
    mass = edge_mass(d)
    half_length = g.face_scale * g.jacobian[:, None]

    def square(values: Array) -> Array:
        """(n_elements, 3) integral of the square of face values."""
        return np.einsum("kfi,kfi->kf", values @ mass, values) * half_length

    ez = inside_trace(d, fields.ez)
    h = g.normal_x[:, :, None] * inside_trace(d, fields.hy) - g.normal_y[:, :, None] * inside_trace(
        d, fields.hx
    )
    z = operator.impedance[:, None]
    z_outside = operator.impedance[c.neighbor_element]
    inner = square(ez - outside_trace(d, ez)) / (z + z_outside)
    inner += square(h + outside_trace(d, h)) / (1 / z + 1 / z_outside)
    # Every inner face is seen from both sides.
    upwind = 0.5 * float(inner[~c.is_boundary].sum())

    element, face = np.nonzero(c.is_boundary)
    z_wall, reflection = operator.impedance[element], operator.reflection[element, face]
    ez_wall, zh_wall = ez[element, face], z_wall[:, None] * h[element, face]
    into, out = (ez_wall - zh_wall) / 2, (ez_wall + zh_wall) / 2
    per_face = half_length[element, face] / z_wall

    def wall_sum(values: Array, weight: Array) -> float:
        return float(np.einsum("fi,fi,f->", values @ mass, values, weight))

    wall = wall_sum(into, (1 - reflection**2) * per_face)
    upwind += wall_sum(out - reflection[:, None] * into, per_face)
    return operator.upwinding * wall, operator.upwinding * upwind


def _joule_power(operator: MaxwellTM, ez: Array) -> float:
    d = operator.discretization
    lossy = np.flatnonzero(operator.sigma)
    weight = operator.sigma[lossy] * d.geometry.jacobian[lossy]
    return float(np.einsum("kn,kn,k->", ez[lossy] @ d.element.mass, ez[lossy], weight))


def _source_power(operator: MaxwellTM, ez: Array, drive: Drive, time: float) -> float:
    """int eps Ez dEz/dt of what the source adds to dEz/dt."""
    d = operator.discretization
    if isinstance(drive, NodalDrive):
        element_of, local = np.divmod(drive.nodes, d.nodes_per_element)
        elements, row = np.unique(element_of, return_inverse=True)
        weight = operator.epsilon[elements] * d.geometry.jacobian[elements]
        tested = (ez[elements] @ d.element.mass) * weight[:, None]
        return float(tested[row, local] @ drive.rate) * drive.waveform(time)
    jz = np.broadcast_to(drive.jz.evaluate(x=d.x, y=d.y, t=time), d.shape)
    return -float(d.integrate_product(ez, jz).sum())
