"""Meshing for a study that runs beside the wave and may be given up."""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.meshing.job import MeshJob
from wavelab.numerics.mesh import Mesh
from wavelab.scene.scene import Scene
from wavelab.simulation.comparison import StudyCancelledError

_POLL_SECONDS = 0.02


def mesh_of(scene: Scene, cancelled: Callable[[], bool], size: float | None = None) -> Mesh:
    """The mesh of a scene.

    Parameters
    ----------
    size : of the elements, None for the scene's own.

    Raises
    ------
    WavelabError : it cannot be meshed.
    StudyCancelledError : as ``cancelled`` said.
    """
    job = MeshJob(scene, size).start()
    try:
        while (mesh := job.poll()) is None:
            if cancelled():
                raise StudyCancelledError
            time.sleep(_POLL_SECONDS)
        return mesh
    finally:
        job.cancel()
