"""Waves that come in through faces: plane waves and guided modes.

The flux across a face is linear in the state outside of it, (Ez+, H+) with H = nx Hy - ny Hx.  A
wave that is known there, (Ei, Hi), comes in by adding it to that state (HW 6.6; the form of Taflove
& Hagness, *Computational Electrodynamics*, ch. 5, for finite differences):

    border of a region    inside is the total field, outside the scattered one.  What an inner
                          element sees of its outer neighbour lacks (Ei, Hi), which is added; what
                          the outer one sees has (Ei, Hi) too much, which is taken off.
    absorbing wall        the state outside is (Ei, Hi) in place of nothing.

Nothing is approximated: the exact incident wave solves the discrete problem up to the error of the
scheme, whatever faces the border is made of.  So the border runs along element faces, inside of the
shape that was drawn, and the mesh need not follow it.

A plane wave in the direction u has Z H = -(n.u) Ez.  At a wall it splits into what runs into the
wall, p = (Ez - Z H)/2 = (1 + n.u)/2 Ez, and what comes out, m = (1 - n.u)/2 Ez; a wall with m = R p
lets it be.
"""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import Refuse

#: Directions and positions that differ by less than this are the same.
SAME = 1e-6


def through(
    edges: tuple[str, ...], operator: MaxwellTM | ElasticPSV, refuse: Refuse
) -> tuple[Indices, Indices]:
    """The faces of absorbing edges."""
    d = operator.discretization
    chosen = np.zeros((d.n_elements, 3), dtype=bool)
    # At others a wall that absorbs has another coefficient; they are refused by :func:`medium`.
    plain = np.ones((d.n_elements, 1), dtype=bool)
    for part in operator.media.parts:
        plain[part.elements] = False
    for edge in edges:
        of_edge = face_selection(d.mesh, (edge,)) & d.connectivity.is_boundary
        if not of_edge.any():
            raise refuse(
                f'comes through "{edge}", where the mesh has no wall',
                f"The mesh has: {', '.join(sorted(d.mesh.face_names)) or 'no names'}; periodic "
                "edges are no walls.",
            )
        if (operator.reflection[of_edge & plain] != 0).any():
            raise refuse(
                f'comes through "{edge}", which does not absorb',
                'Add [[walls]] with that edge and kind = "absorbing".',
            )
        chosen |= of_edge
    elements, faces = np.nonzero(chosen)
    return elements, faces


def medium(elements: Indices, operator: MaxwellTM, refuse: Refuse) -> tuple[float, float]:
    """Impedance and speed, the same on all these elements.

    Raises
    ------
    SceneError : they are not, or a medium there loses energy, is a formula or a tensor, or has a
        curved edge.
    """
    constants = np.column_stack([operator.epsilon[elements], operator.mu[elements]])
    special = operator.sigma[elements] != 0
    for part in operator.media.parts:
        special |= np.isin(elements, part.elements)
    remedy = "Draw its shape, or choose edges, where there is one lossless medium of constant "
    remedy += "epsilon and mu: the wave is known only there."
    if special.any():
        where = near(elements, special, operator.discretization)
        raise refuse(f"comes in through a lossy, anisotropic or varying medium {where}", remedy)
    check_one_medium(elements, constants, operator.discretization, refuse, remedy)
    epsilon, mu = constants[0]
    return math.sqrt(mu / epsilon), 1 / math.sqrt(mu * epsilon)


def check_one_medium(
    elements: Indices, constants: Array, d: Discretization, refuse: Refuse, remedy: str
) -> None:
    """Refuse elements whose constants (n, n_constants) differ, and curved ones."""
    other, curved = (constants != constants[0]).any(axis=1), elements >= d.first_curved
    if other.any():
        where = near(elements, other, d)
        raise refuse(f"comes in through two media, one {where}", remedy)
    if curved.any():
        where = near(elements, curved, d)
        raise refuse(
            f"comes in through an element with a curved edge {where}",
            "Keep its border an element away from curved edges and walls that waves come through "
            "straight, or have straight faces alone (curved = false; in the window: Faces).",
        )


def near(elements: Indices, wrong: Mask, d: Discretization) -> str:
    element = elements[int(np.argmax(wrong))]
    return f"near ({d.x[element].mean():.4g}, {d.y[element].mean():.4g})"
