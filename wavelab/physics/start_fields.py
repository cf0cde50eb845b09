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
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.reading import read_plain_file
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import System, system_of

#: Between nodes of the file and of the mesh in it, in parts of its size.
_SAME = 1e-9


def start_fields(scene: Scene, path: Path, d: Discretization) -> Fields:
    """The fields of a snapshot, projected in L2 where its mesh is another; 0 where it has none.

    Raises
    ------
    SceneError : the file cannot be read, or is no snapshot of such waves that says its mesh.
    """
    source, parts = snapshot_in(path, system_of(scene))
    carrying = Carrying(source, d.seen)
    found = Fields.zeros(d.shape)
    # Of two copies of each element the second has the imaginary part.
    for copy, fields in enumerate(parts[: d.copies]):
        for name, values in zip(FIELD_NAMES, carrying(fields), strict=True):
            getattr(found, name)[copy :: d.copies] = values
    return found


def start_notices(scene: Scene, equations: Sequence[AuxiliaryEquations]) -> Iterator[str]:
    """What a file of fields does not say."""
    if scene.initial_file is not None and any(e.variables for e in equations):
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
    return {name: v.reshape(x.shape) for name, v in zip(FIELD_NAMES, values, strict=True)}


def snapshot_in(path: Path, system: System) -> tuple[Discretization, list[list[Array]]]:
    """The mesh of a snapshot, and hx, hy and ez (n_elements, nodes_per_element) on it; where they
    are complex also their imaginary parts.

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
            shown = [system.of_solver[name] for name in FIELD_NAMES]
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
    shape = (len(parts), len(FIELD_NAMES), *d.shape)
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
    curves = tuple(EllipseCurve((a, b), (c, e), g) for a, b, c, e, g in file["curves"][()].tolist())
    return replace(mesh, curves=curves, face_curves=np.asarray(file["face_curves"]))
