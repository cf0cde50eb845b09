"""``wavelab partition``: a mesh file in parts, one for each of many ranks."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wavelab.atomic import explain
from wavelab.cli.shared.arguments import whole
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note
from wavelab.errors import MeshError, WavelabError
from wavelab.meshing.formats import READERS
from wavelab.meshing.job import MeshJob
from wavelab.meshing.parts.cutting import Cutter
from wavelab.meshing.parts.part_files import PartIndex, new_directory, write_parts
from wavelab.meshing.parts.store import MeshStore
from wavelab.meshing.parts.streaming import STREAMS
from wavelab.meshing.readable import readable
from wavelab.numerics.mesh.mesh_part import deal_out
from wavelab.numerics.mesh.partitioning import has_metis
from wavelab.reading import is_plain_file, named_path
from wavelab.scene.model.scene import Scene, Solver

#: Bytes of a file that is streamed unless somebody wishes: about two million elements.
_STREAMED = 128 << 20
MOST_PARTS = 65_536

DESCRIPTION = f"""\
Cut a mesh file into parts, one for each rank of a run: mpiexec -n R wavelab run SCENE --parts DIR.
Each rank reads its own part, and no process has to hold the mesh.

A file of up to {_STREAMED >> 20} MiB is read whole and cut along few faces; a larger one
({", ".join(STREAMS)}; text, triangles with straight faces) is streamed, and cut along a curve.

  wavelab partition coast.msh -n 16 -o coast.parts
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mesh", metavar="MESH", help=f"a mesh file ({', '.join(READERS)})")
    parser.add_argument(
        "-n",
        "--parts",
        type=whole(1, MOST_PARTS),
        required=True,
        metavar="R",
        help="how many parts, one for each rank",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="DIR",
        help="a new directory for them",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stream", action="store_true", help="read a small file bit by bit, too")
    way.add_argument("--whole", action="store_true", help="read a large file whole, too")


def _execute(arguments: argparse.Namespace) -> int:
    path = named_path(arguments.mesh)
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise MeshError(
            f'"{path.suffix}" is no mesh file that wavelab can read',
            where=path.name,
            remedy=f"It reads {', '.join(READERS)}; wavelab mesh SCENE -o FILE.msh makes one.",
        )
    with readable(path):
        if not is_plain_file(path):
            raise FileNotFoundError(2, "there is no such file", str(path))
        large = path.stat().st_size > _STREAMED
    streams = arguments.stream or (large and not arguments.whole)
    if streams and suffix not in STREAMS:
        raise WavelabError(
            f'"{suffix}" files are not streamed', where=path.name,
            remedy=f"Leave --stream out, take --whole, or convert it to {' or '.join(STREAMS)}.",
        )  # fmt: skip
    with new_directory(arguments.output) as directory:
        index = (_streamed if streams else _whole)(path, arguments.parts, directory)
    sizes = [part.elements for part in index.parts]
    print(
        f"{directory}: {index.elements:,} elements in {len(sizes)} parts of {min(sizes):,} to "
        f"{max(sizes):,}"
    )
    return 0


def _whole(path: Path, n_parts: int, directory: Path) -> PartIndex:
    if not has_metis():
        note(
            "pymetis is not installed: the mesh is cut along a curve, with longer borders "
            "(pip install pymetis)"
        )
    # In a scene, so that a child process reads it: damaged files can take any memory.
    job = MeshJob(Scene(path.name, Solver(element_size=1.0), outline=None, mesh_file=path))
    mesh = job.start().wait()
    for notice in job.notices:
        note(notice)
    parts = deal_out(mesh, n_parts)
    return write_parts(directory, parts, path, mesh.region_names, mesh.face_names, mesh.n_vertices)


def _streamed(path: Path, n_parts: int, directory: Path) -> PartIndex:
    with _scratch(directory) as folder:
        store = MeshStore(folder, path.name)
        with readable(path):
            content = STREAMS[path.suffix.lower()](path, store)
        if not hasattr(store, "triangles"):
            raise MeshError("the file has no elements", where=path.name)
        cutter = Cutter(store, content, n_parts, folder, path.name)
        for text in dict.fromkeys(cutter.notes):
            note(f"{path.name}: {text}")
        return write_parts(
            directory, cutter.parts(), path, cutter.region_names, cutter.face_names,
            store.n_points,
        )  # fmt: skip


@contextmanager
def _scratch(directory: Path) -> Iterator[Path]:
    """A folder for what is only needed meanwhile, on the disk that the parts go to."""
    try:
        with tempfile.TemporaryDirectory(prefix="partial-", dir=directory) as folder:
            yield Path(folder)
    except OSError as error:
        raise explain(error, directory) from error


COMMAND = Command(
    "partition", "cut a mesh file into parts for ranks", DESCRIPTION, _arguments, _execute
)
