"""``wavelab mesh``: a mesh file from a scene, an outline or another mesh file."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import add_element_size, add_settings
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, wrote
from wavelab.errors import SceneError, WavelabError
from wavelab.meshing.formats import READERS, WRITERS, write_mesh
from wavelab.meshing.geometry_files import load_geometry
from wavelab.meshing.graph.drawing import PlanarDrawing
from wavelab.meshing.job import MeshJob
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.parts import parts_of
from wavelab.physics.problem import discretize_scene
from wavelab.reading import named_path
from wavelab.scene.editing.settings import with_settings
from wavelab.scene.model.overrides import check_meshes_itself
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.units import Scale, Written
from wavelab.scene.shelf import scene_path
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.studies.doctor import diagnose

#: Beyond this the area of arcs does not change in the digits shown.
_ORDER_FOR_AREA = 6

DESCRIPTION = f"""\
Make the mesh of a scene, of a drawing (SVG) or of the outline in a Triangle .poly file, write it
to a file, and say how good it is, what limits the time step, why, and what would help.
An existing mesh file ({", ".join(READERS)}) is checked, repaired and converted.

  wavelab mesh double_slit -o slit.msh --h 0.02
  wavelab mesh drawing.svg -o drawing.msh
  wavelab mesh outline.poly -o outline.msh
  wavelab mesh my_scene.toml
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SCENE|SVG|POLY|MESH",
        help="a scene file or the name of a shipped one, a drawing (.svg), a .poly file, or a mesh "
        "file",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"mesh file to write ({', '.join(WRITERS)}); without it the mesh is only judged",
    )
    add_element_size(parser, " (default: as the source says)")
    add_settings(parser)


def _execute(arguments: argparse.Namespace) -> int:
    target = check_target(arguments.output, tuple(WRITERS)) if arguments.output else None
    subject = _subject(arguments.source)
    if isinstance(subject, Scene):
        subject = with_settings(subject, arguments.settings)
        if arguments.element_size:
            check_meshes_itself(subject)
    elif arguments.settings:
        raise SceneError(
            "is no scene, so there is nothing to --set",
            where=arguments.source,
            remedy="Leave it out, or name a scene.",
        )
    job = MeshJob(subject, arguments.element_size)
    mesh = job.start().wait()
    for notice in job.notices:
        note(notice)
    if target is not None:
        write_mesh(mesh, target)
        if mesh.face_curves is not None:
            note(f"{target.name} holds straight faces only, no arcs")
    print(describe(mesh, scale_of(subject) if isinstance(subject, Scene) else None))
    if isinstance(subject, Scene):
        _report_on_step(subject, mesh)
    wrote(arguments.output)
    return 0


def _report_on_step(scene: Scene, mesh: Mesh) -> None:
    """What limits the time step, if the scene can be run on its mesh."""
    try:
        print(diagnose(discretize_scene(scene, mesh)).report(scale_of(scene)))
    except WavelabError as error:
        note(f"no time step, because {error.message}")


def _subject(text: str) -> Scene | PlanarDrawing:
    path = named_path(text)
    suffix = path.suffix.lower()
    if suffix in READERS:
        # In a scene, so that a child process reads it: damaged files can take any memory.
        return Scene(path.name, Solver(element_size=1.0), outline=None, mesh_file=path)
    return load_geometry(path if suffix == ".poly" else scene_path(text), note)


def describe(mesh: Mesh, scale: Scale | None = None) -> str:
    """Counts and quality of a mesh, for people, with lengths in units if there is a scale."""
    length = Written(scale, "{:.4g}".format).length
    squares = f" {scale.own.name}\u00b2" if scale is not None else ""
    corners = mesh.vertices[mesh.triangles]
    edges = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(edges, axis=2)
    # The angle at a vertex lies between the edge that leaves it and the one that arrives.
    arriving = -np.roll(edges, 1, axis=1)
    cosine = (edges * arriving).sum(axis=2) / (lengths * np.roll(lengths, 1, axis=1))
    angles = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    inradii = mesh.inradii()
    sides = np.sort(mesh.triangles[:, FACE_VERTICES], axis=2).reshape(-1, 2)
    _, uses = np.unique(sides, axis=0, return_counts=True)
    lines = [
        f"{mesh.n_elements:,} elements, {mesh.n_vertices:,} vertices, "
        f"{int((uses == 1).sum()):,} boundary faces, area {_area(mesh):.6g}{squares}",
        f"edges {length(lengths.min())} to {length(lengths.max())}, mean {length(lengths.mean())}",
        f"angles {angles.min():.1f} to {angles.max():.1f} degrees; the smallest inradius is "
        f"{length(inradii.min())}, {inradii.min() / np.median(inradii):.0%} of the median, and "
        "sets the time step",
    ]
    parts = int(parts_of(connect(mesh).neighbor_element).max()) + 1
    if parts > 1:
        lines.append(f"parts: {parts}, which share no faces")
    if mesh.face_curves is not None:
        bent = int((mesh.face_curves >= 0).sum())
        lines.append(
            f"faces on curves: {bent:,}, of {int(mesh.has_curved_face().sum()):,} elements"
        )
    if len(mesh.region_names) > 1:
        counts = np.bincount(mesh.regions, minlength=len(mesh.region_names))
        lines.append(
            "regions: "
            + ", ".join(f"{n} {c:,}" for n, c in zip(mesh.region_names, counts, strict=True))
        )
    if mesh.face_names:
        lines.append("edges for walls: " + ", ".join(mesh.face_names))
    return "\n".join(lines)


def _area(mesh: Mesh) -> float:
    """With the arcs among the faces, to the digits that are shown."""
    if mesh.face_curves is None:
        return float(mesh.signed_areas().sum())
    d = discretize(mesh, _ORDER_FOR_AREA)
    return float(d.integrate(np.ones(d.shape)).sum())


COMMAND = Command(
    "mesh", "write a mesh file and say how good it is", DESCRIPTION, _arguments, _execute
)
