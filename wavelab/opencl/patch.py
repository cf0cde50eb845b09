"""A part of an operator that costs a device as much per element, to time kernels with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.media import NO_MEDIA


def patch(operator: MaxwellTM, n_elements: int) -> MaxwellTM:
    """The first elements of an operator, which lie together; the cut is a wall.

    The operator itself if it has no more.
    """
    d = operator.discretization
    # The kernels that are tuned know constants only.
    if operator.media:
        operator = replace(operator, media=NO_MEDIA)
    if n_elements >= d.n_elements:
        return operator
    near, face = d.connectivity.neighbor_element, d.connectivity.neighbor_face
    cut = near[:n_elements] >= n_elements
    own = np.arange(n_elements, dtype=near.dtype)[:, None]
    kept = replace(
        d,
        mesh=replace(
            d.mesh,
            triangles=d.mesh.triangles[:n_elements],
            regions=d.mesh.regions[:n_elements],
            face_tags=d.mesh.face_tags[:n_elements],
        ),
        connectivity=replace(
            d.connectivity,
            neighbor_element=np.where(cut, own, near[:n_elements]),
            neighbor_face=np.where(cut, np.arange(3, dtype=face.dtype), face[:n_elements]),
        ),
        geometry=type(d.geometry)(
            **{name: values[:n_elements] for name, values in vars(d.geometry).items()}
        ),
        x=d.x[:n_elements],
        y=d.y[:n_elements],
    )
    return replace(
        operator,
        discretization=kept,
        epsilon=operator.epsilon[:n_elements],
        mu=operator.mu[:n_elements],
        sigma=operator.sigma[:n_elements],
        reflection=operator.reflection[:n_elements],
    )
