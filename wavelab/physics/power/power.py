"""Where the energy of the discrete fields goes: what the scheme itself says, to rounding.

With E = 1/2 int eps Ez^2 + mu (Hx^2 + Hy^2), multiply the semi-discrete equations by the fields and
sum over the elements.  Volume and surface terms combine exactly (the products are integrated
through the mass matrices, HW 6.6), and what is left is a quadratic form of the traces:

    dE/dt = source + parametric - joule - wall - upwind
    source = - int Jz Ez            joule = int sigma Ez^2
    parametric = - 1/2 int D^2 eps_t / eps^2 + B^2 mu_t / mu^2, of media that change
    upwind = sum over inner faces    a int [Ez]^2 / (Z- + Z+) + [H]^2 / (Y- + Y+)
           + sum over outer faces    a int (m - R p)^2 / Z
    wall   = sum over outer faces    a int (1 - R^2) p^2 / Z

[q] is the jump across a face, a the upwinding (1 at walls with |R| < 1), Z the impedance and
Y = 1/Z.  At a wall the traces are split into the wave p = (Ez - Z H)/2 that runs into it and the
wave m = (Ez + Z H)/2 that comes out; the wall takes what p brings less what R p carries back, and
m - R p, by which the discrete field misses the wall's condition, is a loss of the scheme like every
other jump.

A wave that comes in through faces adds to the state outside of them
(:mod:`wavelab.physics.sources.incident`), so the jump that loses energy is the one to that state,
not the one to the neighbour; what is left of the balance is the power that the wave brings.

This is the whole balance, from the whole field, written to be read and to be measured against.  The
energy ledger books the same at less cost, from samples at a few places
(:mod:`wavelab.physics.power.sampled_power`, :mod:`wavelab.physics.power.incident_power`) and from
looks at the field (:mod:`wavelab.physics.power.full_field_power`).  That walls, conductors, sources
with a fixed profile and waves that come in are written twice is meant:
``tests/physics/power/test_sampled_power.py`` compares them.

None of the losses can be negative.  Where media are not constant on an element, D and B are those
of :mod:`wavelab.physics.operator.media`, for which the balance is as exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.traces import face_squares
from wavelab.physics.materials.auxiliary_energy import lost_power
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.jumps import InnerFaces, traces
from wavelab.physics.operator.maxwell_tm import MaxwellTM, face_upwinding
from wavelab.physics.operator.media import each_field
from wavelab.physics.power.power_terms import Powers
from wavelab.physics.sources.source_terms import FaceSourceTerm, SourceTerm


def powers(
    operator: MaxwellTM,
    fields: Fields,
    source_terms: Sequence[SourceTerm] = (),
    time: float = 0.0,
    *,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> Powers:
    """All terms of the energy balance for these fields at this time.

    Parameters
    ----------
    fields : nodal values, (n_elements, nodes_per_element) each.
    source_terms : sources that act at ``time``.
    auxiliary_equations : whose variables ``fields`` has.  What an open wall takes counts as gone
    into a
        wall, and what a medium turns into heat as lost in a conductor.
    """
    wall, missed = _wall_losses(operator, fields)
    lost = {"open": 0.0, "medium": 0.0, "follows": 0.0}
    for e, auxiliary in zip(
        auxiliary_equations, fields.auxiliary, strict=bool(auxiliary_equations)
    ):
        lost[e.kind] += lost_power(e, fields, auxiliary, operator)
    at_faces, at_walls = _misread_jumps(operator, fields, source_terms, time)
    return Powers(
        source=sum(source_power(operator, fields, term, time) for term in source_terms)
        + at_faces
        + at_walls,
        wall=wall + lost["open"],
        joule=_joule_power(operator, fields.ez)
        + varied_joule_power(operator, fields, time)
        + lost["medium"],
        upwind=InnerFaces.of(operator).loss(fields) + at_faces + missed + at_walls,
        parametric=parametric_power(operator, fields, time),
    )


def upwind_loss(operator: MaxwellTM, fields: Fields) -> float:
    """``upwind`` alone, of fields without sources."""
    return InnerFaces.of(operator).loss(fields) + _wall_losses(operator, fields)[1]


def _wall_losses(operator: MaxwellTM, fields: Fields) -> tuple[float, float]:
    """(wall, what the outer faces add to upwind)."""
    d = operator.discretization
    faces = np.nonzero(d.connectivity.is_boundary)
    z, reflection = operator.impedance[faces[0]], operator.reflection[faces]
    ez, h = traces(d, fields, faces)
    zh = z[:, None] * h
    into, out = (ez - zh) / 2, (ez + zh) / 2
    per_face = face_upwinding(operator)[faces] / z

    def total(values: Array, weight: Array) -> float:
        return float(face_squares(d, values, faces) @ weight)

    return (
        total(into, (1 - reflection**2) * per_face),
        total(out - reflection[:, None] * into, per_face),
    )


def _joule_power(operator: MaxwellTM, ez: Array) -> float:
    """Of conductivities that are constants on elements."""
    d = operator.discretization
    lossy = np.flatnonzero(operator.sigma)
    apply_mass = d.apply_mass(ez[lossy], lossy)
    return float(np.einsum("kn,kn,k->", apply_mass, ez[lossy], operator.sigma[lossy]))


def _misread_jumps(
    operator: MaxwellTM, fields: Fields, source_terms: Sequence[SourceTerm], time: float
) -> tuple[float, float]:
    """How much less the losses at inner and at outer faces are than the jumps there seem to say,
    because a wave comes in and makes up for a part of them; a change, so mostly negative.

    From the whole field, beside :mod:`wavelab.physics.power.incident_power`, which it checks.
    """
    incident = [term for term in source_terms if isinstance(term, FaceSourceTerm)]
    if not incident:
        return 0.0, 0.0
    d = operator.discretization
    listed = np.concatenate([3 * term.elements + term.faces for term in incident])
    numbers, row = np.unique(listed, return_inverse=True)
    values = np.concatenate([np.stack(term.values(time), axis=1) for term in incident])
    added = np.zeros((len(numbers), 2, d.element.nodes_per_face))
    np.add.at(added, row, values)
    e, h = added[:, 0], added[:, 1]
    faces = (numbers // 3, numbers % 3)
    across = (d.connectivity.neighbor_element[faces], d.connectivity.neighbor_face[faces])
    ez, h_here = traces(d, fields, faces)
    ez_across, h_across = (trace[:, ::-1] for trace in traces(d, fields, across))
    z, z_across = operator.impedance[faces[0]], operator.impedance[across[0]]

    def change(jump: Array, made_up: Array) -> Array:
        return face_squares(d, jump - made_up, faces) - face_squares(d, jump, faces)

    wall = d.connectivity.is_boundary[faces]
    inner = change(ez - ez_across, e) / (z + z_across)
    inner += change(h_here + h_across, h) / (1 / z + 1 / z_across)
    zh, reflection = z[:, None] * h_here, operator.reflection[faces][:, None]
    missed = (ez + zh) / 2 - reflection * (ez - zh) / 2
    outer = change(missed, (e + z[:, None] * h) / 2) / z
    # Every inner face is listed from both sides.
    half = 0.5 * operator.upwinding
    a = face_upwinding(operator)[faces]
    return half * float(inner[~wall].sum()), float((a * outer)[wall].sum())


def varied_joule_power(operator: MaxwellTM, fields: Fields, time: float) -> float:
    """Of conductivities that vary on elements or in time."""
    power = 0.0
    for names, profile in operator.media.losses:
        for name in names:
            field = getattr(fields, name)[profile.elements]
            power += float(profile.projection.integral(profile.at(time), field, field).sum())
    return power


def parametric_power(operator: MaxwellTM, fields: Fields, time: float) -> float:
    """What changing media put in: 1/2 int D^2 d(1/eps)/dt, and of B and mu alike."""
    power = 0.0
    for name, profile in each_field(operator.media):
        if profile.changes:
            field, rule = getattr(fields, name)[profile.elements], profile.projection
            scaled = rule.undone(profile.shares(time), field)
            density = rule.integral(profile.share_rates(time), scaled, scaled)
            power += 0.5 * float(density @ profile.reference)
    return power


def source_power(
    operator: MaxwellTM, fields: Fields, source_term: SourceTerm, time: float
) -> float:
    """int eps Ez dEz/dt + mu H . dH/dt of what the source adds to the rates of change."""
    d = operator.discretization
    rates = source_term.rates(operator, time)
    elements = np.arange(d.n_elements)[rates.elements]
    power = 0.0
    for name, weight in (("ez", operator.epsilon), ("hx", operator.mu), ("hy", operator.mu)):
        if (rate := getattr(rates, name)) is not None:
            apply_mass = d.apply_mass(getattr(fields, name)[elements], elements)
            power += float(np.einsum("kn,kn,k->", apply_mass, rate, weight[elements]))
    return power
