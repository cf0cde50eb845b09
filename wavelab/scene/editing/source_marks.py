"""How sources look from above: lines, arrows, fronts and profiles, in scene coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.errors import FormulaError
from wavelab.scene.edges.edge_lines import (
    EdgeLines,
    Entrance,
    Line,
    drawn_edges,
    entrance,
    lines_of,
)
from wavelab.scene.editing.moving_path import begin, position
from wavelab.scene.editing.source_places import anchor, between
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.model.sources import (
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

#: Length of an arrow, in parts of the longer side of the domain, or of the shape it stands in.
_ARROW = 0.12
#: Half a wave front, in parts of the arrow that it crosses; distance of a line from the edge that
#: a wave comes through, in parts of the domain.
_FRONT, _INSET = 0.25, 0.012
#: Points on the path of a moving source, and on the profile of a mode.
_ON_PATH, _ON_PROFILE = 200, 65
#: Times as long as light needs for this part of the domain show how fast a source moves.
LIGHT = 0.25


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
    waves : lines of the wave itself: fronts of a plane one, the profile of a mode.
    """

    name: str
    at: Point
    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    arrow: tuple[Point, Point] | None = None
    outline: bool = False
    waves: tuple[Line, ...] = ()


def source_mark(source: Source, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
    """How a source is drawn; None for one that is everywhere, or a point.

    Parameters
    ----------
    edges : the lines of the scene's edges; None takes those that are drawn, of which a mesh file
        has none.
    """
    at = anchor(source)
    size = size_of(scene, edges)
    match source:
        case PointSource() | CurrentSource():
            return None
        case LineSource():
            ends = np.array([source.start, source.end])
            return SourceMark(source.name, source.end, (ends,))
        case ArraySource():
            points = source.points()
            ends = np.array([source.start, source.end])
            arrow = arrow_of(source, scene, edges)
            return SourceMark(source.name, source.end, (ends,), points, arrow, outline=True)
        case RegionSource():
            return SourceMark(source.name, source.shape.bounds()[1], (_rim(source.shape, size),))
        case MovingSource():
            return _path_mark(source, scene, at, size)
        case PlaneWave() if source.shape is not None:
            return SourceMark(
                source.name,
                source.shape.bounds()[1],
                (_rim(source.shape, size),),
                arrow=arrow_of(source, scene, edges),
                outline=True,
            )
        case PlaneWave() | GuidedMode():
            return _entrance_mark(source, scene, edges, size)


def arrow_of(
    source: Source, scene: Scene, edges: EdgeLines | None = None
) -> tuple[Point, Point] | None:
    """From where to where the arrow of a source goes; that of a moving one is as long as its way
    in the time that light needs for ``1 / 4`` of the domain."""
    size = size_of(scene, edges)
    match source:
        case ArraySource(focus=focus) if focus is not None:
            return between(source.start, source.end), focus
        case ArraySource(direction=direction) if direction is not None:
            return _arrow(between(source.start, source.end), direction, _ARROW * size)
        case MovingSource():
            return _speed_arrow(source, size)
        case PlaneWave(shape=shape) if shape is not None:
            (x0, y0), (x1, y1) = shape.bounds()
            middle, length = between(*shape.bounds()), _ARROW * max(x1 - x0, y1 - y0)
            turn = math.radians(source.direction)
            # Across the border where the wave comes in, and not over what stands in its way.
            way = (_rim(shape, size) - middle) @ [math.cos(turn), math.sin(turn)]
            reach = float(way.max())
            tail = _arrow(middle, source.direction + 180, reach + length / 2)[1]
            return _arrow(tail, source.direction, length)
        case PlaneWave() | GuidedMode():
            place = entrance_of(source, scene, edges)
            if place is not None:
                direction = place.direction if isinstance(source, GuidedMode) else source.direction
                return _arrow(place.at, direction, _ARROW * size)
    return None


def entrance_of(
    source: PlaneWave | GuidedMode, scene: Scene, edges: EdgeLines | None = None
) -> Entrance | None:
    """Where on its first edge a wave is drawn: several of one edge stand beside each other."""
    edge = _first_edge(source)
    if edge is None:
        return None
    beside = [other.name for other in scene.sources if _first_edge(other) == edge]
    if source.name not in beside:
        beside.append(source.name)
    part = (beside.index(source.name) + 1) / (len(beside) + 1)
    return entrance(lines_of(edge, drawn_edges(scene) if edges is None else edges), part)


def size_of(scene: Scene, edges: EdgeLines | None = None) -> float:
    """The longer side of the domain."""
    if scene.outline is not None:
        (x0, y0), (x1, y1) = scene.outline.bounds()
        return max(x1 - x0, y1 - y0)
    if not edges:
        return 20 * scene.solver.element_size
    points = np.concatenate([line for lines in edges.values() for line in lines])
    return float(np.ptp(points, axis=0).max())


def _path_mark(
    source: MovingSource, scene: Scene, at: Point | None, size: float
) -> SourceMark | None:
    if at is None:
        return None
    since = begin(source)
    times = np.linspace(since, since + scene.solver.until, _ON_PATH)
    try:
        path = np.column_stack([source.x.evaluate(t=times), source.y.evaluate(t=times)])
    except FormulaError:
        return None
    arrow = _speed_arrow(source, size)
    return SourceMark(source.name, at, (path,), (at,), arrow, outline=True)


def _speed_arrow(source: MovingSource, size: float) -> tuple[Point, Point] | None:
    since = begin(source)
    at = position(source, since)
    if at is None:
        return None
    try:
        x, y = (float(f.rate("t", t=since)) for f in (source.x, source.y))
    except FormulaError:
        return None
    return (at, (at[0] + x * LIGHT * size, at[1] + y * LIGHT * size)) if x or y else None


def _first_edge(source: Source) -> str | None:
    match source:
        case PlaneWave(edges=(edge, *_)):
            return edge
        case GuidedMode():
            return source.edge
    return None


def _entrance_mark(
    source: PlaneWave | GuidedMode, scene: Scene, edges: EdgeLines | None, size: float
) -> SourceMark | None:
    """An arrow from the edge, with fronts across it, or with the profile of a mode."""
    known = drawn_edges(scene) if edges is None else edges
    arrow = arrow_of(source, scene, known)
    if arrow is None:
        return None
    (x0, y0), (x1, y1) = arrow
    dx, dy = x1 - x0, y1 - y0
    waves: tuple[Line, ...]
    if isinstance(source, GuidedMode):
        waves = (_profile(source, lines_of(source.edge, known), _ARROW * size),)
    else:
        across = np.array([-dy, dx]) * _FRONT
        middles = (np.array([x0 + part * dx, y0 + part * dy]) for part in (0.3, 0.5, 0.7))
        waves = tuple(np.array([middle - across, middle + across]) for middle in middles)
    # Where there is one edge the arrow says it; several are marked.
    edges_of = source.edges if isinstance(source, PlaneWave) and len(source.edges) > 1 else ()
    inset = _INSET * size
    lines = tuple(_inwards(line, inset) for edge in edges_of for line in lines_of(edge, known))
    return SourceMark(source.name, arrow[1], lines, arrow=arrow, outline=True, waves=waves)


def _profile(source: GuidedMode, lines: tuple[Line, ...], height: float) -> Line:
    """Ez of a mode along its edge, drawn over a line beside the edge."""
    line = lines[0]
    along = line[-1] - line[0]
    length = float(np.hypot(*along))
    inward = np.array([-along[1], along[0]]) / max(length, 1e-300)
    part = np.linspace(0, 1, _ON_PROFILE)
    wave = np.sin if source.sides == "conductor" else np.cos
    out = height / 2 + height / 3 * wave(source.mode * np.pi * part)
    return line[0] + part[:, None] * along + out[:, None] * inward


def _inwards(line: Line, by: float) -> Line:
    """A line beside another one, on its left, a little shorter at both ends."""
    steps = np.diff(line, axis=0)
    normal = np.column_stack([-steps[:, 1], steps[:, 0]])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    at_points = np.concatenate([normal[:1], (normal[1:] + normal[:-1]) / 2, normal[-1:]])
    moved_line = line + by * at_points
    ends = (steps[0], -steps[-1])
    for i, step in zip((0, -1), ends, strict=True):
        if not np.array_equal(line[0], line[-1]):
            length = max(float(np.hypot(*step)), 1e-300)
            moved_line[i] += step * min(by / length, 0.4)
    return moved_line


def _rim(shape: Shape, size: float) -> Line:
    ring, _ = shape.outline(size / 100)
    return np.concatenate([ring, ring[:1]])


def _arrow(start: Point, direction: float, length: float) -> tuple[Point, Point]:
    turn = math.radians(direction)
    return start, (start[0] + length * math.cos(turn), start[1] + length * math.sin(turn))
