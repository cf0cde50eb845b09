"""What a user should hear of parts of a domain that no wave gets to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.parts import parts_of
from wavelab.physics.operator.fields import Fields
from wavelab.physics.sources.gaussian import gaussian
from wavelab.physics.sources.source_terms import FaceSourceTerm, NodalSourceTerm, SourceTerm
from wavelab.remembered import Remembered
from wavelab.scene.model.sending.pings import Ping

_parts: Remembered[Discretization, NDArray[np.intp]] = Remembered(1)


def silent_parts(
    d: Discretization,
    source_terms: Sequence[SourceTerm],
    initial: Fields,
    pings: Sequence[Ping] = (),
) -> tuple[str, ...]:
    """That a domain falls into parts, if nothing makes a wave in one of them.

    Lanes beside each other, each with its own wave, are meant to be.
    """
    # Both copies of elements with complex fields hang together by their phases.
    seen = d.seen
    alone = _parts.get(seen, None, lambda: parts_of(seen.connectivity.neighbor_element))
    part = np.repeat(alone, d.copies)
    count = int(part.max(initial=0)) + 1
    if count == 1:
        return ()
    sounding = np.zeros(count, dtype=bool)
    for field in initial.arrays:
        sounding[part[(field != 0).any(axis=1)]] = True
    for source_term in source_terms:
        if isinstance(source_term, NodalSourceTerm):
            sounding[part[source_term.nodes // d.nodes_per_element]] = True
        elif isinstance(source_term, FaceSourceTerm):
            sounding[part[source_term.elements]] = True
        else:
            return ()  # it may come anywhere
    for ping in pings:
        nodes, _ = gaussian(d, ping.position, ping.radius, ping.amplitude)
        sounding[part[nodes // d.nodes_per_element]] = True
    silent = int((~sounding).sum())
    if silent == 0:
        return ()
    text = f"the domain falls into {count} parts; waves do not pass between them"
    if silent < count:
        text += f", and nothing makes a wave in {'one' if silent == 1 else silent} of them"
    return (text,)
