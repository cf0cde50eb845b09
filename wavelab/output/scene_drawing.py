"""What of a scene is drawn over the field, as plain lines and points.

The walls and material regions come from the mesh as soon as there is one, because that is what the
wave meets; before that from the shapes of the scene.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.output.edge_lines import edge_lines
from wavelab.scene.edges.edge_lines import Line, chain
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.measuring.requests import Where, outline_of
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.model.sending.source_marks import SourceMark
from wavelab.scene.model.shapes import Point, smooth_outline, smooth_rings
from wavelab.scene.model.shapes.shape import SMOOTH_TURN
from wavelab.scene.walls import Conductor
from wavelab.scene.walls.wall_edges import wall_shapes

#: Points between the ends of arcs, by the vertices of these.
Arcs = dict[tuple[int, int], Line]
#: Degrees by which a small arc in a large drawing may turn at a point.
COARSE_TURN = 5.0


@dataclass(frozen=True)
class Glyph:
    """A labelled mark.  ``kind`` is "source" or "probe", ``number`` counts those of a kind."""

    kind: str
    number: int
    name: str
    position: Point


@dataclass(frozen=True, eq=False)
class SceneDrawing:
    """Lines (n, 2) in scene coordinates; closed ones repeat their first point.

    ``walls`` maps a kind of wall to its lines; ``monitors`` are (name, where, line); ``layers`` are
    lines of open walls with the thickness of their layer, None where only the mesh says it;
    ``materials`` are (name, closed rims) pairs;
    ``elements`` are the (n, 2, 2) element edges; ``bounds`` is (x0, y0, x1, y1), None when there
    is nothing to see; ``sources`` are those that are more than a point, which have glyphs.
    """

    walls: dict[type[Wall], tuple[Line, ...]]
    monitors: tuple[tuple[str, Where, Line], ...]
    layers: tuple[tuple[Line, float | None], ...]
    materials: tuple[tuple[str, tuple[Line, ...]], ...]
    glyphs: tuple[Glyph, ...]
    elements: Line
    bounds: tuple[float, float, float, float] | None
    sources: tuple[SourceMark, ...] = ()
    labels: tuple[TextLabel, ...] = ()

    @cached_property
    def room(self) -> SceneDrawing:
        """Walls and materials alone: what the wave is in, without what is marked there."""
        return replace(self, monitors=(), glyphs=(), sources=(), labels=())


def draw_scene(scene: Scene | None, discretization: Discretization | None) -> SceneDrawing:
    """The drawing of a scene, of a mesh, or of both."""
    if discretization is not None:
        lines, materials, elements = _from_mesh(discretization, scene)
    elif scene is not None:
        lines, materials = _from_shapes(scene)
        elements = np.zeros((0, 2, 2))
    else:
        lines, materials, elements = {}, (), np.zeros((0, 2, 2))
    points = [line for group in lines.values() for line in group]
    bounds = None
    if points:
        everything = np.concatenate(points)
        (x0, y0), (x1, y1) = everything.min(axis=0).tolist(), everything.max(axis=0).tolist()
        bounds = (x0, y0, x1, y1)
    layers = _layers(scene, discretization)
    return SceneDrawing(
        lines,
        _monitors(scene),
        layers,
        materials,
        _glyphs(scene),
        elements,
        bounds,
        _source_marks(scene, discretization),
        scene.labels if scene is not None else (),
    )


def _monitors(scene: Scene | None) -> tuple[tuple[str, Where, Line], ...]:
    """Lines and outlines of the monitors that are somewhere and not everywhere."""
    found = []
    for monitor in scene.monitors if scene is not None else ():
        line = np.array(outline_of(monitor.where.place))
        if len(line):
            line = _closed(line) if monitor.where.closed else line
            found.append((monitor.name, monitor.where, line))
    return tuple(found)


def _layers(
    scene: Scene | None, discretization: Discretization | None
) -> tuple[tuple[Line, float | None], ...]:
    """Lines of the open walls; those of one wall in one piece where they meet."""
    if scene is None or not any(wall.pml for wall in scene.walls):
        return ()
    if discretization is not None:
        mesh = discretization.mesh
        faces, arcs = mesh.triangles[:, FACE_VERTICES], _arcs(mesh)
        names = mesh.face_names
        edges = [faces[mesh.face_tags == tag] for tag in range(len(names))]
        drawn = partial(_along, mesh=mesh, arcs=arcs)
    elif scene.outline is not None:
        ring, sides = smooth_outline(scene.outline)
        names = tuple(f"domain.{side}" for side in sides)
        edges = [np.array([(i, (i + 1) % len(ring))]) for i in range(len(ring))]
        drawn = partial(np.take, ring, axis=0)
    else:
        return ()
    found = []
    walls = [wall_at(name, scene) for name in names]
    for wall in (wall for wall in scene.walls if wall.pml):
        parts = [e for own, e in zip(walls, edges, strict=True) if own is wall]
        if parts:
            depth = wall.layer_thickness(scene)
            found += [(drawn(line), depth) for line in chain(np.concatenate(parts))]
    return tuple(found)


def _from_mesh(
    discretization: Discretization, scene: Scene | None
) -> tuple[dict[type[Wall], tuple[Line, ...]], tuple[tuple[str, tuple[Line, ...]], ...], Line]:
    mesh = discretization.mesh
    faces = mesh.triangles[:, FACE_VERTICES]
    # Glued faces have a neighbour and still are edges the user named.
    at_rim = discretization.connectivity.is_boundary | (mesh.face_tags >= 0)

    def kind_at(name: str) -> type[Wall]:
        return Conductor if scene is None else type(wall_at(name, scene))

    kinds = [kind_at(name) for name in mesh.face_names]
    arcs = _arcs(mesh)
    by_kind: dict[type[Wall], list[NDArray]] = defaultdict(list)
    tags, rim = mesh.face_tags[at_rim], faces[at_rim]
    for tag in np.unique(tags):
        kind = kinds[tag] if tag >= 0 else kind_at("")
        by_kind[kind].append(rim[tags == tag])
    lines = {
        kind: tuple(_along(line, mesh, arcs) for line in chain(np.concatenate(parts)))
        for kind, parts in by_kind.items()
    }
    neighbor = discretization.connectivity.neighbor_element
    changes = (mesh.regions[neighbor] != mesh.regions[:, None]) | at_rim
    materials = tuple(
        (
            name,
            tuple(
                _along(line, mesh, arcs)
                for line in chain(faces[changes & (mesh.regions == number)[:, None]])
            ),
        )
        for number, name in enumerate(mesh.region_names)
        if number > 0
    )
    # Of the two elements at an edge the first draws it; sorting all edges would take long.
    once = at_rim | (neighbor > np.arange(mesh.n_elements)[:, None])
    edges = mesh.vertices[faces[once]]
    if arcs and mesh.face_curves is not None:
        bent = mesh.face_curves[once] >= 0
        pieces = [_along(face, mesh, arcs) for face in faces[once][bent].tolist()]
        as_edges = [np.stack([line[:-1], line[1:]], axis=1) for line in pieces]
        edges = np.concatenate([edges[~bent], *as_edges])
    return lines, materials, edges


def _arcs(mesh: Mesh) -> Arcs:
    """Points between the two vertices of each curved face, in the direction of its element.

    All arcs are as near to their chords: the largest turn by a degree from point to point.
    """
    if mesh.face_curves is None:
        return {}
    element, face = np.nonzero(mesh.face_curves >= 0)
    ends = mesh.triangles[element[:, None], FACE_VERTICES[face]]
    numbers = mesh.face_curves[element, face]
    size = float(np.hypot(*np.ptp(mesh.vertices, axis=0))) / 2
    order = np.argsort(numbers, kind="stable")
    found: Arcs = {}
    for group in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1):
        curve = mesh.curves[numbers[group[0]]]
        start, end = (mesh.vertices[ends[group, i]] for i in (0, 1))
        most = min(SMOOTH_TURN * max(1.0, math.sqrt(size / curve.largest_radius)), COARSE_TURN)
        n = max(1, round(math.degrees(curve.turns(start, end).max()) / most))
        between = curve.arcs(start, end, np.arange(1, n) / n)
        found.update(zip(map(tuple, ends[group].tolist()), between, strict=True))
    return found


def _along(line: Sequence[int], mesh: Mesh, arcs: Arcs) -> Line:
    """The points of a line through vertices, with some more on its arcs."""
    points = mesh.vertices[line]
    if not arcs:
        return points
    pieces = []
    for i, ends in enumerate(pairwise(line)):
        pieces.append(points[i : i + 1])
        if (between := arcs.get(ends)) is not None:
            pieces.append(between)
    return np.concatenate([*pieces, points[-1:]])


def _from_shapes(
    scene: Scene,
) -> tuple[dict[type[Wall], tuple[Line, ...]], tuple[tuple[str, tuple[Line, ...]], ...]]:
    walls: dict[type[Wall], list[Line]] = defaultdict(list)
    for owner, shape in wall_shapes(scene).items():
        for ring, names in smooth_rings(shape):
            kinds = [type(wall_at(f"{owner}.{name}", scene)) for name in names]
            for kind in dict.fromkeys(kinds):
                numbers = [i for i, k in enumerate(kinds) if k == kind]
                segments = np.array([(i, (i + 1) % len(ring)) for i in numbers])
                walls[kind].extend(ring[line] for line in chain(segments))
    materials = tuple(
        (region.name, (_closed(ring),))
        for region in scene.materials
        if region.shape is not None
        for ring, _ in smooth_rings(region.shape)
    )
    return {kind: tuple(lines) for kind, lines in walls.items()}, materials


def _closed(ring: Line) -> Line:
    return np.concatenate([ring, ring[:1]])


def _source_marks(
    scene: Scene | None, discretization: Discretization | None
) -> tuple[SourceMark, ...]:
    if scene is None or not scene.sources:
        return ()
    edges = edge_lines(scene, None if discretization is None else discretization.mesh)
    marks = (source.mark(scene, edges) for source in scene.sources)
    return tuple(mark for mark in marks if mark is not None)


def _glyphs(scene: Scene | None) -> tuple[Glyph, ...]:
    if scene is None:
        return ()
    sources: Iterable[Glyph] = (
        Glyph("source", number, source.name, at)
        for number, source in enumerate(scene.sources)
        if (at := source.glyph) is not None
    )
    probes = (
        Glyph("probe", number, probe.name, probe.position)
        for number, probe in enumerate(scene.probes)
    )
    return (*sources, *probes)
