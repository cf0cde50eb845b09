"""Where the edges are that a wall can be chosen for, as lines."""

from __future__ import annotations

import math

import numpy as np

from wavelab.app.canvas.scene_drawing import Line, chain
from wavelab.numerics.mesh import FACE_VERTICES, Mesh
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import smooth_outline
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
    found: EdgeLines = {}
    for owner, shape in wall_shapes(scene).items():
        ring, names = smooth_outline(shape)
        for name in dict.fromkeys(names):
            numbers = [i for i, own in enumerate(names) if own == name]
            segments = np.array([(i, (i + 1) % len(ring)) for i in numbers])
            found[f"{owner}.{name}"] = tuple(ring[line] for line in chain(segments))
    return found


def _of_mesh(mesh: Mesh) -> EdgeLines:
    faces = mesh.triangles[:, FACE_VERTICES]
    return {
        name: tuple(mesh.vertices[line] for line in chain(faces[mesh.face_tags == tag]))
        for tag, name in enumerate(mesh.face_names)
    }


def distance(lines: tuple[Line, ...], x: float, y: float) -> float:
    """From a point to the nearest place on some lines."""
    least = math.inf
    for line in lines:
        a, along = line[:-1], np.diff(line, axis=0)
        squared = np.maximum((along**2).sum(axis=1), 1e-300)
        part = np.clip((((x, y) - a) * along).sum(axis=1) / squared, 0, 1)
        least = min(least, float(np.linalg.norm(a + part[:, None] * along - (x, y), axis=1).min()))
    return least


def middle(lines: tuple[Line, ...]) -> tuple[float, float]:
    """A point half way along the first line, for a label."""
    line = lines[0]
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    x, y = (float(np.interp(reached[-1] / 2, reached, axis)) for axis in line.T)
    return x, y
