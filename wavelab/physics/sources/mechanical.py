"""What pushes, presses or slips in solids and fluids, as source terms."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.bumps import told, turned_bumps
from wavelab.physics.sources.source_terms import NodalSourceTerm, Refuse, SourceTerm
from wavelab.scene.model.sending.emissions import Mechanical


def mechanical(emission: Mechanical, operator: Operator, refuse: Refuse) -> tuple[SourceTerm, ...]:
    """The source terms of what pushes, presses or slips.

    Raises
    ------
    SceneError : it reaches no node, or shears a fluid.
    """
    assert isinstance(operator, ElasticPSV)
    at, n_nodes = emission.center, operator.discretization.nodes_per_element
    parts = turned_bumps(operator, at, emission.radius, emission.amplitude)
    if not any(len(nodes) for _, nodes, _ in parts):
        raise refuse(
            f"at {told(at)} reaches no node of the mesh",
            "Move it inside the domain or enlarge its radius.",
        )
    xx, yy, xy = emission.moment
    shears = bool(xy or xx != yy)
    if shears:  # what reaches into a fluid has nothing to shear there
        stiff, fluid = (
            max(
                np.abs(profile[(operator.mu[nodes // n_nodes] > 0) == solid]).max(initial=0)
                for _, nodes, profile in parts
            )
            for solid in (True, False)
        )
        if fluid > stiff:
            raise refuse("shears a fluid", "Move it into the solid, or let it be an explosion.")
    terms: list[SourceTerm] = []
    for turn, nodes, profile in parts:
        terms += _pushing(emission, turn, nodes, profile, operator)
        kept = operator.mu[nodes // n_nodes] > 0 if shears else np.ones(len(nodes), dtype=bool)
        if any(emission.moment) and kept.any():
            terms += _straining(emission, turn, nodes[kept], profile[kept], operator)
    return tuple(terms)


def _pushing(
    emission: Mechanical, turn: complex, nodes: Indices, profile: Array, operator: ElasticPSV
) -> list[NodalSourceTerm]:
    """What a force does, on one way through glued edges, which turn it."""
    if not any(emission.force):
        return []
    force = complex(*emission.force) * turn
    density = operator.density[nodes // operator.discretization.nodes_per_element]
    into = (("vx", force.real), ("vy", force.imag))
    return [NodalSourceTerm(nodes, profile / density, emission.waveform.function(), into)]


def _straining(
    emission: Mechanical, turn: complex, nodes: Indices, profile: Array, operator: ElasticPSV
) -> list[NodalSourceTerm]:
    """What a moment does, likewise."""
    xx, yy, xy = emission.moment
    mean, differ = (xx + yy) / 2, complex((xx - yy) / 2, xy) * turn**2
    xx, yy, xy = mean + differ.real, mean - differ.real, differ.imag
    into = (("sxx", -xx), ("syy", -yy), ("sxy", -xy))
    whole = NodalSourceTerm(nodes, profile, emission.waveform.function(), into)
    elements = nodes // operator.discretization.nodes_per_element
    graded = any(np.isin(elements, part.elements).any() for part in operator.media.parts)
    return _strained(whole, (xx, yy, xy), operator) if graded else [whole]


def _strained(
    term: NodalSourceTerm, moment: tuple[float, float, float], operator: ElasticPSV
) -> list[NodalSourceTerm]:
    """What makes the same stress where strain is advanced, which formulas turn into it; of
    compression and of shear."""
    n_nodes = operator.discretization.nodes_per_element
    (xx, yy, xy), (elements, profile) = moment, term.profile(n_nodes)
    mean, differ = (xx + yy) / 2, (xx - yy) / 2
    nodes = (elements[:, None] * n_nodes + np.arange(n_nodes)).ravel()
    found = []
    for name, into in (
        ("compression", {"sxx": -mean, "syy": -mean}),
        ("shear", {"sxx": -differ, "syy": differ, "sxy": -xy}),
    ):
        if any(into.values()):
            rate = operator.media.undone(name, elements, profile).ravel()
            found.append(NodalSourceTerm(nodes, rate, term.waveform, tuple(into.items())))
    return found
