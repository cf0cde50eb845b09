"""Sources beside glued edges whose phases are those of no wave: they end there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.bumps import wavevector
from wavelab.physics.sources.source_terms import NodalSourceTerm, SourceTerm
from wavelab.scene.model.scene import Scene

#: Parts of the strength of a source at an edge that are told of.
_SEEN = 1e-3


def sources_cut_off(
    operator: MaxwellTM, driven: Sequence[tuple[str, SourceTerm]]
) -> tuple[str, ...]:
    """Notices of those that reach such an edge.

    Parameters
    ----------
    driven : what sources there are, and their terms.
    """
    if operator.phases is None or wavevector(operator) is not None:
        return ()
    d = operator.discretization
    phased = (operator.phases != 0) & ~d.connectivity.is_boundary
    element, face = np.nonzero(phased)
    at_edge = np.zeros(d.x.size, dtype=bool)
    at_edge[element[:, None] * d.nodes_per_element + d.element.face_nodes[face]] = True
    found = {
        what: None
        for what, term in driven
        if isinstance(term, NodalSourceTerm)
        and np.abs(term.rate[at_edge[term.nodes]]).max(initial=0.0)
        > _SEEN * np.abs(term.rate).max(initial=0.0)
    }
    return tuple(
        f"{what} ends at a periodic edge: the phases there are those of no Bloch wave"
        for what in found
    )


def imaginary_left_out(scene: Scene, operator: MaxwellTM) -> tuple[str, ...]:
    """A notice where a scene gives an imaginary part, and fields are real."""
    if scene.imaginary is None or operator.phases is not None:
        return ()
    return (
        "the imaginary part of the initial fields is left out: no periodic wall has a phase, so "
        "fields are real",
    )
