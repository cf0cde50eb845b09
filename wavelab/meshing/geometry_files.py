"""Files that hold a geometry to be meshed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wavelab.errors import GeometryError
from wavelab.meshing.drawings import SUFFIXES
from wavelab.meshing.graph.drawing import PlanarDrawing
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import load_scene

Notify = Callable[[str], None]


def open_scene(path: Path | str, notify: Notify = lambda _: None) -> Scene:
    """The scene in a TOML file, or one of a drawing: the domain is the largest outline of an
    SVG or DXF, and of a GDS all shapes are one material.

    Parameters
    ----------
    notify : told what is left out of a drawing.

    Raises
    ------
    SceneError, GeometryError : the file is wrong.
    """
    path = Path(path)
    if not is_drawing(path):
        return load_scene(path)
    # Here, and not at the top: what reads drawings is large, and most scenes are none.
    from wavelab.meshing.drawings.drawing_scene import scene_of_drawing_file

    return scene_of_drawing_file(path, notify=notify)


def load_geometry(path: Path | str, notify: Notify = lambda _: None) -> Scene | PlanarDrawing:
    """What :func:`~wavelab.meshing.job.mesh_scene` can mesh, from a scene, a drawing or a .poly
    file.

    Raises
    ------
    GeometryError : none of these kinds of file, or a drawing that cannot be used.
    SceneError, MeshError : the file is wrong.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".toml" or is_drawing(path):
        return open_scene(path, notify)
    if suffix == ".poly":
        from wavelab.meshing.formats.triangle_files import read_poly

        return read_poly(path)
    ending = f"the ending {path.suffix!r}" if path.suffix else "no ending"
    raise GeometryError(
        f"has {ending}, but the ending says what is in the file",
        where=str(path),
        remedy="Give a scene (.toml), a drawing (.svg, .dxf, .gds) or a planar straight-line graph "
        "(.poly).",
    )


def is_drawing(path: Path) -> bool:
    """Whether the name says that it is one."""
    return path.suffix.lower() in SUFFIXES
