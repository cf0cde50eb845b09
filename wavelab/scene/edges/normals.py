"""The edge nearest to a place, a wall or where two media meet, and the normal there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wavelab.scene.edges.edge_lines import EdgeLines, Line, shape_lines
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.shapes.arcs import Arc
from wavelab.scene.walls.wall_edges import wall_shapes


@dataclass(frozen=True)
class Foot:
    """The nearest point ``at`` of an edge, the unit vector ``normal`` to it on either side, and how
    far away the point is."""

    at: Point
    normal: Point
    away: float


def nearest_foot(scene: Scene, edges: EdgeLines, x: float, y: float) -> Foot | None:
    """On the edges of a scene and the borders of its materials; None if it has neither.

    Parameters
    ----------
    edges : lines of the scene's edges, drawn or of its mesh file.
    """
    feet = (_foot(line, arc, x, y) for line, arc in _lines(scene, edges))
    return min(feet, key=lambda foot: foot.away, default=None)


def _lines(scene: Scene, edges: EdgeLines) -> Iterator[tuple[Line, Arc | None]]:
    """All lines, and the ellipse that one is a part of."""
    arcs = {
        f"{owner}.{name}": arc
        for owner, shape in wall_shapes(scene).items()
        for name, arc in shape.arcs().items()
    }
    for name, lines in edges.items():
        for line in lines:
            yield line, arcs.get(name)
    for region in scene.materials:
        if region.shape is not None:
            bent = region.shape.arcs()
            for name, lines in shape_lines(region.shape).items():
                for line in lines:
                    yield line, bent.get(name)


def _foot(line: Line, arc: Arc | None, x: float, y: float) -> Foot:
    start, along = line[:-1], np.diff(line, axis=0)
    squared = np.maximum((along**2).sum(axis=1), 1e-300)
    part = np.clip((((x, y) - start) * along).sum(axis=1) / squared, 0, 1)
    feet = start + part[:, None] * along
    away = np.linalg.norm(feet - (x, y), axis=1)
    nearest = int(np.argmin(away))
    at = (float(feet[nearest, 0]), float(feet[nearest, 1]))
    dx, dy = along[nearest].tolist()
    normal = (-dy, dx) if arc is None else _gradient(arc, at)
    length = math.hypot(*normal) or 1.0
    return Foot(at, (normal[0] / length, normal[1] / length), float(away[nearest]))


def _gradient(arc: Arc, at: Point) -> Point:
    """Along the normal of an ellipse, whose lines are drawn as chords."""
    turn = math.radians(arc.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = at[0] - arc.center[0], at[1] - arc.center[1]
    u, v = (cos * x + sin * y) / arc.radii[0] ** 2, (cos * y - sin * x) / arc.radii[1] ** 2
    return cos * u - sin * v, sin * u + cos * v
