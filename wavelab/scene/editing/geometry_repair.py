"""Scenes without details that are much smaller than the elements, as new scenes.

Each function leaves the names of walls and shapes in order and gives None where there is nothing
to repair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wavelab.scene.editing.close_features import named_shapes, perimeter
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene, Wall
from wavelab.scene.model.shapes import Ellipse, Point, Polygon, Shape

#: A polygon in place of a small ellipse has at least so many edges.
FEWEST_CHORDS = 6

#: New shape, and what its edges are called now: None for an edge that is gone.
_Change = tuple[Shape, dict[str, str | None]]


def merge_close_vertices(scene: Scene, tolerance: float) -> tuple[Scene, float] | None:
    """Of polygon vertices that follow each other within ``tolerance`` only the first stays.

    Returns
    -------
    The scene and the farthest that a vertex was from the one that stands for it now.
    """
    moved = [0.0]

    def merged(shape: Shape) -> _Change | None:
        if not isinstance(shape, Polygon) or shape.bulges:
            return None
        return _merged(shape, tolerance, moved)

    changed = _with_shapes(scene, merged)
    return None if changed is None else (changed, max(moved))


def step_locally(scene: Scene) -> Scene | None:
    """Elements take steps of their own, so that small ones need not be repaired."""
    if scene.solver.stepper == LOCAL_STEPPING:
        return None
    return replace(scene, solver=replace(scene.solver, stepper=LOCAL_STEPPING))


def coarsen_small_ellipses(scene: Scene) -> Scene | None:
    """Ellipses whose chords are shorter than half an element become polygons of the same area."""
    size = scene.solver.element_size

    def coarser(shape: Shape) -> _Change | None:
        if not isinstance(shape, Ellipse):
            return None
        ring, _ = shape.outline(size)
        present = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1).min()
        count = max(FEWEST_CHORDS, math.ceil(perimeter(shape) / size))
        if present >= size / 2 or count >= len(ring):
            return None
        parameter = 2 * np.pi * np.arange(count) / count
        # The inscribed polygon is smaller than the ellipse by this factor in area.
        grow = math.sqrt(2 * math.pi / (count * math.sin(2 * math.pi / count)))
        a, b = shape.radii
        vertices = replace(shape, radii=(grow * a, grow * b)).at(parameter)
        # Walls on the rim become walls on the whole shape.
        return Polygon(tuple((float(x), float(y)) for x, y in vertices)), {"rim": ""}

    return _with_shapes(scene, coarser)


def _merged(shape: Polygon, tolerance: float, moved: list[float]) -> _Change | None:
    vertices = shape.vertices
    kept = [0]
    for index in range(1, len(vertices)):
        distance = math.dist(vertices[index], vertices[kept[-1]])
        if distance < tolerance:
            moved.append(distance)
        else:
            kept.append(index)
    while len(kept) > 1 and math.dist(vertices[kept[-1]], vertices[kept[0]]) < tolerance:
        moved.append(math.dist(vertices[kept[-1]], vertices[kept[0]]))
        kept.pop()
    if len(kept) == len(vertices) or len(kept) < 3:
        return None
    # Edge i starts at vertex i.  Of the edges from one vertex that stays to the next, the last is
    # the long one; the others have shrunk to a point.
    names: dict[str, str | None] = {str(i): None for i in range(len(vertices))}
    for new, (start, end) in enumerate(zip(kept, [*kept[1:], len(vertices)], strict=True)):
        long = max(
            range(start, end),
            key=lambda i: math.dist(vertices[i], vertices[(i + 1) % len(vertices)]),
        )
        names[str(long)] = str(new)
    return Polygon(tuple(_plain(vertices[i]) for i in kept)), names


def _plain(point: Point) -> Point:
    return float(point[0]), float(point[1])


def _with_shapes(scene: Scene, change: Callable[[Shape], _Change | None]) -> Scene | None:
    changes = {
        name: (shape.with_first(changed[0]), changed[1])
        for name, shape in named_shapes(scene)
        if (changed := change(shape.first())) is not None
    }
    if not changes:
        return None
    holes = tuple(
        replace(hole, shape=changes[hole.name][0]) if hole.name in changes else hole
        for hole in scene.holes
    )
    materials = tuple(
        replace(m, shape=changes[m.name][0]) if m.name in changes else m for m in scene.materials
    )
    outline = changes["domain"][0] if "domain" in changes else scene.outline
    walls = tuple(wall for old in scene.walls if (wall := _renamed(old, changes)) is not None)
    return replace(
        scene, outline=outline, holes=holes, materials=materials, walls=walls, exact=None
    )


def _renamed(wall: Wall, changes: dict[str, _Change]) -> Wall | None:
    edges = []
    for edge in wall.edges:
        shape, _, part = edge.rpartition(".")
        if shape not in changes or part not in changes[shape][1]:
            edges.append(edge)
            continue
        new = changes[shape][1][part]
        if new is not None:
            edges.append(f"{shape}.{new}" if new else shape)
    return wall.at(tuple(dict.fromkeys(edges)))
