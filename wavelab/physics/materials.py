"""Materials: one epsilon, mu and sigma per element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import SceneError
from wavelab.numerics.mesh import Mesh
from wavelab.scene.scene import Material, Scene

Array = NDArray[np.float64]


def material_arrays(scene: Scene, mesh: Mesh) -> tuple[Array, Array, Array]:
    """epsilon, mu and sigma, (n_elements,) each, from the regions of the mesh.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have.
    """
    by_region: dict[str, Material] = dict.fromkeys(mesh.region_names, scene.background)
    for material in scene.materials:
        if material.name not in by_region:
            raise SceneError(
                f'material "{material.name}" names no region of the mesh',
                where=str(scene.path or scene.title),
                remedy=f"The mesh has the regions: {', '.join(mesh.region_names)}.",
            )
        by_region[material.name] = material.material
    table = np.array(
        [(m.epsilon, m.mu, m.sigma) for m in (by_region[name] for name in mesh.region_names)],
        dtype=np.float64,
    )
    epsilon, mu, sigma = table[mesh.regions].T
    return np.ascontiguousarray(epsilon), np.ascontiguousarray(mu), np.ascontiguousarray(sigma)
