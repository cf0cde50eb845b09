"""Where sources are: the point each is taken by, how it looks from above, and how it is moved."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import FormulaError
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import Ellipse, Point, Polygon, Rectangle, Shape
from wavelab.scene.sources import (
    ArraySource,
    CurrentSource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
    Source,
)

Line = NDArray[np.float64]

#: Length of an arrow, in parts of the longer side of the domain, or of the shape it stands in.
_ARROW = 0.12
#: Points on the path of a moving source.
_ON_PATH = 200


@dataclass(frozen=True, eq=False)
class SourceMark:
    """How a source is drawn over the field; all in scene coordinates.

    Attributes
    ----------
    at : beside which its name stands.
    lines : (n, 2) each; a rim repeats its first point.
    dots : single points that send.
    arrow : from where to where, in the direction of the wave or the motion.
    outline : whether the lines only say where something is, and send nothing themselves.
    """

    name: str
    at: Point
    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    arrow: tuple[Point, Point] | None = None
    outline: bool = False


def anchor(source: Source) -> Point | None:
    """The point by which a source is taken; None if it has no place of its own."""
    match source:
        case PointSource():
            return source.position
        case LineSource() | ArraySource():
            return _between(source.start, source.end)
        case RegionSource():
            return _between(*source.shape.bounds())
        case PlaneWave() if source.shape is not None:
            return _between(*source.shape.bounds())
        case MovingSource():
            try:
                return float(source.x.evaluate(t=0.0)), float(source.y.evaluate(t=0.0))
            except FormulaError:
                return None
    return None


def entrances(source: Source) -> set[str]:
    """The edges that a source comes through."""
    match source:
        case PlaneWave():
            return set(source.edges)
        case GuidedMode():
            return {source.edge}
    return set()


def moved(source: Source, to: Point) -> Source:
    """The source with its anchor elsewhere; one that moves by itself, or has no place, as it is."""
    here = anchor(source)
    if here is None:
        return source
    by = (to[0] - here[0], to[1] - here[1])
    match source:
        case PointSource():
            return replace(source, position=to)
        case LineSource() | ArraySource():
            return replace(source, start=_plus(source.start, by), end=_plus(source.end, by))
        case RegionSource():
            return replace(source, shape=_shifted(source.shape, by))
        case PlaneWave() if source.shape is not None:
            return replace(source, shape=_shifted(source.shape, by))
    return source


def source_mark(source: Source, scene: Scene) -> SourceMark | None:
    """How a source is drawn; None for one that is everywhere or whose edge only a mesh knows."""
    at = anchor(source)
    size = _size(scene)
    match source:
        case PointSource() | CurrentSource():
            return None
        case LineSource():
            ends = np.array([source.start, source.end])
            return SourceMark(source.name, source.end, (ends,))
        case ArraySource():
            points = source.points()
            ends = np.array([source.start, source.end])
            arrow = None
            if source.focus is not None:
                arrow = (_between(source.start, source.end), source.focus)
            elif source.direction is not None:
                arrow = _arrow(_between(source.start, source.end), source.direction, _ARROW * size)
            return SourceMark(source.name, source.end, (ends,), points, arrow, outline=True)
        case RegionSource():
            return SourceMark(source.name, source.shape.bounds()[1], (_rim(source.shape, size),))
        case MovingSource():
            return _path_mark(source, scene, at, size)
        case PlaneWave() if source.shape is not None:
            assert at is not None
            (x0, y0), (x1, y1) = source.shape.bounds()
            rim = _rim(source.shape, size)
            turn, length = math.radians(source.direction), _ARROW * max(x1 - x0, y1 - y0)
            # Across the border where the wave comes in, and not over what stands in its way.
            reach = float(((rim - at) @ [math.cos(turn), math.sin(turn)]).max())
            tail = _arrow(at, source.direction + 180, reach + length / 2)[1]
            return SourceMark(
                source.name,
                (x1, y1),
                (rim,),
                arrow=_arrow(tail, source.direction, length),
                outline=True,
            )
        case PlaneWave():
            return _entrance_mark(source.name, source.edges[0], source.direction, scene, size)
        case GuidedMode():
            return _entrance_mark(source.name, source.edge, None, scene, size)
    return None


def _path_mark(
    source: MovingSource, scene: Scene, at: Point | None, size: float
) -> SourceMark | None:
    if at is None:
        return None
    times = np.linspace(0, scene.solver.until, _ON_PATH)
    try:
        path = np.column_stack([source.x.evaluate(t=times), source.y.evaluate(t=times)])
    except FormulaError:
        return None
    step = path[1] - path[0]
    arrow = None
    if np.hypot(*step) > 0:
        turn = math.degrees(math.atan2(step[1], step[0]))
        arrow = _arrow(at, turn, _ARROW / 2 * size)
    middle = (float(path[_ON_PATH // 2, 0]), float(path[_ON_PATH // 2, 1]))
    return SourceMark(source.name, middle, (path,), (at,), arrow, outline=True)


def _entrance_mark(
    name: str, edge: str, direction: float | None, scene: Scene, size: float
) -> SourceMark | None:
    """An arrow that begins at the middle of an edge; inward if there is no direction."""
    if scene.outline is None:
        return None
    owner, _, side = edge.partition(".")
    shapes = {"domain": scene.outline, **{hole.name: hole.shape for hole in scene.holes}}
    if owner not in shapes:
        return None
    ring, names = shapes[owner].outline(size)
    chosen = [i for i, own in enumerate(names) if side in ("", own)]
    if not chosen:
        return None
    start, end = ring[chosen[0]], ring[(chosen[-1] + 1) % len(ring)]
    middle = (float(start[0] + end[0]) / 2, float(start[1] + end[1]) / 2)
    if not side:
        middle = _between(*shapes[owner].bounds())
    if direction is None:
        # Outlines run counterclockwise, so inside is on the left; outside of a hole on the right.
        turn = 90 if owner == "domain" else -90
        direction = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) + turn
    arrow = _arrow(middle, direction, _ARROW * size)
    return SourceMark(name, arrow[1], arrow=arrow)


def _size(scene: Scene) -> float:
    if scene.outline is None:
        return 20 * scene.solver.element_size
    (x0, y0), (x1, y1) = scene.outline.bounds()
    return max(x1 - x0, y1 - y0)


def _rim(shape: Shape, size: float) -> Line:
    ring, _ = shape.outline(size / 100)
    return np.concatenate([ring, ring[:1]])


def _arrow(start: Point, direction: float, length: float) -> tuple[Point, Point]:
    turn = math.radians(direction)
    return start, (start[0] + length * math.cos(turn), start[1] + length * math.sin(turn))


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def _shifted(shape: Shape, by: Point) -> Shape:
    match shape:
        case Polygon():
            return Polygon(tuple(_plus(vertex, by) for vertex in shape.vertices))
        case Rectangle():
            return Rectangle(_plus(shape.lower, by), _plus(shape.upper, by))
        case Ellipse():
            return replace(shape, center=_plus(shape.center, by))
    return shape
