"""Where sources are: the point each is taken by, its edges, and how it is moved."""

from __future__ import annotations

from dataclasses import replace

from wavelab.scene.editing.moving_path import begin, begun_at, position
from wavelab.scene.model.shapes import Point, shifted, shifted_point
from wavelab.scene.model.sources import (
    ArraySource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
    Source,
)


def anchor(source: Source) -> Point | None:
    """The point by which a source is taken; None if it has no place of its own."""
    match source:
        case PointSource():
            return source.position
        case LineSource() | ArraySource():
            return between(source.start, source.end)
        case RegionSource():
            return between(*source.shape.bounds())
        case PlaneWave() if source.shape is not None:
            return between(*source.shape.bounds())
        case MovingSource():
            return position(source, begin(source))
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
    """The source with its anchor elsewhere; one that has no place of its own as it is."""
    here = anchor(source)
    if here is None:
        return source
    by = (to[0] - here[0], to[1] - here[1])
    match source:
        case PointSource():
            return replace(source, position=to)
        case LineSource() | ArraySource():
            return replace(
                source, start=shifted_point(source.start, by), end=shifted_point(source.end, by)
            )
        case RegionSource():
            return replace(source, shape=shifted(source.shape, by))
        case PlaneWave() if source.shape is not None:
            return replace(source, shape=shifted(source.shape, by))
        case MovingSource():
            return begun_at(source, to)
    return source


def between(a: Point, b: Point) -> Point:
    """Half way."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
