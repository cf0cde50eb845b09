"""Everything the window can change in a scene, as pure functions, and what each change costs.

An edit never mends in silence: what had to be left out or adapted is said in ``Edit.notes``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path

import shapely

from wavelab.errors import SceneError
from wavelab.numerics.reference_element import MAX_ORDER
from wavelab.scene.monitors import (
    MONITOR_VIEWS,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    Monitor,
)
from wavelab.scene.scene import (
    FieldFormulas,
    Hole,
    Material,
    PlaneWave,
    Probe,
    RegionSource,
    Scene,
    Source,
    View,
    Wall,
)
from wavelab.scene.shapes import Point, Shape
from wavelab.scene.source_places import anchor, entrances, moved

#: A new domain gets at least about this many elements, so that a small one is not one triangle.
FEWEST_ELEMENTS = 200
#: Title of a scene whose domain was drawn and that has not been saved yet.
DRAWN_TITLE = "Drawn domain"


class Price(IntEnum):
    """What has to be done again when one scene takes the place of another."""

    NOTHING = 0
    PROBES = 1
    OPERATOR = 2
    MESH = 3


@dataclass(frozen=True)
class Edit:
    """A scene to take the place of the present one.

    ``merge`` joins a run of edits of the same ``label`` into one step of the history.
    """

    label: str
    scene: Scene
    notes: tuple[str, ...] = ()
    merge: bool = False


def price(old: Scene, new: Scene) -> Price:
    """What it takes to go from ``old`` to ``new``."""
    # The two sides of a periodic wall must be cut alike, which the mesher sees to.  A mesh that is
    # cut so serves any other walls as well.
    if _mesh_part(old) != _mesh_part(new) or not _pairs(new) <= _pairs(old):
        return Price.MESH
    if _operator_part(old) != _operator_part(new):
        return Price.OPERATOR
    return Price.PROBES if old.probes != new.probes else Price.NOTHING


def _mesh_part(scene: Scene) -> tuple:
    return (
        scene.outline,
        scene.mesh_file,
        scene.holes,
        tuple((region.name, region.shape) for region in scene.materials),
        scene.solver.element_size,
        scene.solver.curved,
    )


def _pairs(scene: Scene) -> set[Wall]:
    return {wall for wall in scene.walls if wall.kind == "periodic"}


def _operator_part(scene: Scene) -> Scene:
    return replace(scene, title="", description="", probes=(), view=View(), path=None)


def draw_domain(scene: Scene, shape: Shape) -> Edit:
    """``shape`` becomes the domain; what still fits in it stays.

    Holes stay that lie wholly inside: one that crosses the new outline would bite into what was
    drawn and leave slivers.  Materials stay as far as they reach in, sources and probes where they
    are inside.  Single edges of the old outline no longer exist, so walls put there go.
    """
    size = scene.solver.element_size
    region = _area(shape, size)
    holes = [hole for hole in scene.holes if region.contains_properly(_area(hole.shape, size))]
    materials = [
        m
        for m in scene.materials
        if m.shape is not None and region.intersection(_area(m.shape, size)).area > 0
    ]
    whole = {"domain", *(hole.name for hole in holes)}
    sources = [
        s
        for s in scene.sources
        if entrances(s) <= whole and ((at := anchor(s)) is None or _inside(region, at))
    ]
    probes = [p for p in scene.probes if _inside(region, p.position)]
    monitors = _fitting_monitors(scene, region)
    walls = _surviving_walls(scene.walls, whole)
    notes = _left_out(
        *_missing("obstacle", scene.holes, holes),
        *_missing("material", scene.materials, materials),
        *_missing("source", scene.sources, sources),
        *_missing("probe", scene.probes, probes),
        *_missing("monitor", scene.monitors, monitors),
    )
    if scene.walls and walls != scene.walls:
        notes.append("walls on edges of the old outline are conductors now")
    fitting = _fitting_size(region.area, size)
    if fitting != size:
        notes.append(f"element size is now {fitting:g}")
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
        monitors=monitors,
        solver=replace(scene.solver, element_size=fitting),
        exact=None,
        # A fixed range was chosen for the field in the old domain.
        view=replace(scene.view, limit=None),
    )
    return Edit("New domain", drawn, tuple(notes))


def cut_hole(scene: Scene, shape: Shape) -> Edit:
    """``shape`` is cut out of the domain as an obstacle; its rim is a conductor.

    Raises
    ------
    SceneError : the domain is a mesh file, or the obstacle lies outside of it or swallows it.
    """
    if scene.outline is None:
        raise SceneError(
            "a domain that comes from a mesh file cannot be cut",
            remedy="Draw a new domain first, or cut the obstacle where the mesh was made.",
        )
    size = scene.solver.element_size
    region, cut = _area(scene.outline, size), _area(shape, size)
    if not region.intersects(cut):
        raise SceneError(
            "the obstacle lies outside the domain", remedy="Draw it inside the outline."
        )
    if not _cuts(region, cut):
        raise SceneError("the obstacle leaves nothing of the domain", remedy="Draw it smaller.")
    name = _free_name("obstacle", (hole.name for hole in scene.holes))
    # What is inside of a region or the box of a plane wave is what they are for.
    sources = [
        s
        for s in scene.sources
        if isinstance(s, RegionSource | PlaneWave)
        or (at := anchor(s)) is None
        or not _inside(cut, at)
    ]
    probes = [p for p in scene.probes if not _inside(cut, p.position)]
    monitors = _fitting_monitors(scene, region.difference(cut))
    notes = _left_out(
        *_missing("source", scene.sources, sources),
        *_missing("probe", scene.probes, probes),
        *_missing("monitor", scene.monitors, monitors),
    )
    holed = replace(
        scene,
        holes=(*scene.holes, Hole(name, shape)),
        sources=tuple(sources),
        probes=tuple(probes),
        monitors=monitors,
        exact=None,
    )
    return Edit("Add obstacle", holed, tuple(notes))


def lies_inside(scene: Scene, shape: Shape) -> bool:
    """Whether ``shape`` lies within the domain, up to its walls, and could be cut out of it."""
    if scene.outline is None:
        return False
    size = scene.solver.element_size
    region, cut = _area(scene.outline, size), _area(shape, size)
    return _cuts(region, cut) and cut.difference(region).area <= 1e-9 * cut.area


def set_order(scene: Scene, order: int) -> Edit:
    if not 1 <= order <= MAX_ORDER:
        raise SceneError(f"order {order} is not offered", remedy=f"Choose 1 to {MAX_ORDER}.")
    return Edit("Order", replace(scene, solver=replace(scene.solver, order=order)), merge=True)


def set_stepper(scene: Scene, name: str) -> Edit:
    return Edit("Stepper", replace(scene, solver=replace(scene.solver, stepper=name)), merge=True)


def set_element_size(scene: Scene, size: float) -> Edit:
    if not (math.isfinite(size) and size > 0):
        raise SceneError(f"element size {size:g} is not a length", remedy="Choose one above 0.")
    solver = replace(scene.solver, element_size=size)
    return Edit("Element size", replace(scene, solver=solver), merge=True)


def add_probe(scene: Scene, position: Point) -> Edit:
    name = _free_name("probe", (probe.name for probe in scene.probes))
    return Edit("Place probe", replace(scene, probes=(*scene.probes, Probe(name, position))))


def remove_probe(scene: Scene, name: str) -> Edit:
    kept = tuple(probe for probe in scene.probes if probe.name != name)
    return Edit("Remove probe", replace(scene, probes=kept))


def add_source(scene: Scene, make: Callable[[str], Source]) -> Edit:
    """``make`` gives the source its name."""
    name = _free_name("source", (source.name for source in scene.sources))
    return Edit("Place source", _with_sources(scene, (*scene.sources, make(name))))


def move_source(scene: Scene, name: str, position: Point) -> Edit:
    """A source that moves by itself stays on its way."""
    sources = (
        moved(source, position) if source.name == name else source for source in scene.sources
    )
    return Edit("Move source", _with_sources(scene, sources))


def remove_source(scene: Scene, name: str) -> Edit:
    kept = (source for source in scene.sources if source.name != name)
    return Edit("Remove source", _with_sources(scene, kept))


def add_monitor_for(scene: Scene, quantity: str) -> Edit | None:
    """A monitor of the whole domain for a view that needs one; None where the scene does not say
    at which frequency."""
    taken = (monitor.name for monitor in scene.monitors)
    name = _free_name(quantity, taken)
    if MONITOR_VIEWS[quantity] is IntensityMonitor:
        monitor: Monitor = IntensityMonitor(name)
    else:
        frequency = _driven_frequency(scene)
        if frequency is None:
            return None
        monitor = FieldMonitor(name, (frequency,))
    return Edit("Add monitor", replace(scene, monitors=(*scene.monitors, monitor)))


def _driven_frequency(scene: Scene) -> float | None:
    """That of the first source that has one."""
    for source in scene.sources:
        frequency = getattr(getattr(source, "waveform", None), "frequency", None)
        if isinstance(frequency, float):
            return frequency
    return None


def remove_all_probes(scene: Scene) -> Edit:
    return Edit("Remove probes", replace(scene, probes=()))


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
        background=Material(),
        materials=(),
        walls=(),
        sources=(),
        probes=(),
        initial=FieldFormulas(),
        exact=None,
        view=replace(scene.view, limit=None),
        path=None,
    )


def _with_sources(scene: Scene, sources: Iterable[Source]) -> Scene:
    """Other sources make another field than the exact one."""
    return replace(scene, sources=tuple(sources), exact=None)


def _area(shape: Shape, size: float) -> shapely.Geometry:
    ring, _ = shape.outline(size)
    return shapely.make_valid(shapely.Polygon(ring))


def _inside(region: shapely.Geometry, position: Point) -> bool:
    return bool(region.contains(shapely.Point(position)))


def _fitting_monitors(scene: Scene, region: shapely.Geometry) -> tuple[Monitor, ...]:
    """Those that can measure in a region: receivers and contours that lie in all of it, other
    lines and shapes that reach into it."""
    kept = []
    for monitor in scene.monitors:
        if isinstance(monitor, LineMonitor):
            fits = region.covers(shapely.LineString(monitor.vertices))
        elif isinstance(monitor, FluxMonitor):
            fits = region.intersection(shapely.LineString(monitor.vertices)).length > 0
        elif monitor.shape is None:
            fits = True
        elif isinstance(monitor, FarFieldMonitor):
            fits = region.covers(_area(monitor.shape, scene.solver.element_size).exterior)
        else:
            fits = region.intersection(_area(monitor.shape, scene.solver.element_size)).area > 0
        if fits:
            kept.append(monitor)
    return tuple(kept)


def _cuts(region: shapely.Geometry, cut: shapely.Geometry) -> bool:
    """Whether cutting takes something away and leaves something."""
    lost = region.intersection(cut).area
    return 0 < lost < (1 - 1e-9) * region.area


def _surviving_walls(walls: tuple[Wall, ...], edges: set[str]) -> tuple[Wall, ...]:
    """Walls with only those edges that still exist; a periodic pair stays whole or goes."""
    kept = []
    for wall in walls:
        left = tuple(
            edge for edge in wall.edges if edge in edges or _shape_of(edge) in edges - {"domain"}
        )
        if left == wall.edges:
            kept.append(wall)
        elif left and wall.kind != "periodic":
            kept.append(replace(wall, edges=left))
    return tuple(kept)


def _shape_of(edge: str) -> str:
    return edge.rpartition(".")[0]


def _missing(kind: str, before: Iterable, after: Iterable) -> list[str]:
    """What the window calls the items that are only in ``before``."""
    kept = {item.name for item in after}
    names = [item.name for item in before if item.name not in kept]
    return [name if name.startswith(kind) else f"{kind} {name}" for name in names]


def _left_out(*labels: str) -> list[str]:
    return [f"left out what is not inside ({', '.join(labels)})"] if labels else []


def _free_name(kind: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(name for i in range(1, len(names) + 2) if (name := f"{kind} {i}") not in names)


def _fitting_size(area: float, size: float) -> float:
    """``size``, or less where it would give too few elements; two significant figures."""
    largest = math.sqrt(area / (FEWEST_ELEMENTS * math.sqrt(3) / 4))
    if not 0 < largest < size:
        return size
    digits = 1 - math.floor(math.log10(largest))
    return math.floor(largest * 10**digits) / 10**digits
