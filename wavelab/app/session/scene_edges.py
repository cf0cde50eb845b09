"""The edges of the session's scene and their corners, as they are now."""

from __future__ import annotations

from wavelab.app.session.session import Session
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.edge_lines import edge_lines
from wavelab.scene.edges.edge_lines import EdgeLines
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point


class SceneEdges:
    """Called, it returns the lines of the session's edges as they are now."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: tuple[Scene | None, Mesh | None, EdgeLines] = (None, None, {})

    def __call__(self) -> EdgeLines:
        scene, running = self._session.scene, self._session.running
        mesh = running.mesh if scene.outline is None and running is not None else None
        known, of_mesh, lines = self._known
        if known is not scene or of_mesh is not mesh:
            lines = edge_lines(scene, mesh)
            self._known = (scene, mesh, lines)
        return lines

    def corners(self) -> list[Point]:
        """Those of the domain and its obstacles, which attract what is drawn and dragged."""
        scene = self._session.scene
        shapes = [hole.shape for hole in scene.holes]
        if scene.outline is not None:
            shapes.append(scene.outline)
        return [corner for shape in shapes for corner in shape.attracting()]
