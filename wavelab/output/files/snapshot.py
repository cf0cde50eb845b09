"""The whole field at one time, as an HDF5 file.

Attributes of the file: ``format`` = "wavelab snapshot", ``format_version``, ``wavelab_version``,
``title`` of the scene, ``time``, ``order``, ``length_unit`` and ``time_unit`` in words; of a scene
with units ``metres_per_unit`` and ``seconds_per_unit``.

===============  =============================  ==================================================
dataset          shape and type                 what
===============  =============================  ==================================================
``vertices``     (n_vertices, 2) float64        vertices of the mesh
``triangles``    (n_elements, 3) int32          vertex numbers, counterclockwise
``x``, ``y``     (n_elements, n_nodes) float64  where the nodes are
``hx hy ez``     (n_elements, n_nodes) float64  the fields at the nodes, by the names of their
                                                system; of a membrane its displacement, too
``face_curves``  (n_elements, 3) int32          with curved elements: the curve of each face, -1
``curves``       (n_curves, 5) float64          ellipses: centre, half axes, degrees
``curve_0`` ...  (n, k + 1, 2) float64          of a mesh file with sides of order k: their points
``epsilon mu``   (n_elements,) float64          the numbers of the media, by the names of their
``sigma``                                       system: ``density speed damping`` of sound
``scene``        text                           the scene as TOML
===============  =============================  ==================================================

Row k of every array but ``vertices`` belongs to element k; n_nodes = (order + 1) (order + 2) / 2.
Each dataset carries its meaning as an attribute ``description``.  Where a quantity is a formula
there is also its value at the nodes at that time, ``epsilon_at_nodes`` and so on, like ``x``; on
elements where it varies the number of the element is its mean there.  Where some medium is
anisotropic there are the components ``mu_xx``, ``mu_xy`` and ``mu_yy``, like ``mu``, which is the
geometric mean of the axes then; of TE those of epsilon.  Of complex fields there are also the
imaginary parts, ``ez_imaginary`` and so on.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

import wavelab
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.curves import EllipseCurve, FacePolynomials
from wavelab.output.files.hdf5 import SUFFIXES as SUFFIXES
from wavelab.output.files.hdf5 import hdf5_file, say_units
from wavelab.physics.materials.displacement import integral_of
from wavelab.physics.materials.media_numbers import media_numbers, medium_at
from wavelab.physics.materials.solids import described_at_nodes
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of
from wavelab.scene.toml.toml_io import dump_scene

FORMAT_VERSION = 1


def write_snapshot(
    path: str | os.PathLike[str], problem: Problem, fields: Fields, time: float
) -> None:
    """Write ``fields`` of ``problem`` at ``time``; the module says what is in the file.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    discretization, operator = problem.discretization.seen, problem.operator
    system, real_part = system_of(problem.scene), problem.discretization.real_part
    is_complex = discretization is not problem.discretization
    arrays = {
        "vertices": (discretization.mesh.vertices, "vertices of the mesh"),
        "triangles": (discretization.mesh.triangles, "vertex numbers, counterclockwise"),
        "x": (discretization.x, "x of the nodes of each element"),
        "y": (discretization.y, "y of the nodes of each element"),
        **{
            f.key: (real_part(f.sign * getattr(fields, f.of)), f"{f.label} at the nodes")
            for f in system.of_solver.values()
        },
    }
    if isinstance(operator, ElasticPSV):
        arrays |= {
            name: (real_part(v), meaning) for name, (v, meaning) in operator.described.items()
        }
        for name, values in described_at_nodes(operator).items():
            arrays[f"{name}_at_nodes"] = values, f"{name} at the nodes"
    else:
        arrays |= _media(problem.scene, discretization, time)
    for f in system.of_solver.values() if is_complex else ():
        imaginary = f.sign * getattr(fields, f.of)[1::2]
        arrays[f"{f.key}_imaginary"] = imaginary, f"imaginary part of {f.key}"
    integral, shown = integral_of(problem.auxiliary_equations, fields), system.integral
    if integral is not None and shown is not None:
        arrays[shown.key] = real_part(integral), f"{shown.label} at the nodes"
        if is_complex:
            arrays[f"{shown.key}_imaginary"] = integral[1::2], f"imaginary part of {shown.key}"
    curves = discretization.mesh.curves
    if discretization.curved is not None:
        arrays["face_curves"] = (
            discretization.mesh.face_curves,
            "number of the curve that a face follows, between vertices 01, 12 and 20; -1: straight",
        )
        ellipses = [(*c.center, *c.radii, c.angle) for c in curves if isinstance(c, EllipseCurve)]
        arrays["curves"] = (
            np.array(ellipses).reshape(-1, 5),
            "ellipses: centre x, y, half axes, and degrees by which they are turned",
        )
        for number, curve in enumerate(curves):
            if isinstance(curve, FacePolynomials):
                arrays[f"curve_{number}"] = (
                    curve.nodes,
                    "faces that are polynomials: points at equal steps from end to end",
                )
    with hdf5_file(path) as file:
        file.attrs["format"] = "wavelab snapshot"
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["wavelab_version"] = wavelab.__version__
        file.attrs["title"] = problem.scene.title
        file.attrs["time"] = float(time)
        file.attrs["order"] = int(discretization.order)
        file.attrs["length_unit"] = "length unit of the scene"
        file.attrs["time_unit"] = "time in which speed 1 goes one length unit"
        say_units(file, problem.scene)
        for name, (values, description) in arrays.items():
            kind = np.int32 if name in ("triangles", "face_curves") else np.float64
            dataset = file.create_dataset(name, data=np.asarray(values, kind))
            dataset.attrs["description"] = description
        scene = file.create_dataset("scene", data=dump_scene(problem.scene))
        scene.attrs["description"] = "the scene as TOML"


def _media(scene: Scene, d: Discretization, time: float) -> dict[str, tuple[NDArray, str]]:
    """Arrays of the media of scalar waves, each with its meaning."""
    found: dict[str, tuple[NDArray, str]] = {}
    for number in media_numbers(scene, d, time):
        found[number.name] = number.of_elements, f"of each element: {number.meaning}"
        if number.varies:
            at_nodes = medium_at(scene, d, number.name, time, d.x, d.y)
            found[f"{number.name}_at_nodes"] = at_nodes, f"at the nodes: {number.meaning}"
        for component, values in number.components.items():
            meaning = f"of each element: component {component} of the {number.meaning}"
            found[f"{number.name}_{component}"] = values, meaning
    return found
