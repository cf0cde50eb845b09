"""Steps of arbitrary order in which every element has a step of its own: ADER.

Dumbser, Kaeser & Toro, *An arbitrary high-order discontinuous Galerkin method for elastic waves on
unstructured meshes V: local time stepping and p-adaptivity*, Geophys. J. Int. 171 (2007).

**Predict.**  An element follows its own polynomial alone, as if nothing came in: with tau = 0 .. 1
over its step dt,

    q(tau) = sum c_j tau^j,   c_0 = q,   c_{j+1} = dt (A c_j + g_j) / (j + 1),   j = 0 .. N

where A is the volume term of the strong form and g_j are the coefficients of the sources.  To c_1
comes what the jumps at the begin of the step do: without that, waves that the mesh barely carries
grow from order 4 on, by up to 2e-5 in a step.  (Guo, Qiu & Qiu, *A new Lax-Wendroff
discontinuous Galerkin method with superconvergence*, J. Sci. Comput. 65, 2015, repair derivatives
too.)  It publishes the integrals over its step of Ez and H = nx Hy - ny Hx at its faces.

What a source brings in through faces makes up for jumps at them, which are known at the begin of
the step alone.  So there the prediction takes the source as it is then, and only the integral over
the step has the rest of it; else the order would be 2 at the border of an incident wave.

**Correct.**  The volume term over the step is c_1 + ... + c_{N+1} without those jumps.  The flux is
that of :mod:`wavelab.physics.operator.maxwell_tm`, integrated over the step: it is linear, so it is
the flux between the integrals.  For upwinding 1 one number of each neighbour suffices, that of what
leaves it, s = Ez - Z H:

    w = integral of (E- + Z+ H- - s+),   E* - E- = -Z w / (Z + Z+),   H* - H- = -w / (Z + Z+)

Of a neighbour that steps half as fast, the integrals over the half of its step that this one
covers count; of one that steps twice as fast, those over two steps are added up.  What flows out
of one element over any time flows into the next, so nothing is lost where clusters meet.

**Auxiliary variables.**  Auxiliary equations (:mod:`wavelab.physics.materials.auxiliary_equations`)
are linear too, so their variables are predicted along with the fields: the same recursion on (q, m)
in place of q, with what the equations say added to A.  Nothing flows through faces into a variable;
it is not corrected.  A medium may ring without any loss, and nothing damps that if all its nodes
ring alike.  So the series goes on to a degree whose polynomial does not exceed 1 on the imaginary
axis: 3, 4, 7, 8, 11, ...  (:func:`terms`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, add_auxiliary_rates
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, face_upwinding


def terms(order: int, *, remembers: bool = False) -> int:
    """How many terms follow c_0 in a prediction.

    Parameters
    ----------
    remembers : where auxiliary equations hold.
    """
    degree = order + 1
    while remembers and degree % 4 not in (0, 3):
        degree += 1
    return degree


@dataclass(frozen=True, eq=False)
class Prediction:
    """What some elements make of themselves in one step.

    Attributes
    ----------
    change : what the volume term, the sources and auxiliary equations add to the fields, (n,
        nodes_per_element) each, and to the variables of the latter.
    halves : (2, 2, n, 3, nodes_per_face) integrals of Ez and H over each half of the step.
    middle : (2, n, 3, nodes_per_face) Ez and H in the middle of the step.
    """

    change: Fields
    halves: Array
    middle: Array


def predict(
    operator: MaxwellTM,
    elements: Indices,
    fields: Fields,
    incoming: Array,
    dt: float,
    *,
    sources: Array | None = None,
    held: Mask | None = None,
    equations: Sequence[AuxiliaryEquations] = (),
    auxiliary: Sequence[Array] = (),
) -> Prediction:
    """Follow elements through one step.

    Parameters
    ----------
    elements : (n,) their numbers.
    fields : of the whole mesh.
    incoming : (2, n, 3, nodes_per_face) Ez and H of the neighbours at the begin of the step, with
        their own normals.
    sources : (n_points, 3, n, nodes_per_element) coefficients of what is added to the rates of
        change of hx, hy and ez, see :func:`wavelab.physics.time.ader_sources.source_coefficients`.
    held : (n,) where sources come in through faces, see
        :func:`wavelab.physics.time.ader_sources.held_elements`; None for nowhere.
    equations, auxiliary : that hold on these elements, which they number from 0.
    """
    c = Fields(fields.hx[elements], fields.hy[elements], fields.ez[elements], tuple(auxiliary))
    change, middle = Fields.zeros(c.ez.shape), Fields.zeros(c.ez.shape)
    of_auxiliary = tuple(np.zeros_like(m) for m in auxiliary)
    jumps = _lifted(operator, elements, _traces(operator, elements, c), incoming)
    halves = [Fields.zeros(c.ez.shape) for _ in range(2)]
    degree = terms(operator.discretization.order)
    plain = np.ones(len(elements), dtype=bool)
    for e in equations:
        plain[e.elements] = False
    for j in range(terms(operator.discretization.order, remembers=bool(equations))):
        if j == degree:
            for values in (c.hx, c.hy, c.ez):
                values[plain] = 0.0
        early = 0.5 ** (j + 1)
        for half, part in zip(halves, (early, 1 - early), strict=True):
            _add(half, c, dt * part / (j + 1))
        _add(middle, c, 0.5**j)
        rate = volume_term(operator, elements, c)
        share = dt / (j + 1)
        if sources is not None and j < len(sources):
            source = sources[j]
            if held is not None and j > 0:
                _add(change, Fields(*(source * held[:, None])), share)
                source = source * ~held[:, None]
            _add(rate, Fields(*source), 1.0)
        memory_rates = add_auxiliary_rates(equations, c, rate)
        c = Fields(
            share * rate.hx, share * rate.hy, share * rate.ez,
            tuple(share * m for m in memory_rates),
        )  # fmt: skip
        _add(change, c, 1.0)
        for total, term in zip(of_auxiliary, c.auxiliary, strict=True):
            total += term
        if j == 0:
            _add(c, jumps, dt)
    return Prediction(
        replace(change, auxiliary=of_auxiliary),
        np.array([_traces(operator, elements, half) for half in halves]),
        _traces(operator, elements, middle),
    )


def traces(operator: MaxwellTM, elements: Indices, fields: Fields) -> Array:
    """(2, n, 3, nodes_per_face) Ez and H of some elements; ``fields`` of the whole mesh."""
    here = Fields(fields.hx[elements], fields.hy[elements], fields.ez[elements])
    return _traces(operator, elements, here)


def volume_term(operator: MaxwellTM, elements: Indices, fields: Fields) -> Fields:
    """d(hx, hy, ez)/dt of elements alone, without any flux; ``fields`` and the result are
    (n, nodes_per_element)."""
    d = operator.discretization
    g, diff_r, diff_s = d.geometry, d.element.diff_r, d.element.diff_s
    r_x, r_y, s_x, s_y = (u[elements, None] for u in (g.dr_dx, g.dr_dy, g.ds_dx, g.ds_dy))
    mu, epsilon = operator.mu[elements, None], operator.epsilon[elements, None]
    sigma = operator.sigma[elements, None]
    hx, hy, ez = fields.hx, fields.hy, fields.ez
    ez_r, ez_s = ez @ diff_r.T, ez @ diff_s.T
    curl = (r_x * hy - r_y * hx) @ diff_r.T + (s_x * hy - s_y * hx) @ diff_s.T
    ez_x, ez_y = r_x * ez_r + s_x * ez_s, r_y * ez_r + s_y * ez_s
    if d.curved is not None:
        bent = elements >= d.curved.first
        own = elements[bent] - d.curved.first
        by_x, by_y = d.curved.diff_x[own], d.curved.diff_y[own]
        ez_x[bent], ez_y[bent] = _times(by_x, ez[bent]), _times(by_y, ez[bent])
        curl[bent] = _times(by_x, hy[bent]) - _times(by_y, hx[bent])
    return Fields(-ez_y / mu, ez_x / mu, (curl - sigma * ez) / epsilon)


def correct(
    operator: MaxwellTM, elements: Indices, fields: Fields, own: Array, incoming: Array
) -> None:
    """Add what flowed through the faces of some elements to their fields, in place.

    Parameters
    ----------
    own : (2, n, 3, nodes_per_face) integrals of Ez and H over the step.
    incoming : the same of the neighbours.
    """
    flow = _lifted(operator, elements, own, incoming)
    for name in ("hx", "hy", "ez"):
        getattr(fields, name)[elements] += getattr(flow, name)


def _lifted(operator: MaxwellTM, elements: Indices, own: Array, incoming: Array) -> Fields:
    """What Ez and H on both sides of the faces add to the rates of change, or their integrals to
    the fields; see :func:`wavelab.physics.operator.maxwell_tm.numerical_flux`."""
    d = operator.discretization
    g = d.geometry
    z = operator.impedance[elements, None]
    z_outside = operator.impedance[d.connectivity.neighbor_element[elements]]
    wall = d.connectivity.is_boundary[elements, :, None]
    reflection = operator.reflection[elements, :, None]
    upwinding = face_upwinding(operator)[elements, :, None]
    (e, h), (e_outside, h_outside) = own, incoming
    jump_e = e - np.where(wall, reflection * e, e_outside)
    jump_h = z_outside[:, :, None] * (h + np.where(wall, reflection * h, h_outside))
    weight = 1 / (z + z_outside)[:, :, None]
    of_e, of_h = weight * (jump_e + upwinding * jump_h), weight * (jump_h + upwinding * jump_e)
    scale = g.face_scale[elements, :, None]
    n_fp = d.element.nodes_per_face
    added = Fields.zeros((len(elements), d.nodes_per_element))
    for f in range(3):
        lift = d.element.lift[:, f * n_fp : (f + 1) * n_fp].T
        lifted = (scale * of_e)[:, f] @ lift
        added.hx[...] += g.normal_y[elements, f, None] * lifted
        added.hy[...] -= g.normal_x[elements, f, None] * lifted
        added.ez[...] -= (scale * of_h)[:, f] @ lift
    if d.curved is not None:
        bent = elements >= d.curved.first
        own_number = elements[bent] - d.curved.first
        of_e, of_h = (values[bent].reshape(-1, 3 * n_fp) for values in (of_e, of_h))
        added.hx[bent] = _times(d.curved.lift_y[own_number], of_e)
        added.hy[bent] = -_times(d.curved.lift_x[own_number], of_e)
        added.ez[bent] = -_times(d.curved.lift[own_number], of_h)
    by_mu = z / operator.mu[elements, None]
    return Fields(by_mu * added.hx, by_mu * added.hy, added.ez / operator.epsilon[elements, None])


def _times(matrices: Array, vectors: Array) -> Array:
    return (matrices @ vectors[:, :, None])[:, :, 0]


def _traces(operator: MaxwellTM, elements: Indices, fields: Fields) -> Array:
    """(2, n, 3, nodes_per_face) Ez and H = nx Hy - ny Hx at the face nodes of some elements."""
    d = operator.discretization
    nodes = d.element.face_nodes
    g = d.geometry
    hx, hy = fields.hx[:, nodes], fields.hy[:, nodes]
    h = g.normal_x[elements][:, :, None] * hy - g.normal_y[elements][:, :, None] * hx
    if d.curved is not None:
        bent = elements >= d.curved.first
        own = elements[bent] - d.curved.first
        h[bent] = np.einsum("kfij,kfj->kfi", d.curved.tangent_x[own], hy[bent])
        h[bent] -= np.einsum("kfij,kfj->kfi", d.curved.tangent_y[own], hx[bent])
    return np.array([fields.ez[:, nodes], h])


def _add(total: Fields, part: Fields, factor: float) -> None:
    for name in ("hx", "hy", "ez"):
        getattr(total, name)[...] += factor * getattr(part, name)
