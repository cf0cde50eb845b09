"""What pushes, presses or slips in solids and fluids, as source terms."""

from __future__ import annotations

import numpy as np

from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.bumps import bump, told
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
    nodes, profile = bump(operator, at, at, emission.radius, emission.amplitude)
    if not len(nodes):
        raise refuse(
            f"at {told(at)} reaches no node of the mesh",
            "Move it inside the domain or enlarge its radius.",
        )
    elements, waveform = nodes // n_nodes, emission.waveform.function()
    terms = []
    if any(emission.force):
        into = tuple(zip(("vx", "vy"), emission.force, strict=True))
        terms.append(NodalSourceTerm(nodes, profile / operator.density[elements], waveform, into))
    if any(emission.moment):
        xx, yy, xy = emission.moment
        if xy or xx != yy:  # what reaches into a fluid has nothing to shear there
            kept = operator.mu[elements] > 0
            if np.abs(profile[~kept]).max(initial=0) > np.abs(profile[kept]).max(initial=0):
                raise refuse("shears a fluid", "Move it into the solid, or let it be an explosion.")
            nodes, profile = nodes[kept], profile[kept]
        into = (("sxx", -xx), ("syy", -yy), ("sxy", -xy))
        whole = NodalSourceTerm(nodes, profile, waveform, into)
        graded = any(np.isin(elements, part.elements).any() for part in operator.media.parts)
        terms += _strained(whole, (xx, yy, xy), operator) if graded else [whole]
    return tuple(terms)


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
