"""Which item of a scene is at a place."""

from __future__ import annotations

import math

import shapely

from wavelab.app.edge_lines import distance, edge_lines
from wavelab.scene.properties import Key
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import Shape
from wavelab.scene.source_places import anchor
from wavelab.scene.wall_edges import wall_at


def item_at(scene: Scene, x: float, y: float, reach: float) -> Key:
    """Probes and sources before walls, walls before what is inside of them; else the background.

    Parameters
    ----------
    reach : how near a point or an edge must be.
    """
    near: list[tuple[float, Key]] = []
    for name, places in (
        ("probes", [probe.position for probe in scene.probes]),
        ("sources", [anchor(source) for source in scene.sources]),
    ):
        for i, place in enumerate(places):
            if place is not None and (away := math.dist(place, (x, y))) <= reach:
                near.append((away, (name, i)))
    if near:
        return min(near)[1]
    for edge, lines in edge_lines(scene, None).items():
        wall = wall_at(edge, scene.walls)
        if wall in scene.walls and distance(lines, x, y) <= reach:
            return ("walls", scene.walls.index(wall))
    for i, hole in enumerate(scene.holes):
        if _inside(hole.shape, x, y):
            return ("holes", i)
    for i, region in reversed(list(enumerate(scene.materials))):
        if region.shape is not None and _inside(region.shape, x, y):
            return ("materials", i)
    inside = scene.outline is None or _inside(scene.outline, x, y)
    return ("background",) if inside else ("outline",)


def _inside(shape: Shape, x: float, y: float) -> bool:
    (x0, y0), (x1, y1) = shape.bounds()
    ring, _ = shape.outline(max(x1 - x0, y1 - y0) / 32)
    return bool(shapely.contains_xy(shapely.Polygon(ring), x, y))
