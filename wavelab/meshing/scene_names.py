"""Do the names a scene uses exist in its mesh file?"""

from __future__ import annotations

import difflib

from wavelab.errors import SceneError
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene


def check_names(scene: Scene, mesh: Mesh) -> None:
    """Refuse regions and edges that a scene names but its mesh file does not have.

    Scenes with an outline are checked when they are read, since they need no mesh for it.

    Raises
    ------
    SceneError : naming the region or edge, and what there is.
    """
    if scene.mesh_file is None:
        return
    for region in scene.materials:
        if region.shape is None and region.name not in mesh.region_names:
            raise _unknown(scene, "region", region.name, mesh.region_names)
    for wall in scene.walls:
        for edge in wall.edges:
            if edge != "domain" and edge not in mesh.face_names:
                raise _unknown(scene, "edge", edge, mesh.face_names)


def _unknown(scene: Scene, kind: str, name: str, known: tuple[str, ...]) -> SceneError:
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        remedy = f'Did you mean "{close[0]}"?'
    elif known:
        remedy = f"It has: {', '.join(known)}."
    else:
        remedy = f"It names no {kind}s at all."
    return SceneError(
        f'the mesh file {scene.mesh_file} has no {kind} "{name}"',
        where=str(scene.path or ""),
        remedy=remedy,
    )
