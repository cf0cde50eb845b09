"""Where the edges are that a wall can be chosen for, as lines."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.scene.edges.edge_lines import EdgeLines, Line, chain, drawn_edges
from wavelab.scene.model.scene import Scene


def edge_lines(scene: Scene, mesh: Mesh | None) -> EdgeLines:
    """Lines (n, 2) of each edge by its name, those of the domain first.

    Parameters
    ----------
    mesh : where the edges of a scene are that comes with a mesh file.
    """
    if scene.outline is not None:
        return drawn_edges(scene)
    return {} if mesh is None else _of_mesh(mesh)


def _of_mesh(mesh: Mesh) -> EdgeLines:
    faces = mesh.triangles[:, FACE_VERTICES]
    return {
        name: tuple(mesh.vertices[line] for line in chain(faces[mesh.face_tags == tag]))
        for tag, name in enumerate(mesh.face_names)
    }


def distance(lines: tuple[Line, ...], x: float, y: float) -> float:
    """From a point to the nearest place on some lines."""
    a = np.concatenate([line[:-1] for line in lines])
    along = np.concatenate([line[1:] for line in lines]) - a
    squared = np.maximum((along**2).sum(axis=1), 1e-300)
    part = np.clip((((x, y) - a) * along).sum(axis=1) / squared, 0, 1)
    return float(np.linalg.norm(a + part[:, None] * along - (x, y), axis=1).min())


def nearest_edge(edges: EdgeLines, x: float, y: float, reach: float) -> str | None:
    """The name of the edge nearest to a point, if one is within ``reach`` of it."""
    # An edge that lies in an obstacle has no lines.
    seen = ((distance(own, x, y), name) for name, own in edges.items() if own)
    near = [(away, name) for away, name in seen if away <= reach]
    return min(near)[1] if near else None


def middle(lines: tuple[Line, ...]) -> tuple[float, float]:
    """A point half way along the first line, for a label."""
    line = lines[0]
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    x, y = (float(np.interp(reached[-1] / 2, reached, axis)) for axis in line.T)
    return x, y
