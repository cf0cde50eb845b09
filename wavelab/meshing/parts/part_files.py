"""A mesh in parts: a directory with one file for each, and an index that tells of all of them.

The index is written last, so a directory without one holds nothing that is whole.  It has a digest
of the mesh file that was parted, and of each part, by which others are known.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wavelab.atomic import explain, whole_file
from wavelab.errors import MeshError, OutputError
from wavelab.meshing.readable import readable
from wavelab.numerics.mesh.curves import Curve, EllipseCurve, FacePolynomials
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.mesh_part import MeshPart
from wavelab.reading import read_plain_file

INDEX = "parts.json"
_FORM = "parts of a mesh for wavelab, 1"
_ANEW = "Part the mesh anew: wavelab partition MESH -n RANKS -o DIR."
_ARRAYS = ("vertices", "triangles", "regions", "face_tags", "numbers", "vertex_numbers", "owner")
#: Bytes of a file that are looked at at a time.
_CHUNK = 1 << 24


@dataclass(frozen=True)
class PartFile:
    """One part: its file, elements of its own, and the digest of the file."""

    file: str
    elements: int
    digest: str


@dataclass(frozen=True)
class PartIndex:
    """All parts of a mesh.

    Attributes
    ----------
    mesh, digest : name of the mesh file, and the digest of its content.
    elements, vertices : of the whole.
    region_names, face_names : as of :class:`wavelab.numerics.mesh.mesh.Mesh`.
    parts : by rank.
    """

    mesh: str
    digest: str
    elements: int
    vertices: int
    region_names: tuple[str, ...]
    face_names: tuple[str, ...]
    parts: tuple[PartFile, ...]

    def check_is_of(self, mesh: Path) -> None:
        """That a mesh file is the one that was parted.

        Raises
        ------
        MeshError : it is another one, or was changed since.
        """
        with readable(mesh):
            if digest_of(mesh) == self.digest:
                return
        raise MeshError(
            f"{mesh.name} is not the mesh that was parted: that was {self.mesh}, with "
            f"{self.elements:,} elements, and this file has another content",
            remedy=f"Name the directory with its parts, or part it: wavelab partition {mesh} "
            f"-n {len(self.parts)} -o DIR.",
        )


def digest_of(path: Path) -> str:
    """Of the content of a file, read bit by bit.

    Raises
    ------
    OSError : it cannot be read.
    """
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


@contextmanager
def new_directory(directory: Path) -> Iterator[Path]:
    """A directory for parts, made if it is not there; as before if the block fails.

    Raises
    ------
    OutputError : it is not empty, or cannot be made.
    """
    directory = Path(os.path.expanduser(directory))
    try:
        directory.mkdir(exist_ok=True)
        if any(directory.iterdir()):
            raise OutputError(
                "is not empty", where=str(directory), remedy="Name a directory that is new."
            )
    except OSError as error:
        raise explain(error, directory) from error
    try:
        yield directory
    except BaseException:  # Ctrl-C, too
        with suppress(OSError):  # what went wrong before is said, and not this
            for file in directory.glob("part_*.npz"):
                file.unlink()
            directory.rmdir()
        raise


def write_parts(
    directory: Path,
    parts: Iterable[MeshPart],
    mesh: Path,
    region_names: tuple[str, ...],
    face_names: tuple[str, ...],
    n_vertices: int,
) -> PartIndex:
    """Write parts one after the other, and the index.

    Parameters
    ----------
    directory : of :func:`new_directory`.
    mesh : the file that is parted.

    Raises
    ------
    OutputError : one cannot be written.
    MeshError : the mesh file cannot be read any more.
    """
    written, out_of = [], 0
    for part in parts:
        name, out_of = f"part_{part.rank:05}.npz", part.out_of
        with whole_file(directory / name, (".npz",)) as file, open(file, "wb") as open_file:
            np.savez(open_file, **_arrays(part))
        own = int((part.owner == part.rank).sum())
        written.append(PartFile(name, own, digest_of(directory / name)))
    with readable(mesh):
        digest = digest_of(mesh)
    index = PartIndex(
        mesh.name, digest, out_of, n_vertices, region_names, face_names, tuple(written)
    )
    with whole_file(directory / INDEX, (".json",)) as file:
        text = json.dumps({"form": _FORM, **asdict(index)}, indent=1)
        file.write_text(text, encoding="utf-8")
    return index


def read_index(directory: Path) -> PartIndex:
    """The index of a directory.

    Raises
    ------
    MeshError : there is none, or it is none.
    """
    where = str(directory)
    if not os.path.isdir(directory):
        raise MeshError("there is no directory with parts of a mesh", where=where, remedy=_ANEW)
    try:
        said = json.loads(read_plain_file(directory / INDEX))
    except FileNotFoundError:
        raise MeshError(
            f"has no {INDEX}: it holds no parts of a mesh, or not all of them", where=where,
            remedy=_ANEW,
        ) from None  # fmt: skip
    except (OSError, ValueError, RecursionError) as error:
        raise MeshError(f"{INDEX} cannot be read: {error}", where=where, remedy=_ANEW) from None
    try:
        if said.pop("form") != _FORM:
            raise ValueError("another form")
        index = PartIndex(
            str(said["mesh"]), str(said["digest"]), int(said["elements"]), int(said["vertices"]),
            tuple(map(str, said["region_names"])), tuple(map(str, said["face_names"])),
            tuple(PartFile(str(p["file"]), int(p["elements"]), str(p["digest"]))
                  for p in said["parts"]),
        )  # fmt: skip
        if sum(part.elements for part in index.parts) != index.elements:
            raise ValueError("elements of no part, or of several")
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise MeshError(
            f"{INDEX} is no index of parts that this version reads", where=where, remedy=_ANEW
        ) from None
    return index


def read_part(directory: Path, index: PartIndex, rank: int) -> MeshPart:
    """The part of a rank.

    Raises
    ------
    MeshError : it is missing, damaged, or of another mesh.
    """
    path = directory / index.parts[rank].file
    try:
        if digest_of(path) != index.parts[rank].digest:
            raise MeshError(
                f"is not the part {rank} that {INDEX} tells of: it is damaged, or of another mesh",
                where=str(path), remedy=_ANEW,
            )  # fmt: skip
        with np.load(path, allow_pickle=False) as arrays:
            part = _part(arrays, index, rank)
    except FileNotFoundError:
        raise MeshError(f"part {rank} is missing", where=str(path), remedy=_ANEW) from None
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise MeshError(f"cannot be read: {error}", where=str(path), remedy=_ANEW) from None
    if int((part.owner == rank).sum()) != index.parts[rank].elements:
        raise MeshError(f"is not the part of rank {rank}", where=str(path), remedy=_ANEW)
    return part


def _arrays(part: MeshPart) -> dict[str, Any]:
    mesh = part.mesh
    found: dict[str, Any] = {
        "vertices": mesh.vertices, "triangles": mesh.triangles, "regions": mesh.regions,
        "face_tags": mesh.face_tags, "numbers": part.numbers,
        "vertex_numbers": part.vertex_numbers, "owner": part.owner,
    }  # fmt: skip
    if mesh.face_curves is not None:
        found["face_curves"] = mesh.face_curves
        for number, curve in enumerate(mesh.curves):
            if isinstance(curve, EllipseCurve):
                found[f"ellipse_{number}"] = np.array([*curve.center, *curve.radii, curve.angle])
            else:
                found[f"faces_{number}"] = curve.nodes
    return found


def _part(arrays: Any, index: PartIndex, rank: int) -> MeshPart:
    has = {name: arrays[name] for name in _ARRAYS}
    of_faces = arrays.get("face_curves")
    curves: list[Curve] = []
    while of_faces is not None and len(curves) <= int(of_faces.max()):
        number = len(curves)
        if f"faces_{number}" in arrays:
            curves.append(FacePolynomials(arrays[f"faces_{number}"]))
        else:
            x, y, a, b, angle = arrays[f"ellipse_{number}"].tolist()
            curves.append(EllipseCurve((x, y), (a, b), angle))
    mesh = Mesh(
        has["vertices"], has["triangles"], has["regions"], index.region_names, has["face_tags"],
        index.face_names, tuple(curves), of_faces,
    )  # fmt: skip
    return MeshPart(mesh, has["numbers"], has["vertex_numbers"], has["owner"], rank, index.elements)
