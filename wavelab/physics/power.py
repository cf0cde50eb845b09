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
(:mod:`wavelab.physics.incident`), so the jump that loses energy is the one to that state, not the
one to the neighbour; what is left of the balance is the power that the wave brings.

None of the losses can be negative.  Where media are not constant on an element, D and B are those
of :mod:`wavelab.physics.media`, for which the balance is as exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.traces import face_squares, tangential
from wavelab.physics.drives import Drive, FaceDrive, NodalDrive
from wavelab.physics.fields import Fields
from wavelab.physics.jumps import InnerFaces, ReflectingWalls, traces
from wavelab.physics.local_energy import lost_power
from wavelab.physics.local_equations import LocalEquations
from wavelab.physics.maxwell_tm import MaxwellTM, face_upwinding
from wavelab.physics.media import each_field

Array = NDArray[np.float64]

#: Part of 1 / epsilon that its rates do not explain before it counts as a jump.
_JUMP = 0.02


@dataclass(frozen=True)
class Powers:
    """Energy per time.  ``source`` and ``parametric`` are put in, by sources and by media that
    change (negative where they take out); the others are lost: to walls that do not reflect all, in
    conductors, and by the upwind flux."""

    source: float
    wall: float
    joule: float
    upwind: float
    parametric: float = 0.0

    @property
    def net(self) -> float:
        """dE/dt of the semi-discrete equations."""
        return self.source + self.parametric - self.wall - self.joule - self.upwind


def powers(
    operator: MaxwellTM,
    fields: Fields,
    drives: Sequence[Drive] = (),
    time: float = 0.0,
    *,
    inner_loss: float | None = None,
    local_equations: Sequence[LocalEquations] = (),
) -> Powers:
    """All terms of the energy balance for these fields at this time.

    Parameters
    ----------
    fields : nodal values, (n_elements, nodes_per_element) each.
    drives : sources that act at ``time``.
    inner_loss : what :func:`loss_at_inner_faces` gives, if it is known; the rest costs a fraction
        of it.
    local_equations : whose memory ``fields`` has.  What an open edge takes counts as gone into a
        wall, and what a medium turns into heat as lost in a conductor.
    """
    wall, missed = _wall_losses(operator, fields)
    lost = {"open": 0.0, "medium": 0.0}
    for e, memory in zip(local_equations, fields.memory, strict=bool(local_equations)):
        lost[e.kind] += lost_power(
            e, fields, memory, operator.epsilon, operator.mu, operator.discretization
        )
    if inner_loss is None:
        inner_loss = loss_at_inner_faces(operator, fields, drives, time)
    at_faces, at_walls = _misread_jumps(operator, fields, drives, time)
    return Powers(
        source=sum(_source_power(operator, fields, drive, time) for drive in drives)
        + at_faces
        + at_walls,
        wall=wall + lost["open"],
        joule=_joule_power(operator, fields.ez)
        + _varied_joule_power(operator, fields.ez, time)
        + lost["medium"],
        upwind=inner_loss + missed + at_walls,
        parametric=_parametric_power(operator, fields, time),
    )


def untapped_powers(
    operator: MaxwellTM, fields: Fields, drives: Sequence[Drive] = (), time: float = 0.0
) -> Powers:
    """What neither :mod:`wavelab.physics.tapped_power` finds nor :func:`untapped_loss`."""
    others = [drive for drive in drives if not isinstance(drive, NodalDrive | FaceDrive)]
    return Powers(
        source=sum(_source_power(operator, fields, drive, time) for drive in others),
        wall=0.0,
        joule=_varied_joule_power(operator, fields.ez, time),
        upwind=0.0,
        parametric=_parametric_power(operator, fields, time),
    )


def has_untapped_powers(operator: MaxwellTM, drives: Sequence[Drive]) -> bool:
    """Whether any of :func:`untapped_powers` can differ from 0."""
    return bool(
        operator.media.sigma
        or operator.media.changes
        or any(not isinstance(drive, NodalDrive | FaceDrive) for drive in drives)
    )


def loss_at_inner_faces(
    operator: MaxwellTM,
    fields: Fields,
    drives: Sequence[Drive] = (),
    time: float = 0.0,
    faces: InnerFaces | None = None,
) -> float:
    """The part of ``upwind`` that the jumps between elements make.

    Parameters
    ----------
    faces : those of the operator, which take a while to be found.
    """
    if operator.upwinding == 0:
        return 0.0
    misread, _ = _misread_jumps(operator, fields, drives, time)
    return misread + (faces or InnerFaces.of(operator)).loss(fields)


def untapped_loss(
    operator: MaxwellTM,
    fields: Fields,
    drives: Sequence[Drive] = (),
    time: float = 0.0,
    faces: InnerFaces | None = None,
    walls: ReflectingWalls | None = None,
) -> float:
    """The part of ``upwind`` that the jumps between elements make, and those at walls that take
    nothing: all that :mod:`wavelab.physics.tapped_power` does not find.

    Parameters
    ----------
    faces, walls : those of the operator, which take a while to be found.
    """
    missed = (walls or ReflectingWalls.of(operator)).loss(fields)
    return loss_at_inner_faces(operator, fields, drives, time, faces) + missed


