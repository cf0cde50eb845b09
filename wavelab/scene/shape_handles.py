"""Points of a shape by which it is taken and changed."""

from __future__ import annotations

import math
from dataclasses import replace

from wavelab.scene.shapes import Ellipse, Point, Polygon, Rectangle, Shape

_CORNERS = ("lower left", "lower right", "upper right", "upper left")


def shape_handles(shape: Shape) -> dict[str, Point]:
    """By name: the corners of a polygon or a rectangle, the ends of two half axes of an ellipse."""
    match shape:
        case Polygon(vertices):
            return {f"corner {i + 1}": vertex for i, vertex in enumerate(vertices)}
        case Rectangle():
            (x0, y0), (x1, y1) = shape.bounds()
            return dict(zip(_CORNERS, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), strict=True))
        case Ellipse((x, y), (a, b), angle):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            return {"radius 1": (x + a * c, y + a * s), "radius 2": (x - b * s, y + b * c)}
    return {}


def reshaped(shape: Shape, handle: str, to: Point) -> Shape:
    """The shape with one of its handles elsewhere; a rectangle keeps the corner opposite, an
    ellipse its centre and its angle."""
    match shape:
        case Polygon(vertices):
            i = int(handle.removeprefix("corner ")) - 1
            return replace(shape, vertices=(*vertices[:i], to, *vertices[i + 1 :]))
        case Rectangle():
            kept = list(shape_handles(shape).values())[(_CORNERS.index(handle) + 2) % 4]
            xs, ys = sorted((kept[0], to[0])), sorted((kept[1], to[1]))
            return Rectangle((xs[0], ys[0]), (xs[1], ys[1]))
        case Ellipse(center, (a, b)):
            turn = math.radians(shape.angle + (90 if handle == "radius 2" else 0))
            reach = (to[0] - center[0]) * math.cos(turn) + (to[1] - center[1]) * math.sin(turn)
            radii = (abs(reach), b) if handle == "radius 1" else (a, abs(reach))
            return replace(shape, radii=radii)
    return shape
