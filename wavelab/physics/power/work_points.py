"""Points at which the work of a source with a fixed profile is sampled, in any system."""

from __future__ import annotations

from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import NodalSourceTerm


def work_points(operator: Operator, source_term: NodalSourceTerm) -> ProbePoints:
    """Points whose sum, times the waveform, is the power of a source term."""
    d = operator.discretization
    elements, profile = source_term.profile(d.nodes_per_element)
    tested = d.apply_mass(profile, elements)
    shares, names = dict(source_term.into), ("",) * len(elements)
    found = [ProbePoints.none(d.nodes_per_element)]
    for (name, driven), weight in operator.energy_matrix.items():
        if driven in shares:
            weights = shares[driven] * weight[elements, None] * tested
            found.append(ProbePoints(names, elements.astype("int32"), weights).of(name))
    return joined(found)
