"""Waves that come in through edges: where on them they are drawn, and which edges there are."""

from __future__ import annotations

import numpy as np

from wavelab.scene.edges.edge_lines import Entrance, drawn_edges, entrance, lines_of
from wavelab.scene.model.item_error import ItemPath, require, suggestion
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import EdgeLines, Line
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.geometry import ARROW, arrow_from, size_of
from wavelab.scene.walls.wall_edges import wall_shapes

#: Distance of a line from the edge that a wave comes through, in parts of the domain.
_INSET = 0.012


def entrance_of(source: Source, scene: Scene, edges: EdgeLines | None = None) -> Entrance | None:
    """Where on its first edge a wave is drawn: several of one edge stand beside each other."""
    if not source.entrances:
        return None
    edge = source.entrances[0]
    beside = [other.name for other in scene.sources if other.entrances[:1] == (edge,)]
    if source.name not in beside:
        beside.append(source.name)
    part = (beside.index(source.name) + 1) / (len(beside) + 1)
    return entrance(lines_of(edge, edges_of(scene, edges)), part)


def edges_of(scene: Scene, edges: EdgeLines | None) -> EdgeLines:
    """These lines, or those that are drawn."""
    return drawn_edges(scene) if edges is None else edges


def arrow_in(
    source: Source, direction: float | None, scene: Scene, edges: EdgeLines | None
) -> tuple[Point, Point] | None:
    """From the edge, in a direction or straight in; None where no edge is drawn."""
    place = entrance_of(source, scene, edges)
    if place is None:
        return None
    towards = place.direction if direction is None else direction
    return arrow_from(place.at, towards, ARROW * size_of(scene, edges))


def beside_edges(source: Source, scene: Scene, edges: EdgeLines | None) -> tuple[Line, ...]:
    """Lines along the edges of a wave, where there are several; one is said by its arrow."""
    if len(source.entrances) < 2:
        return ()
    known, inset = edges_of(scene, edges), _INSET * size_of(scene, edges)
    return tuple(
        _inwards(line, inset) for edge in source.entrances for line in lines_of(edge, known)
    )


def check_edges(source: Source, scene: Scene, item: ItemPath) -> None:
    """Check that the edges exist, of a domain that is drawn.

    Raises
    ------
    ItemError : names the edge, and those that there are.
    """
    if scene.outline is None:
        return
    known = [
        name
        for owner, shape in wall_shapes(scene).items()
        for name in (owner, *(f"{owner}.{edge}" for edge in shape.edge_names()))
    ]
    for edge in source.entrances:
        require(
            edge in known,
            item,
            f'{source.what} names the edge "{edge}", which does not exist',
            suggestion(edge, known[:12], "Known edges"),
        )


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
