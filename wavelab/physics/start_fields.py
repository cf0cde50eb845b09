"""Fields to begin with that another run has left: those of a snapshot (:mod:`wavelab.output`)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.fields.interpolation import interpolate, locator_of
from wavelab.numerics.mesh.curves import Curve, EllipseCurve, FacePolynomials
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import FIELDS, Fields
from wavelab.reading import read_plain_file
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import ShownField, System, system_of

#: Between nodes of the file and of the mesh in it, in parts of its size.
_SAME = 1e-9


def start_fields(scene: Scene, path: Path, d: Discretization) -> Fields:
    """The fields of a snapshot, projected in L2 where its mesh is another; 0 where it has none.

    Raises
    ------
    SceneError : the file cannot be read, or is no snapshot of such waves that says its mesh.
    """
    system = system_of(scene)
    shown = [system.of_solver[name] for name in FIELDS[system.equations].names]
    return FIELDS[system.equations].of(_carried(path, system, shown, d))


def start_integral(scene: Scene, path: Path, d: Discretization) -> Array | None:
    """What follows the scalar as its integral, (n_elements, nodes_per_element) likewise; None of
    waves that have none, and of a file without it.

    Raises
    ------
    SceneError : as :func:`start_fields`.
    """
    system = system_of(scene)
    if system.integral is None or not _says(path, system.integral.key):
        return None
    (found,) = _carried(path, system, [system.integral], d)
    return found


def start_notices(scene: Scene, equations: Sequence[AuxiliaryEquations]) -> Iterator[str]:
    """What a file of fields does not say."""
    if scene.initial_file is None:
        return
    integral = system_of(scene).integral
    if integral is not None and not _says(scene.initial_file, integral.key):
        yield (
            f'the scene begins with the fields of "{scene.initial_file.name}", which do not say '
            f"the {integral.key}: it begins at 0"
        )
    if any(e.variables and e.kind != "follows" for e in equations):
        yield (
            f'the scene begins with the fields of "{scene.initial_file.name}"; what layers of open '
            "walls and dispersive media had in memory is not in it, and begins at rest"
        )


def fields_at(scene: Scene, path: Path, x: Array, y: Array) -> dict[str, Array]:
    """The real parts at points of any shape, by the names of the fields.

    Raises
    ------
    SceneError : as :func:`start_fields`.
    """
    source, (fields, *_) = snapshot_in(path, system_of(scene))
    elements, rs = locator_of(source).locate(np.stack([x.ravel(), y.ravel()], axis=1))
    values = interpolate(source, fields, elements, rs)
    names = FIELDS[system_of(scene).equations].names
    return {name: v.reshape(x.shape) for name, v in zip(names, values, strict=True)}


def _carried(path: Path, system: System, shown: Sequence[ShownField], d: Discretization) -> Array:
    """(len(shown), n_elements, nodes_per_element) of a file."""
    source, parts = snapshot_in(path, system, shown)
    carrying, found = Carrying(source, d.seen), np.zeros((len(shown), *d.shape))
    # Of two copies of each element the second has the imaginary part.
    for copy, fields in enumerate(parts[: d.copies]):
        for array, values in zip(found, carrying(fields), strict=True):
            array[copy :: d.copies] = values
    return found


def _says(path: Path, key: str) -> bool:
    """Whether a snapshot has a field; what cannot be read is said elsewhere."""
    import h5py

    try:
        with h5py.File(io.BytesIO(read_plain_file(path))) as file:
            return key in file
    except (OSError, SceneError):
        return False


def snapshot_in(
    path: Path, system: System, shown: Sequence[ShownField] = ()
) -> tuple[Discretization, list[list[Array]]]:
    """The mesh of a snapshot, and the fields (n_elements, nodes_per_element) on it; where they
    are complex also their imaginary parts.

    Parameters
    ----------
    shown : which fields; by default those of the solver.

    Raises
    ------
    SceneError : as :func:`start_fields`.
    """
    import h5py  # few scenes begin so

    try:
        with h5py.File(io.BytesIO(read_plain_file(path))) as file:
            if file.attrs.get("format") != "wavelab snapshot":
                raise ValueError("it has another format")
            order = int(file.attrs["order"])
            nodes, mesh = np.stack([file["x"], file["y"]]), _mesh(file)
            shown = shown or [system.of_solver[name] for name in FIELDS[system.equations].names]
            for f in shown:
                if f.key not in file:
                    raise ValueError(f"it has no {f.key}, as waves of this kind do")
            parts = [
                [f.sign * np.asarray(file[f.key + part], np.float64) for f in shown]
                for part in ("", "_imaginary")
                if all(f.key + part in file for f in shown)
            ]
    except OSError as error:
        raise SceneError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            remedy="Name a snapshot: wavelab run ... --snapshot FILE.h5 writes one.",
        ) from None
    except (LookupError, ValueError, TypeError, RuntimeError) as error:
        raise SceneError(
            f"is no whole snapshot: {error}",
            where=str(path),
            remedy="wavelab run ... --snapshot FILE.h5 writes one.",
        ) from None
    d = discretize(mesh, order)
    # Elements are in another order here than in the file if they were stepped in clusters.
    place = np.lexsort(mesh.triangles.T)[np.argsort(np.lexsort(d.mesh.triangles.T))]
    shape = (len(parts), len(shown), *d.shape)
    if np.shape(parts) != shape or nodes.shape[1:] != d.shape:
        raise SceneError("has fields and elements that do not fit together", where=str(path))
    off = np.abs(nodes[:, place] - np.stack([d.x, d.y])).max()
    if not off <= _SAME * np.abs(nodes).max():
        raise SceneError(
            "has curved elements and does not say how they are curved",
            where=str(path),
            remedy="Write it anew with this version.",
        )
    return d, [[field[place] for field in fields] for fields in parts]


def _mesh(file: Any) -> Mesh:
    mesh = Mesh.plain(np.asarray(file["vertices"]), np.asarray(file["triangles"]))
    if "face_curves" not in file:
        return mesh
    rows = file["curves"][()].tolist()
    curves: list[Curve] = [EllipseCurve((a, b), (c, e), g) for a, b, c, e, g in rows]
    face_curves = np.asarray(file["face_curves"])
    if not curves:  # a mesh file has curves of its own
        numbers = range(face_curves.max() + 1)
        curves = [FacePolynomials(np.asarray(file[f"curve_{i}"])) for i in numbers]
    return replace(mesh, curves=tuple(curves), face_curves=face_curves)
