"""A part of an operator that costs a device as much per element, to time kernels with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import NO_MEDIA


def patch(operator: MaxwellTM, n_elements: int) -> MaxwellTM:
    """The first elements of an operator, which lie together; the cut is a wall.

    Of curved ones, which come last, there is the same share.  The operator itself if it has no
    more.
    """
    d = operator.discretization
    # The kernels that are tuned know constants only.
    if operator.media:
        operator = replace(operator, media=NO_MEDIA)
    if n_elements >= d.n_elements:
        return operator
    n_curved = -(-n_elements * (d.n_elements - d.first_curved) // d.n_elements)
    kept = np.arange(n_elements)
    kept[n_elements - n_curved :] = d.first_curved + np.arange(n_curved)
    return operator.part(kept)
