"""The edge nearest to a place, a wall or where two media meet, and the normal there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
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


@dataclass(frozen=True, eq=False)
class Normals:
    """The edges of a scene and the borders of its materials, to be asked at every move of a hand.

    Attributes
    ----------
    starts, ways : (n, 2) where each of the n segments begins, and from there to its end.
    curved : of each, the number of the ellipse in ``arcs`` that it is a chord of, or -1.
    """

    starts: Array
    ways: Array
    curved: NDArray[np.intp]
    arcs: tuple[Arc, ...]

    @classmethod
    def of(cls, scene: Scene, edges: EdgeLines) -> Normals:
        """
        Parameters
        ----------
        edges : lines of the scene's edges, drawn or of its mesh file.
        """
        starts, ways, curved, arcs = [np.zeros((0, 2))], [np.zeros((0, 2))], [], list[Arc]()
        for line, arc in _lines(scene, edges):
            starts.append(line[:-1])
            ways.append(np.diff(line, axis=0))
            curved += [len(arcs) if arc is not None else -1] * (len(line) - 1)
            arcs += [arc] if arc is not None else []
        numbers = np.array(curved, dtype=np.intp)
        return cls(np.concatenate(starts), np.concatenate(ways), numbers, tuple(arcs))

    def foot(self, x: float, y: float) -> Foot | None:
        """On the nearest of all; None if there is none."""
        if not len(self.starts):
            return None
        squared = np.maximum((self.ways**2).sum(axis=1), 1e-300)
        part = np.clip((((x, y) - self.starts) * self.ways).sum(axis=1) / squared, 0, 1)
        feet = self.starts + part[:, None] * self.ways
        away = np.hypot(feet[:, 0] - x, feet[:, 1] - y)
        nearest = int(np.argmin(away))
        at = (float(feet[nearest, 0]), float(feet[nearest, 1]))
        dx, dy = self.ways[nearest].tolist()
        number = int(self.curved[nearest])
        normal = (-dy, dx) if number < 0 else _gradient(self.arcs[number], at)
        length = math.hypot(*normal) or 1.0
        return Foot(at, (normal[0] / length, normal[1] / length), float(away[nearest]))


def _lines(scene: Scene, edges: EdgeLines) -> Iterator[tuple[Line, Arc | None]]:
    """All lines, and the ellipse that one is a part of."""
    drawn = list(wall_shapes(scene).values())
    if not drawn:
        yield from ((line, None) for lines in edges.values() for line in lines)
    drawn += [region.shape for region in scene.materials if region.shape is not None]
    for part in (part for shape in drawn for part in shape.parts()):
        bent = part.arcs()
        for name, lines in shape_lines(part).items():
            for line in lines:
                yield line, bent.get(name)


def _gradient(arc: Arc, at: Point) -> Point:
    """Along the normal of an ellipse, whose lines are drawn as chords."""
    turn = math.radians(arc.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = at[0] - arc.center[0], at[1] - arc.center[1]
    u, v = (cos * x + sin * y) / arc.radii[0] ** 2, (cos * y - sin * x) / arc.radii[1] ** 2
    return cos * u - sin * v, sin * u + cos * v
