"""Write Gambit neutral files (.neu), which the nodal-dg codes read.

Format: "Gambit User's Guide", appendix C.2, neutral file format.
"""

from __future__ import annotations

import numpy as np

from wavelab.errors import MeshError
from wavelab.numerics.mesh.mesh import Mesh

_VERSION = "2.4.6"
#: Element numbers in a line of a group, and columns of a name.
_IN_LINE, _NAME = 10, 32
_TRIANGLE, _ON_FACES = 3, 1


def gambit_text(mesh: Mesh) -> str:
    """A mesh as a Gambit file with an element group for each region and a boundary condition on
    element faces for each boundary name.

    Numbers are written with all their digits, so that reading gives the same mesh again.

    Raises
    ------
    MeshError : a name has a line break or more than 32 characters, or begins or ends with a blank,
        which such a file cannot hold.
    """
    names = (*mesh.region_names, *mesh.face_names)
    for name in names:
        if len(name) > _NAME or not name.isprintable() or name != name.strip():
            raise MeshError(
                f"the name {name!r} cannot be written to a Gambit file",
                remedy=f"Give it {_NAME} printable characters at most.",
            )
    n_regions, n_faces = len(mesh.region_names), len(mesh.face_names)
    sizes = (mesh.n_vertices, mesh.n_elements, n_regions, n_faces, 2, 2)
    out = [
        *("        CONTROL INFO " + _VERSION, "** GAMBIT NEUTRAL FILE", "wavelab"),
        *("PROGRAM:               wavelab     VERSION:  " + _VERSION, ""),
        "     NUMNP     NELEM     NGRPS    NBSETS     NDFCD     NDFVL",
        "".join(f"{size:10d}" for size in sizes),
        "ENDOFSECTION",
        "   NODAL COORDINATES " + _VERSION,
        *(f"{i:10d} {x!r:>24} {y!r:>24}" for i, (x, y) in enumerate(mesh.vertices.tolist(), 1)),
        "ENDOFSECTION",
        "      ELEMENTS/CELLS " + _VERSION,
    ]
    for i, (a, b, c) in enumerate((mesh.triangles + 1).tolist(), start=1):
        out.append(f"{i:8d} {_TRIANGLE:2d} {3:2d} {a:8d}{b:8d}{c:8d}")
    out.append("ENDOFSECTION")
    for number, name in enumerate(mesh.region_names):
        members = (np.flatnonzero(mesh.regions == number) + 1).tolist()
        out += [
            "       ELEMENT GROUP " + _VERSION,
            f"GROUP: {number + 1:10d} ELEMENTS: {len(members):10d} MATERIAL: {number + 1:10d} "
            f"NFLAGS: {1:10d}",
            f"{name:>{_NAME}}",
            f"{0:8d}",
        ]
        for start in range(0, len(members), _IN_LINE):
            out.append("".join(f"{member:8d}" for member in members[start : start + _IN_LINE]))
        out.append("ENDOFSECTION")
    for number, name in enumerate(mesh.face_names):
        elements, faces = np.nonzero(mesh.face_tags == number)
        out.append(" BOUNDARY CONDITIONS " + _VERSION)
        out.append(f"{name:>{_NAME}}{_ON_FACES:8d}{len(elements):8d}{0:8d}{6:8d}")
        for element, face in zip((elements + 1).tolist(), (faces + 1).tolist(), strict=True):
            out.append(f"{element:10d}{_TRIANGLE:5d}{face:5d}")
        out.append("ENDOFSECTION")
    return "\n".join([*out, ""])
