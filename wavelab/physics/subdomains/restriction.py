"""What acts on the fields, and looks at them, as one rank sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.glue import glue_of
from wavelab.numerics.mesh.connectivity import Connectivity
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.subdomains.partition import Subdomain


def operator_on(operator: Operator, subdomain: Subdomain) -> Operator:
    """The operator of a rank, which leaves the fields of the halo as they are."""
    d, elements = operator.discretization, subdomain.elements
    here = replace(
        d.part(elements),
        mesh=d.mesh.part(elements),
        connectivity=_connectivity_on(d, subdomain),
        single=d.single and d.single.part(elements[:: d.copies] // d.copies),
    )
    part = replace(operator.on(here, elements, at_cuts=-1.0), held=~subdomain.own)
    if operator.media:
        media = operator.media.restricted(subdomain.place(d.n_elements))
        part = replace(part, media=media)
    if operator.phases is not None:
        # Nobody reads what comes into the halo, nor has all of it.
        own = subdomain.own[:, None]
        part = replace(part, phases=np.where(own, operator.phases[elements], 0.0))
    return part


def _connectivity_on(d: Discretization, subdomain: Subdomain) -> Connectivity:
    """Neighbours of the elements of a rank; those in the halo do not know each other, because
    nobody tells what they publish towards each other."""
    c, halo = d.connectivity.part(subdomain.elements), ~subdomain.own
    strange = halo[:, None] & halo[c.neighbor_element]
    element, face = np.nonzero(strange)
    near, near_face = c.neighbor_element.copy(), c.neighbor_face.copy()
    near[element, face], near_face[element, face] = element, face
    return Connectivity(near, near_face)


def sources_on(
    source_terms: Sequence[SourceTerm], d: Discretization, subdomain: Subdomain
) -> list[SourceTerm]:
    """The source terms that reach the elements of a rank.

    Parameters
    ----------
    d : of the whole mesh.
    """
    place = subdomain.place(d.n_elements)
    parts = (_source_on(term, d, subdomain, place) for term in source_terms)
    return [part for part in parts if part is not None]


def _source_on(
    term: SourceTerm, d: Discretization, subdomain: Subdomain, place: Indices
) -> SourceTerm | None:
    if isinstance(term, NodalSourceTerm | FaceSourceTerm):
        return placed(term, d.nodes_per_element, place)
    if isinstance(term, MovingSourceTerm):
        strength = np.where(subdomain.own, term.strength[subdomain.elements], 0.0)
        # Of a part of the mesh nobody knows what is glued to what; without glue there is none.
        glue = glue_of(d)
        return replace(term, strength=strength, glue=glue if glue.edges else None)
    return term


def placed(
    term: NodalSourceTerm | FaceSourceTerm, nodes_per_element: int, place: Indices
) -> SourceTerm | None:
    """What of a source term acts on elements with a place; None where that is nothing."""
    if isinstance(term, NodalSourceTerm):
        rows, nodes = nodes_on(term.nodes, nodes_per_element, place)
        return replace(term, nodes=nodes, rate=term.rate[rows]) if len(rows) else None
    rows = np.flatnonzero(place[term.elements] >= 0)
    if not len(rows):
        return None
    return replace(
        term,
        elements=place[term.elements[rows]],
        faces=term.faces[rows],
        e=term.e[rows],
        h=term.h[rows],
        delay=np.broadcast_to(term.delay, (len(term.elements), term.delay.shape[1]))[rows],
    )


def nodes_on(nodes: Indices, nodes_per_element: int, place: Indices) -> tuple[Indices, Indices]:
    """Which of some flat nodes are on a rank, and their flat numbers there."""
    element, node = np.divmod(nodes, nodes_per_element)
    rows = np.flatnonzero(place[element] >= 0)
    return rows, place[element[rows]] * nodes_per_element + node[rows]


def points_on(points: ProbePoints, place: Indices) -> tuple[Indices, ProbePoints]:
    """Which of some points are on a rank, and these."""
    rows = np.flatnonzero(place[points.elements] >= 0)
    return rows, ProbePoints(
        tuple(points.names[row] for row in rows),
        place[points.elements[rows]].astype(np.int32),
        points.weights[rows],
        tuple(points.components[row] for row in rows),
    )


def transform_on(
    transform: RunningTransform, place: Indices
) -> tuple[Indices, RunningTransform | None]:
    """Which points or elements of a transform are on a rank, and that part of it; None where it has
    none there."""
    if transform.points is not None:
        rows, points = points_on(transform.points, place)
        part = replace(transform, points=points)
    else:
        assert transform.elements is not None
        rows = np.flatnonzero(place[transform.elements] >= 0)
        part = replace(transform, elements=place[transform.elements[rows]].astype(np.int32))
    return rows, part if len(rows) else None