def _wall_losses(operator: MaxwellTM, fields: Fields) -> tuple[float, float]:
    """(wall, what the outer faces add to upwind)."""
    d = operator.discretization
    element, face = np.nonzero(d.connectivity.is_boundary)
    z, reflection = operator.impedance[element], operator.reflection[element, face]
    nodes = d.element.face_nodes[face]
    hx, hy, ez = (u[element[:, None], nodes] for u in (fields.hx, fields.hy, fields.ez))
    zh = z[:, None] * tangential(d, hx, hy, (element, face))
    into, out = (ez - zh) / 2, (ez + zh) / 2
    per_face = face_upwinding(operator)[element, face] / z

    def total(values: Array, weight: Array) -> float:
        return float(face_squares(d, values, (element, face)) @ weight)

    return (
        total(into, (1 - reflection**2) * per_face),
        total(out - reflection[:, None] * into, per_face),
    )


def _joule_power(operator: MaxwellTM, ez: Array) -> float:
    """Of conductivities that are constants on elements."""
    d = operator.discretization
    lossy = np.flatnonzero(operator.sigma)
    tested = d.tested(ez[lossy], lossy)
    return float(np.einsum("kn,kn,k->", tested, ez[lossy], operator.sigma[lossy]))


def _varied_joule_power(operator: MaxwellTM, ez: Array, time: float) -> float:
    """Of conductivities that vary on elements or in time."""
    power = 0.0
    for profile in operator.media.sigma:
        field = ez[profile.elements]
        power += float(profile.projection.integral(profile.at(time), field, field).sum())
    return power


def _parametric_power(operator: MaxwellTM, fields: Fields, time: float) -> float:
    """What changing media put in: 1/2 int D^2 d(1/eps)/dt, and of B and mu alike."""
    power = 0.0
    for name, profile in each_field(operator.media):
        if profile.changes:
            field, rule = getattr(fields, name)[profile.elements], profile.projection
            scaled = rule.undone(profile.shares(time), field)
            density = rule.integral(profile.share_rates(time), scaled, scaled)
            power += 0.5 * float(density @ profile.reference)
    return power


def sudden_work(
    operator: MaxwellTM, fields: tuple[Fields, Fields], times: tuple[float, float]
) -> float:
    """What media that jump between two times put in beside the mean of ``parametric``.

    A formula may change at once, and has no rate then.  D and B go on steadily, so the work is
    1/2 int D^2 [1/eps], with D the mean of both times; of points where 1/eps is where its rates
    lead, nothing.

    Parameters
    ----------
    fields, times : before and after.
    """
    work, elapsed = 0.0, times[1] - times[0]
    for name, profile in each_field(operator.media):
        if not profile.changes:
            continue
        before, after = (profile.shares(t) for t in times)
        expected = elapsed * (profile.share_rates(times[0]) + profile.share_rates(times[1])) / 2
        jump = after - before - expected
        jump = np.where(np.abs(jump) > _JUMP * np.maximum(before, after), jump, 0.0)
        if not jump.any():
            continue
        rule, k = profile.projection, profile.elements
        scaled = [
            rule.undone(share, getattr(f, name)[k])
            for share, f in zip((before, after), fields, strict=True)
        ]
        mean = (scaled[0] + scaled[1]) / 2
        work += 0.5 * float(rule.integral(jump, mean, mean) @ profile.reference)
    return work


def _misread_jumps(
    operator: MaxwellTM, fields: Fields, drives: Sequence[Drive], time: float
) -> tuple[float, float]:
    """How much less the losses at inner and at outer faces are than the jumps there seem to say,
    because a wave comes in and makes up for a part of them; a change, so mostly negative."""
    incident = [drive for drive in drives if isinstance(drive, FaceDrive)]
    if not incident:
        return 0.0, 0.0
    d = operator.discretization
    listed = np.concatenate([3 * drive.elements + drive.faces for drive in incident])
    numbers, row = np.unique(listed, return_inverse=True)
    values = np.concatenate([np.stack(drive.values(time), axis=1) for drive in incident])
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


def _source_power(operator: MaxwellTM, fields: Fields, drive: Drive, time: float) -> float:
    """int eps Ez dEz/dt + mu H . dH/dt of what the source adds to the rates of change."""
    d = operator.discretization
    rates = drive.rates(operator, time)
    elements = np.arange(d.n_elements)[rates.elements]
    power = 0.0
    for name, weight in (("ez", operator.epsilon), ("hx", operator.mu), ("hy", operator.mu)):
        if (rate := getattr(rates, name)) is not None:
            tested = d.tested(getattr(fields, name)[elements], elements)
            power += float(np.einsum("kn,kn,k->", tested, rate, weight[elements]))
    return power
