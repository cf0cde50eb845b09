"""Write Gmsh .msh files, version 4.1, text."""

from __future__ import annotations

import numpy as np

from wavelab.errors import MeshError
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh


def gmsh_text(mesh: Mesh) -> str:
    """A mesh as a Gmsh file with a physical group for each region and each boundary name.

    Element numbers keep the order of the triangles, and numbers are written with all their
    digits, so that reading gives the same mesh again.

    Raises
    ------
    MeshError : a name has a quotation mark or a line break, which such a file cannot hold.
    """
    for name in (*mesh.region_names, *mesh.face_names):
        if '"' in name or not name.isprintable():
            raise MeshError(
                f"the name {name!r} cannot be written to a Gmsh file",
                remedy="Leave out quotation marks and line breaks.",
            )
    out = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$PhysicalNames"]
    out.append(str(len(mesh.face_names) + len(mesh.region_names)))
    out += [f'1 {tag} "{name}"' for tag, name in enumerate(mesh.face_names, start=1)]
    out += [f'2 {tag} "{name}"' for tag, name in enumerate(mesh.region_names, start=1)]
    out += ["$EndPhysicalNames", *_entities(mesh), *_nodes(mesh), *_elements(mesh), ""]
    return "\n".join(out)


def _entities(mesh: Mesh) -> list[str]:
    """A curve for each boundary name and a surface for each region in use, of the mesh's extent."""
    lower, upper = mesh.vertices.min(axis=0).tolist(), mesh.vertices.max(axis=0).tolist()
    box = f"{lower[0]!r} {lower[1]!r} 0 {upper[0]!r} {upper[1]!r} 0"
    # A surface without triangles would look as if it had been forgotten.
    curves = (np.unique(mesh.face_tags[mesh.face_tags >= 0]) + 1).tolist()
    surfaces = (np.unique(mesh.regions) + 1).tolist()
    return [
        "$Entities",
        f"0 {len(curves)} {len(surfaces)} 0",
        *(f"{tag} {box} 1 {tag} 0" for tag in curves),
        *(f"{tag} {box} 1 {tag} 0" for tag in surfaces),
        "$EndEntities",
    ]


def _nodes(mesh: Mesh) -> list[str]:
    n = mesh.n_vertices
    return [
        "$Nodes",
        f"1 {n} 1 {n}",
        f"2 1 0 {n}",
        *map(str, range(1, n + 1)),
        *(f"{x!r} {y!r} 0" for x, y in mesh.vertices.tolist()),
        "$EndNodes",
    ]


def _elements(mesh: Mesh) -> list[str]:
    blocks: list[list[str]] = []
    tag = 0
    for label in range(len(mesh.face_names)):
        element, face = np.nonzero(mesh.face_tags == label)
        ends = np.take_along_axis(mesh.triangles[element], FACE_VERTICES[face], axis=1) + 1
        if len(ends):
            block = [f"1 {label + 1} 1 {len(ends)}"]
            for a, b in ends.tolist():
                tag += 1
                block.append(f"{tag} {a} {b}")
            blocks.append(block)
    for region in range(len(mesh.region_names)):
        elements = np.flatnonzero(mesh.regions == region)
        if len(elements):
            block = [f"2 {region + 1} 2 {len(elements)}"]
            corners = (mesh.triangles[elements] + 1).tolist()
            block += [
                f"{tag + element + 1} {a} {b} {c}"
                for element, (a, b, c) in zip(elements.tolist(), corners, strict=True)
            ]
            blocks.append(block)
    total = tag + mesh.n_elements
    head = f"{len(blocks)} {total} 1 {total}"
    return ["$Elements", head, *(line for block in blocks for line in block), "$EndElements"]
