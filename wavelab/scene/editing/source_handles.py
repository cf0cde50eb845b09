"""Points of a source by which a hand takes it: all of it, its ends, its arrow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from wavelab.scene.edges.edge_lines import EdgeLines
from wavelab.scene.editing.moving_path import begin, position, sent, velocity
from wavelab.scene.editing.source_marks import LIGHT, arrow_of, entrance_of, size_of
from wavelab.scene.editing.source_places import anchor, between, moved
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.sources import (
    ArraySource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    Source,
)

#: The handle that moves all of a source.
PLACE = "place"
#: Directions are whole multiples of this, and of the other on wish, in degrees.
_FINE_STEP, _STEP = 0.1, 15.0
#: Where the handle for the speed of a source at rest is, in parts of the domain.
_AT_REST = 0.03


@dataclass(frozen=True)
class Handle:
    """``name`` is "place", "start", "end", "focus", "direction" or "speed"; ``words`` what it is,
    with the name of the source: "the end of lamp"."""

    name: str
    at: Point
    words: str


def handles(source: Source, scene: Scene, edges: EdgeLines | None = None) -> tuple[Handle, ...]:
    """The handles of a source but for those of its shape, the one that moves all of it first.

    Parameters
    ----------
    edges : the lines of the scene's edges; None takes those that are drawn.
    """
    place = anchor(source)
    found: dict[str, Point | None] = {PLACE: place}
    arrow = arrow_of(source, scene, edges)
    match source:
        case LineSource() | ArraySource():
            found |= {"start": source.start, "end": source.end}
            if isinstance(source, ArraySource) and arrow is not None:
                found["focus" if source.focus is not None else "direction"] = arrow[1]
        case PlaneWave(shape=shape) if shape is not None:
            assert arrow is not None
            # The tail is the outer end, by which the arrow swings round the shape.
            found["direction"] = arrow[0]
        case PlaneWave() | GuidedMode():
            entrance = entrance_of(source, scene, edges)
            found[PLACE] = None if entrance is None else entrance.at
            if isinstance(source, PlaneWave) and arrow is not None:
                found["direction"] = arrow[1]
        case MovingSource() if velocity(source) is not None and place is not None:
            rest = (place[0] + _AT_REST * size_of(scene, edges), place[1])
            found["speed"] = rest if arrow is None else arrow[1]
    return tuple(
        Handle(name, at, f"the {name} of {source.name}" if name != PLACE else source.name)
        for name, at in found.items()
        if at is not None
    )


def dragged(
    source: Source,
    scene: Scene,
    handle: str,
    to: Point,
    edges: EdgeLines | None = None,
    *,
    even: bool = False,
) -> Source:
    """The source with one of its handles elsewhere; what comes through an edge stays there.

    Parameters
    ----------
    even : directions are multiples of 15 degrees.
    """
    if handle == PLACE:
        return moved(source, to)
    match source:
        case LineSource() | ArraySource() if handle == "start":
            return replace(source, start=to)
        case LineSource() | ArraySource() if handle == "end":
            return replace(source, end=to)
        case ArraySource() if handle == "focus":
            return replace(source, focus=to)
        case ArraySource():
            middle = between(source.start, source.end)
            return replace(source, direction=_direction(middle, to, even))
        case MovingSource():
            return _sped(source, to, LIGHT * size_of(scene, edges), even)
        case PlaneWave(shape=shape) if shape is not None and handle == "direction":
            return replace(source, direction=_direction(to, between(*shape.bounds()), even))
        case PlaneWave():
            entrance = entrance_of(source, scene, edges)
            if entrance is not None:
                return replace(source, direction=_direction(entrance.at, to, even))
    return source


def _sped(source: MovingSource, to: Point, time: float, even: bool) -> MovingSource:
    """As fast as takes it to ``to`` in this time."""
    start = position(source, begin(source))
    if start is None:
        return source
    way = (to[0] - start[0], to[1] - start[1])
    if even:
        turn, length = math.radians(_direction(start, to, even)), math.hypot(*way)
        way = (length * round(math.cos(turn), 12), length * round(math.sin(turn), 12))
    return sent(source, (way[0] / time, way[1] / time))


def _direction(start: Point, to: Point, even: bool) -> float:
    step = _STEP if even else _FINE_STEP
    turn = math.degrees(math.atan2(to[1] - start[1], to[0] - start[0]))
    # Above -180, up to 180, and never -0.
    return round(180 - (180 - round(turn / step) * step) % 360, 1)
