"""What a mesh will cost, before it is made."""

from __future__ import annotations

import warnings

from wavelab.meshing.drawing import PlanarDrawing, drawing_of
from wavelab.meshing.graph import build_graph
from wavelab.meshing.notices import MeshWarning
from wavelab.scene.scene import Scene


def predicted_elements(scene: Scene | PlanarDrawing, element_size: float | None = None) -> int:
    """About how many elements a scene with an outline takes; right to 10 % for smooth shapes.

    Small features take more, since elements grow only slowly away from them.

    Raises
    ------
    GeometryError : the scene cannot be meshed.
    ValueError : the scene takes its mesh from a file.
    """
    if isinstance(scene, PlanarDrawing):
        drawing = scene.resized(element_size)
    elif scene.outline is None:
        raise ValueError("the scene takes its mesh from a file")
    else:
        drawing = drawing_of(scene, element_size)
    with warnings.catch_warnings():
        # They are told when the mesh is made.
        warnings.simplefilter("ignore", MeshWarning)
        return build_graph(drawing).predicted_elements(drawing.element_size)
