"""What should be known of the screen beside an opening whose far field is found.

Whether its image keeps the sign of a wave or turns it is said by hand, in words of light: a metal
screen of the other polarization, and a rigid one of sound, are "magnetic".
"""

from __future__ import annotations

import numpy as np

from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.model.measuring.requests import BesideScreen

#: Of the length of the opening: walls so close to its line are in the plane of the screen.
_IN_PLANE = 1e-6


def screen_notices(where: BesideScreen, operator: MaxwellTM, what: str) -> tuple[str, ...]:
    """That the walls beside a line, in its plane and with the domain in front of them, are not what
    the monitor ``what`` takes the screen for."""
    start, end = np.array(where.vertices, np.float64)
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    front = np.array([along[1], -along[0]])
    d = operator.discretization
    elements, faces = np.nonzero(d.connectivity.is_boundary)
    ends = d.mesh.vertices[d.mesh.triangles[elements[:, None], FACE_VERTICES[faces]]] - start
    in_plane = (np.abs(ends @ front) < _IN_PLANE * length).all(axis=1)
    place = (ends @ along).mean(axis=1) / length
    g = d.geometry
    normals = np.stack([g.normal_x[elements, faces], g.normal_y[elements, faces]], axis=1)
    beside = in_plane & ((place < 0) | (place > 1)) & (normals @ front < 0)
    returned = operator.reflection[elements[beside], faces[beside]]
    if where.screen == "conductor" and (returned > 0).any() and not (returned < 0).any():
        return (
            f"the walls beside the line of {what} send waves back as they are, and screen = "
            '"conductor" stands for walls that turn them round: give screen = "magnetic"',
        )
    if where.screen == "magnetic" and (returned < 0).any() and not (returned > 0).any():
        return (
            f'the walls beside the line of {what} turn waves round, and screen = "magnetic" stands '
            'for walls that send them back as they are: give screen = "conductor"',
        )
    return ()
