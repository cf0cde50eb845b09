"""Files that hold a geometry to be meshed."""

from __future__ import annotations

from pathlib import Path

from wavelab.errors import GeometryError
from wavelab.meshing.drawing import PlanarDrawing
from wavelab.meshing.formats.triangle_files import read_poly
from wavelab.scene.scene import Scene
from wavelab.scene.toml_io import load_scene


def load_geometry(path: Path | str) -> Scene | PlanarDrawing:
    """What :func:`~wavelab.meshing.job.mesh_scene` can mesh, from a scene or a .poly file.

    Raises
    ------
    GeometryError : neither of these kinds of file.
    SceneError, MeshError : the file is wrong.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return load_scene(path)
    if suffix == ".poly":
        return read_poly(path)
    ending = f"the ending {path.suffix!r}" if path.suffix else "no ending"
    raise GeometryError(
        f"has {ending}, but the ending says what is in the file",
        where=str(path),
        remedy="Give a scene (.toml) or a planar straight-line graph (.poly).",
    )
