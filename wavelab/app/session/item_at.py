"""Which item of a scene is at a place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from wavelab.app.tools.measuring.monitor_handles import drawn_line
from wavelab.output.edge_lines import distance
from wavelab.scene.edges.edge_lines import EdgeLines, Line, drawn_edges, shape_lines
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point, Shape, smooth_rings
from wavelab.scene.walls.wall_edges import wall_shapes

#: Of a letter of a label, in parts of the reach of a click.
_LETTER = 0.75


@dataclass(frozen=True)
class _Click:
    """A place, and how near to it something is that is meant."""

    x: float
    y: float
    reach: float

    def away_from(self, line: Sequence[Point]) -> float:
        """To the nearest place on a line, or to a single point; far from none."""
        if len(line) < 2:
            return min((math.dist(point, (self.x, self.y)) for point in line), default=math.inf)
        return distance((np.array(line),), self.x, self.y)

    def is_on(self, lines: tuple[Line, ...]) -> bool:
        return distance(lines, self.x, self.y) <= self.reach

    def is_near(self, shape: Shape) -> bool:
        """Whether it is within the bounds of a shape, or almost."""
        (x0, y0), (x1, y1) = shape.bounds()
        r = self.reach
        return x0 - r <= self.x <= x1 + r and y0 - r <= self.y <= y1 + r

    def parts_near(self, shape: Shape) -> list[Shape]:
        """Those parts of a shape that it is near to; there may be hundreds of others."""
        if not self.is_near(shape):
            return []
        return [part for part in shape.parts() if self.is_near(part)]

    def is_inside(self, shape: Shape) -> bool:
        return any(
            bool(shapely.contains_xy(shapely.Polygon(ring), self.x, self.y))
            for part in replace(self, reach=0.0).parts_near(shape)
            for ring, _ in smooth_rings(part)
        )


def item_at(scene: Scene, x: float, y: float, reach: float, edges: EdgeLines | None = None) -> Key:
    """Labels, then probes and sources, then lines of monitors and sources, then edges, then what is
    inside of them; else the background.

    Parameters
    ----------
    reach : how near a point or an edge must be.
    edges : the lines of the scene's edges; None takes those that are drawn.
    """
    click = _Click(x, y, reach)
    return (
        _label_at(scene, click)
        or _spot_at(scene, click, drawn_edges(scene) if edges is None else edges)
        or _line_at(scene, click)
        or _edge_at(scene, click)
        or _area_at(scene, click)
    )


def _label_at(scene: Scene, click: _Click) -> Key | None:
    """On its point or its letters, which are about as wide as they are drawn."""
    for i, label in enumerate(scene.labels):
        across, up = click.x - label.position[0], click.y - label.position[1]
        length = _LETTER * click.reach * len(label.text)
        left, right = (-length, 0.0) if label.ends_at_position else (0.0, length)
        if left - click.reach <= across <= right + click.reach and abs(up) <= click.reach:
            return ("labels", i)
    return None


def _spot_at(scene: Scene, click: _Click, edges: EdgeLines) -> Key | None:
    """The nearest probe, or source by one of its handles or its arrow."""
    away: list[tuple[float, Key]] = [
        (click.away_from([probe.position]), ("probes", i)) for i, probe in enumerate(scene.probes)
    ]
    for i, source in enumerate(scene.sources):
        marks = [[handle.at] for handle in source.handles(scene, edges)]
        arrow = source.arrow(scene, edges) or ()
        away += [(click.away_from(mark), ("sources", i)) for mark in (*marks, arrow)]
    near = [found for found in away if found[0] <= click.reach]
    return min(near)[1] if near else None


def _line_at(scene: Scene, click: _Click) -> Key | None:
    """The monitor or source whose line or rim is nearest."""
    away: list[tuple[float, Key]] = []
    for i, monitor in enumerate(scene.monitors):
        if len(line := drawn_line(monitor)) > 1:
            away.append((click.away_from(line), ("monitors", i)))
    for i, source in enumerate(scene.sources):
        if body := source.body(scene):
            away.append((distance(body, click.x, click.y), ("sources", i)))
    return min(away)[1] if away and min(away)[0] <= click.reach else None


def _edge_at(scene: Scene, click: _Click) -> Key | None:
    """The wall at an edge, or whose edge it is."""
    for owner, shape in wall_shapes(scene).items():
        for part in click.parts_near(shape):
            sides = shape_lines(part)
            if not click.is_on(tuple(line for lines in sides.values() for line in lines)):
                continue
            name = next(name for name, lines in sides.items() if click.is_on(lines))
            wall = wall_at(f"{owner}.{name}", scene)
            own = wall in scene.walls
            return ("walls", scene.walls.index(wall)) if own else _owner(scene, owner)
    return None


def _owner(scene: Scene, name: str) -> Key:
    """The item that has edges of this name."""
    holes = [hole.name for hole in scene.holes]
    return ("holes", holes.index(name)) if name in holes else ("outline",)


def _area_at(scene: Scene, click: _Click) -> Key:
    """An obstacle, the last material, the background, or the outline for what is outside."""
    for i, hole in enumerate(scene.holes):
        if click.is_inside(hole.shape):
            return ("holes", i)
    for i, region in reversed(list(enumerate(scene.materials))):
        if region.shape is not None and click.is_inside(region.shape):
            return ("materials", i)
    inside = scene.outline is None or click.is_inside(scene.outline)
    return ("background",) if inside else ("outline",)
