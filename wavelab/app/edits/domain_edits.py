"""Edits of the domain, and of the obstacles and materials in it, as pure functions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import shapely

from wavelab.app.edits.edits import Edit, free_name, with_items
from wavelab.errors import SceneError
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.editing.misplaced import troubles, without_lost
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Wall
from wavelab.scene.model.shapes import Point, Shape, area_of
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import of_another_field

#: A new domain gets at least about this many elements, so that a small one is not one triangle.
FEWEST_ELEMENTS = 200
#: Of a region that was just drawn: glass.
EPSILON = 2.25
#: Title of a scene whose domain was drawn and that has not been saved yet.
DRAWN_TITLE = "Drawn domain"


def draw_domain(scene: Scene, shape: Shape) -> Edit:
    """``shape`` becomes the domain; what still fits in it stays.

    Holes stay that lie wholly inside: one that crosses the new outline would bite into what was
    drawn and leave slivers.  Materials stay as far as they reach in, sources and probes where they
    are inside.  Single edges of the old outline no longer exist, so walls put there go.
    """
    size = scene.solver.element_size
    region = area_of(shape)
    holes = [hole for hole in scene.holes if region.contains_properly(area_of(hole.shape))]
    materials = [
        m
        for m in scene.materials
        if m.shape is not None and region.intersection(area_of(m.shape)).area > 0
    ]
    whole = {"domain", *(hole.name for hole in holes)}
    sources = [
        s
        for s in scene.sources
        if whole.issuperset(s.entrances) and ((at := s.anchor()) is None or _inside(region, at))
    ]
    probes = [p for p in scene.probes if _inside(region, p.position)]
    whole_domain = replace(scene, outline=shape, mesh_file=None, holes=())
    monitors = tuple(m for m in scene.monitors if not troubles(whole_domain, m))
    walls = _surviving_walls(scene.walls, whole)
    fitting = _fitting_size(region.area, size)
    drawn = replace(
        scene,
        title=DRAWN_TITLE,
        description="",
        path=None,
        outline=shape,
        mesh_file=None,
        holes=tuple(holes),
        materials=tuple(materials),
        walls=walls,
        sources=tuple(sources),
        probes=tuple(probes),
        pings=tuple(p for p in scene.pings if _inside(region, p.position)),
        monitors=monitors,
        solver=replace(scene.solver, element_size=fitting),
        exact=None,
        # A fixed range was chosen for the field in the old domain.
        view=replace(scene.view, limit=None, part=()),
    )
    notes = _left_out(scene, drawn)
    if scene.walls and walls != scene.walls:
        notes.append(f"walls on edges of the old outline are {system_of(scene).unnamed.label} now")
    alone = [wall for wall in walls if "domain" in wall.edges]
    wall = alone[-1] if alone else system_of(scene).unnamed(())
    notes.append(f"each of its edges is {wall.noun}{', as before' * bool(alone)} (W changes it)")
    if fitting != size:
        notes.append(f"element size is now {fitting:g}")
    return Edit("New domain", drawn, tuple(notes))


def cut_holes(scene: Scene, holes: Iterable[Hole]) -> Edit:
    """All of these are cut out of the domain as obstacles, with their names where those are free.

    Raises
    ------
    SceneError : as :func:`cut_hole`.
    """
    before = {hole.name for hole in scene.holes}
    notes: list[str] = []
    for hole in holes:
        edit = cut_hole(scene, hole.shape, hole.name)
        scene, notes = edit.scene, [*notes, *edit.notes]
    count = len({hole.name for hole in scene.holes} - before)
    label = "Add obstacle" if count == 1 else f"Add {count} obstacles"
    return Edit(label, scene, tuple(notes))


def cut_hole(scene: Scene, shape: Shape, name: str = "") -> Edit:
    """``shape`` is cut out of the domain as an obstacle; its rim is a conductor.

    It gets ``name`` if no other obstacle has it.

    Raises
    ------
    SceneError : the domain is a mesh file, or the obstacle lies outside of it or swallows it.
    """
    if scene.outline is None:
        raise SceneError(
            "a domain that comes from a mesh file cannot be cut",
            remedy="Draw a new domain first, or cut the obstacle where the mesh was made.",
        )
    region, cut = area_of(scene.outline), area_of(shape)
    if not region.intersects(cut):
        raise SceneError(
            "the obstacle lies outside the domain", remedy="Draw it inside the outline."
        )
    if not _cuts(region, cut):
        raise SceneError("the obstacle leaves nothing of the domain", remedy="Draw it smaller.")
    if not name or name in {hole.name for hole in scene.holes}:
        name = free_name("obstacle", scene.holes)
    holed = with_items(scene, "holes", (*scene.holes, Hole(name, shape)))
    left = without_lost(scene, holed)
    return Edit("Add obstacle", left, tuple(_left_out(scene, left)))


def add_material(scene: Scene, shape: Shape) -> Edit:
    """``shape`` is filled with glass; its properties can be changed afterwards.

    Raises
    ------
    SceneError : as :func:`add_region`.
    """
    name = free_name("material", scene.materials)
    return add_region(
        scene, MaterialRegion(name, system_of(scene).medium.of_index(math.sqrt(EPSILON)), shape)
    )


def add_region(scene: Scene, region: MaterialRegion) -> Edit:
    """
    Raises
    ------
    SceneError : the domain is a mesh file, or the region has no shape or lies outside of it.
    """
    if scene.outline is None:
        raise SceneError(
            "a domain that comes from a mesh file has its own regions",
            remedy="Draw a new domain first, or name the region where the mesh is made.",
        )
    if region.shape is None:
        raise SceneError(
            f'material "{region.name}" has no shape',
            remedy="Only in a mesh file is a region found by its name.",
        )
    if area_of(region.shape).intersection(area_of(scene.outline)).area == 0:
        raise SceneError(
            "the material lies outside the domain", remedy="Draw it inside the outline."
        )
    return Edit("Add material", with_items(scene, "materials", (*scene.materials, region)))


def lies_inside(scene: Scene, shape: Shape) -> bool:
    """Whether ``shape`` lies within the domain, up to its walls, and could be cut out of it."""
    if scene.outline is None:
        return False
    region, cut = area_of(scene.outline), area_of(shape)
    return _cuts(region, cut) and cut.difference(region).area <= 1e-9 * cut.area


def remove_all_holes(scene: Scene) -> Edit:
    own = {edge for wall in scene.walls for edge in wall.edges if edge.split(".")[0] == "domain"}
    walls = _surviving_walls(scene.walls, own)
    return Edit("Remove obstacles", replace(scene, holes=(), walls=walls, exact=None))


def with_mesh_file(scene: Scene, path: Path) -> Scene:
    """The mesh in ``path`` as an empty domain, solved and shown the way of ``scene``.

    The initial fields belong to the old domain: in another they would jump at the walls.
    """
    return replace(
        scene,
        title=path.stem,
        description=f"Mesh read from {path.name}",
        outline=None,
        mesh_file=path,
        holes=(),
        background=system_of(scene).medium(),
        materials=(),
        walls=(),
        sources=(),
        probes=(),
        pings=(),
        monitors=(),
        initial=system_of(scene).fields(),
        imaginary=None,
        exact=None,
        view=of_another_field(scene.view),
        path=None,
    )


def _inside(region: shapely.Geometry, position: Point) -> bool:
    return bool(region.contains(shapely.Point(position)))


def _cuts(region: shapely.Geometry, cut: shapely.Geometry) -> bool:
    """Whether cutting takes something away and leaves something."""
    lost = region.intersection(cut).area
    return 0 < lost < (1 - 1e-9) * region.area


def _surviving_walls(walls: tuple[Wall, ...], edges: set[str]) -> tuple[Wall, ...]:
    """Walls with only those edges that still exist; a periodic pair stays whole or goes."""
    kept = []
    for wall in walls:
        left = tuple(
            edge
            for edge in wall.edges
            if edge in edges or edge.rpartition(".")[0] in edges - {"domain"}
        )
        if (survivor := wall.at(left)) is not None:
            kept.append(survivor)
    return tuple(kept)


def _left_out(before: Scene, after: Scene) -> list[str]:
    """What is said of items that are only in ``before``, as the window calls them."""
    labels = []
    for table in ("holes", "materials", "sources", "probes", "monitors"):
        kind, kept = ITEM_KINDS[table].noun, {item.name for item in getattr(after, table)}
        names = [item.name for item in getattr(before, table) if item.name not in kept]
        labels += [name if name.startswith(kind) else f"{kind} {name}" for name in names]
    return [f"left out what is not inside ({', '.join(labels)})"] if labels else []


def _fitting_size(area: float, size: float) -> float:
    """``size``, or less where it would give too few elements; two significant figures."""
    largest = math.sqrt(area / (FEWEST_ELEMENTS * math.sqrt(3) / 4))
    if not 0 < largest < size:
        return size
    digits = 1 - math.floor(math.log10(largest))
    return math.floor(largest * 10**digits) / 10**digits
