"""Names of regions and edges that a scene takes from a mesh file."""

from __future__ import annotations

import difflib
from pathlib import Path

from wavelab.errors import SceneError
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene


def check_names(scene: Scene, mesh: Mesh) -> tuple[str, ...]:
    """Refuse regions and edges that a scene names but its mesh file does not have; regions that it
    has but without an element are returned, in words.

    Scenes with an outline are checked when they are read, since they need no mesh for it.

    Raises
    ------
    SceneError : naming the region or edge, and what there is.
    """
    if scene.mesh_file is None:
        return ()
    notes = []
    for region in scene.materials:
        if region.shape is not None:
            continue
        if region.name not in mesh.region_names:
            raise _unknown_name(scene, "region", region.name, mesh.region_names)
        if mesh.region_names.index(region.name) not in mesh.regions:
            notes.append(f'no element is in "{region.name}": its material is nowhere')
    for edge in (edge for wall in scene.walls for edge in wall.edges if edge != "domain"):
        if not any(name == edge or name.startswith(f"{edge}.") for name in mesh.face_names):
            raise _unknown_name(scene, "edge", edge, mesh.face_names)
    return tuple(f"{Path(scene.mesh_file).name}: {note}" for note in notes)


def _unknown_name(scene: Scene, kind: str, name: str, known: tuple[str, ...]) -> SceneError:
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
