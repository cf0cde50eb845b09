"""Which item of a scene is at a place."""

from __future__ import annotations

import math

import numpy as np
import shapely

from wavelab.app.base.edge_lines import distance
from wavelab.app.tools.measuring.monitor_handles import drawn_line
from wavelab.scene.edges.edge_lines import EdgeLines, drawn_edges, shape_lines
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape, smooth_outline
from wavelab.scene.walls.wall_edges import wall_at, wall_shapes

#: Of a letter of a label, in parts of the reach of a click.
_LETTER = 0.75


def item_at(scene: Scene, x: float, y: float, reach: float, edges: EdgeLines | None = None) -> Key:
    """Labels, then probes and sources, then monitors, then edges, then what is inside of them;
    else the background.

    Parameters
    ----------
    reach : how near a point or an edge must be.
    edges : the lines of the scene's edges; None takes those that are drawn.
    """
    for i, label in enumerate(scene.labels):
        if _on_label(label, x, y, reach):
            return ("labels", i)
    near: list[tuple[float, Key]] = []
    known = drawn_edges(scene) if edges is None else edges
    for name, places in (
        ("probes", [[probe.position] for probe in scene.probes]),
        ("sources", [[h.at for h in s.handles(scene, known)] for s in scene.sources]),
    ):
        for i, points in enumerate(places):
            away = min((math.dist(point, (x, y)) for point in points), default=math.inf)
            if name == "sources" and (arrow := scene.sources[i].arrow(scene, known)):
                away = min(away, distance((np.array(arrow),), x, y))
            if away <= reach:
                near.append((away, (name, i)))
    if near:
        return min(near)[1]
    lines = [drawn_line(monitor) for monitor in scene.monitors]
    along = [(distance((np.array(m),), x, y), i) for i, m in enumerate(lines) if len(m) > 1]
    if along and min(along)[0] <= reach:
        return ("monitors", min(along)[1])
    for owner, shape in wall_shapes(scene).items():
        if not _near(shape, x, y, reach):
            continue
        own = shape_lines(shape)
        if distance(tuple(line for lines in own.values() for line in lines), x, y) > reach:
            continue
        for name, side in own.items():
            if distance(side, x, y) <= reach:
                wall = wall_at(f"{owner}.{name}", scene.walls)
                if wall in scene.walls:
                    return ("walls", scene.walls.index(wall))
                return _owner(scene, owner)
    for i, hole in enumerate(scene.holes):
        if _inside(hole.shape, x, y):
            return ("holes", i)
    for i, region in reversed(list(enumerate(scene.materials))):
        if region.shape is not None and _inside(region.shape, x, y):
            return ("materials", i)
    inside = scene.outline is None or _inside(scene.outline, x, y)
    return ("background",) if inside else ("outline",)


def _on_label(label: TextLabel, x: float, y: float, reach: float) -> bool:
    """On its point or its letters, which are about as wide as they are drawn."""
    across, up = x - label.position[0], y - label.position[1]
    length = _LETTER * reach * len(label.text)
    left, right = (-length, 0.0) if label.ends_at_position else (0.0, length)
    return left - reach <= across <= right + reach and abs(up) <= reach


def _owner(scene: Scene, name: str) -> Key:
    """The item that has edges of this name."""
    holes = [hole.name for hole in scene.holes]
    return ("holes", holes.index(name)) if name in holes else ("outline",)


def _near(shape: Shape, x: float, y: float, reach: float) -> bool:
    """Whether a place is within its bounds, or almost."""
    (x0, y0), (x1, y1) = shape.bounds()
    return x0 - reach <= x <= x1 + reach and y0 - reach <= y <= y1 + reach


def _inside(shape: Shape, x: float, y: float) -> bool:
    if not _near(shape, x, y, 0.0):
        return False
    ring, _ = smooth_outline(shape)
    return bool(shapely.contains_xy(shapely.Polygon(ring), x, y))
