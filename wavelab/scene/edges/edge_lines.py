"""The edges of a scene by name, as lines, and where a wave that comes through one begins."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.source_marks import EdgeLines, Line
from wavelab.scene.model.shapes import Point, Shape, smooth_rings
from wavelab.scene.walls.wall_edges import covers, wall_shapes


@dataclass(frozen=True)
class Entrance:
    """Where a wave comes in: a point on an edge, the unit vector into the domain there, and the
    length of the edge."""

    at: Point
    inward: Point
    length: float

    @property
    def direction(self) -> float:
        """Straight in, in degrees counterclockwise from the x axis."""
        return math.degrees(math.atan2(self.inward[1], self.inward[0]))


def drawn_edges(scene: Scene) -> EdgeLines:
    """The edges of a scene that is drawn, those of the domain first; none of a mesh file."""
    found: dict[str, tuple[Line, ...]] = {}
    for owner, shape in wall_shapes(scene).items():
        for name, lines in shape_lines(shape).items():
            # Rings run counterclockwise, so the domain is on the right of an obstacle's.
            outside = owner != "domain"
            found[f"{owner}.{name}"] = tuple(line[::-1] for line in lines) if outside else lines
    return found


def shape_lines(shape: Shape) -> EdgeLines:
    """Lines (n, 2) of each edge of a shape, counterclockwise, by the name that it has there."""
    if len(parts := shape.parts()) == 1:
        return _lines_of(parts[0])
    of_parts = [_lines_of(part) for part in parts]
    return {
        name: tuple(line for lines in of_parts for line in lines[name])
        for name in shape.edge_names()
    }


# The pointer asks at every move, of a scene that may have hundreds of obstacles.
@lru_cache(maxsize=1024)
def _lines_of(shape: Shape) -> EdgeLines:
    found: dict[str, list[Line]] = {name: [] for name in shape.edge_names()}
    for ring, names in smooth_rings(shape):
        segments: dict[str, list[tuple[int, int]]] = {}
        for i, name in enumerate(names):
            segments.setdefault(name, []).append((i, (i + 1) % len(ring)))
        for name, own in segments.items():
            found[name] += [ring[line] for line in chain(np.array(own))]
    return {name: tuple(lines) for name, lines in found.items()}


def lines_of(edge: str, edges: EdgeLines) -> tuple[Line, ...]:
    """The lines of an edge, or of all edges of a shape that is named whole."""
    return tuple(line for name, own in edges.items() if covers(edge, name) for line in own)


def entrance(lines: Sequence[Line], part: float = 0.5) -> Entrance | None:
    """The place ``part`` of the way along the first line; None if there is none."""
    if not lines:
        return None
    line = lines[0]
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    reached = np.concatenate([[0.0], np.cumsum(lengths)])
    way = part * reached[-1]
    x, y = (float(np.interp(way, reached, axis)) for axis in line.T)
    i = min(int(np.searchsorted(reached, way, side="right")) - 1, len(lengths) - 1)
    along = (line[i + 1] - line[i]) / max(float(lengths[i]), 1e-300)
    return Entrance((x, y), (float(-along[1]), float(along[0])), float(reached[-1]))


def chain(segments: NDArray[np.integer]) -> list[list[int]]:
    """Join directed segments (n, 2) of vertex numbers into lines as long as possible."""
    onward: dict[int, list[int]] = defaultdict(list)
    arriving: dict[int, int] = defaultdict(int)
    for a, b in segments.tolist():
        onward[a].append(b)
        arriving[b] += 1
    # Open lines first, from where nothing arrives; what is left over are loops.
    heads = [a for a in onward for _ in range(len(onward[a]) - arriving[a])]
    lines = []
    for start in (*heads, *list(onward)):
        while onward[start]:
            line = [start]
            while onward[line[-1]]:
                line.append(onward[line[-1]].pop())
                if line[-1] == start:
                    break
            lines.append(line)
            if line[-1] != start:
                break
    return lines
