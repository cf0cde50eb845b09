"""Mesh files by the end of their name.

A new format is one module with a function from path to :class:`RawMesh` (or from mesh and path to
bytes), and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from wavelab.atomic import whole_file
from wavelab.errors import MeshError
from wavelab.meshing.formats.gambit import read_gambit
from wavelab.meshing.formats.gambit_writer import gambit_text
from wavelab.meshing.formats.gmsh_reader import read_gmsh
from wavelab.meshing.formats.gmsh_writer import gmsh_text
from wavelab.meshing.formats.raw import RawMesh, assemble
from wavelab.meshing.formats.triangle_files import read_triangle
from wavelab.meshing.formats.vtu_writer import vtu_text
from wavelab.meshing.readable import readable
from wavelab.numerics.mesh.mesh import Mesh

T = TypeVar("T")

READERS: dict[str, Callable[[Path], RawMesh]] = {
    ".msh": read_gmsh,
    ".neu": read_gambit,
    ".ele": read_triangle,
    ".node": read_triangle,
}

WRITERS: dict[str, Callable[[Mesh], str]] = {
    ".msh": gmsh_text,
    ".neu": gambit_text,
    ".vtu": vtu_text,
}


def read_mesh(path: Path | str) -> Mesh:
    """The mesh in a file: Gmsh .msh, Gambit .neu, Triangle .node and .ele.

    Physical groups, element groups and boundary conditions give the names of regions and
    boundary faces.

    Raises
    ------
    MeshError : there is no mesh in it that a discontinuous Galerkin method can run on; naming the
        file, where possible the line, and the place in the plane.

    Warns
    -----
    MeshWarning : for everything that was repaired, split, merged, dropped or looks forgotten.
    """
    path = Path(path)
    reader = _by_ending(READERS, path, "read")
    with readable(path):
        raw = reader(path)
    return assemble(raw, path.name)


def write_mesh(mesh: Mesh, path: Path | str) -> None:
    """Write a mesh as Gmsh .msh (4.1) or Gambit .neu, with all names, or .vtu (for ParaView).

    The file is complete or not there: it is written beside its place and then renamed.

    Raises
    ------
    MeshError : an unknown kind of file, or a name that it cannot hold.
    OutputError : it cannot be written.
    """
    path = Path(path)
    text = _by_ending(WRITERS, path, "write")(mesh)
    with whole_file(path, tuple(WRITERS)) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def _by_ending(known: dict[str, T], path: Path, act: str) -> T:
    """The reader or writer for a file."""
    found = known.get(path.suffix.lower())
    if found is None:
        raise MeshError(
            f'"{path.suffix}" is no mesh file that wavelab can {act}',
            where=path.name,
            remedy=f"It {act}s {', '.join(known)}.",
        )
    return found
