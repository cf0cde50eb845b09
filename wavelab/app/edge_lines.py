"""Where the edges are that a wall can be chosen for, as lines."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from wavelab.app.canvas.scene_drawing import Line, chain
from wavelab.numerics.mesh import FACE_VERTICES, Mesh
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import Shape, smooth_outline
from wavelab.scene.wall_edges import wall_shapes

EdgeLines = dict[str, tuple[Line, ...]]


def edge_lines(scene: Scene, mesh: Mesh | None) -> EdgeLines:
    """Lines (n, 2) of each edge by its name, those of the domain first.

    Parameters
    ----------
    mesh : where the edges of a scene are that comes with a mesh file.
    """
    if scene.outline is None:
        return {} if mesh is None else _of_mesh(mesh)
    return {
        f"{owner}.{name}": lines
        for owner, shape in wall_shapes(scene).items()
        for name, lines in shape_lines(shape).items()
    }


# The pointer asks at every move, of a scene that may have hundreds of obstacles.
@lru_cache(maxsize=1024)
def shape_lines(shape: Shape) -> EdgeLines:
    """Lines (n, 2) of each edge of a shape, by the name that it has there."""
    ring, names = smooth_outline(shape)
    segments: dict[str, list[tuple[int, int]]] = {}
    for i, name in enumerate(names):
        segments.setdefault(name, []).append((i, (i + 1) % len(ring)))
    return {
        name: tuple(ring[line] for line in chain(np.array(own))) for name, own in segments.items()
    }


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


def middle(lines: tuple[Line, ...]) -> tuple[float, float]:
    """A point half way along the first line, for a label."""
    line = lines[0]
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    x, y = (float(np.interp(reached[-1] / 2, reached, axis)) for axis in line.T)
    return x, y
