"""What a mesh can be made from beside its drawing."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.meshing.graph.drawing import Drawing
from wavelab.numerics.mesh.mesh import Mesh


@dataclass(frozen=True)
class Running:
    """A mesh that is there, and the drawing it was made for."""

    drawing: Drawing
    mesh: Mesh
