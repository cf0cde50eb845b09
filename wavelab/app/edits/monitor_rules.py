"""Why a monitor cannot be where it is drawn, as far as can be told before there is a mesh.

The rules are those of ``wavelab.physics.monitors.monitors``, which has the last word; here they say
where the trouble is while something is drawn or dragged.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import shapely

from wavelab.app.base.refusal import Refusal
from wavelab.errors import WavelabError
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.output.edge_lines import edge_lines
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.editing.misplaced import MisplacedError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.requests import Contour, Where
from wavelab.scene.model.medium import MEDIUM_RULES, Medium, remembers
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point, Shape, area_of, smooth_outline
from wavelab.scene.monitors import Monitor
from wavelab.scene.rules.validate import check_scene


def misplacement(scene: Scene, monitor: Monitor) -> WavelabError | None:
    """Why the scene cannot have this monitor, which may take the place of one of its name."""
    others = [m for m in scene.monitors if m.name != monitor.name]
    try:
        check_scene(replace(scene, monitors=(*others, monitor)))
    except WavelabError as error:
        return error
    what = f'monitor "{monitor.name}"'
    where = monitor.where
    if where.place is None:
        return None
    if isinstance(where.place, tuple):
        return _of_line(scene, where, what)
    ring, _ = smooth_outline(where.place)
    if (problem := outline_problem(ring)) is not None:
        remedy = problem.remedy or "Draw an outline that does not meet itself."
        return MisplacedError(f"{what} {problem.message}", remedy=remedy, spot=problem.where)
    if scene.outline is None:
        return None  # only the mesh knows where it is
    domain = _domain(scene)
    if isinstance(where, Contour):
        return _of_contour(scene, domain, shapely.LinearRing(ring), what)
    if domain.intersection(shapely.Polygon(ring)).area <= 0:
        return MisplacedError(f"{what} lies outside the domain", remedy="Draw it inside.")
    return None


def monitor_refusal(scene: Scene, monitor: Monitor) -> Refusal | None:
    """The same in the words that stand beside the pointer."""
    error = misplacement(scene, monitor)
    if error is None:
        return None
    what = error.message.removeprefix(f'monitor "{monitor.name}" ')
    spot = error.spot if isinstance(error, MisplacedError) else None
    return Refusal(f"it {what}", spot, error.remedy)


def _of_line(scene: Scene, where: Where, what: str) -> WavelabError | None:
    if scene.outline is None:
        return None
    line, domain = shapely.LineString(where.place), _domain(scene)
    outside = line.difference(domain.buffer(1e-9 * domain.length))
    if where.wholly_inside and outside.length > 0:
        return MisplacedError(
            f"{what} leaves the domain, where nothing can be received",
            remedy="Keep all of the line inside.",
            spot=_border(line, domain),
        )
    if outside.length >= (1 - 1e-9) * line.length:
        return MisplacedError(f"{what} lies outside the domain", remedy="Draw it inside.")
    return None


def _of_contour(
    scene: Scene, domain: shapely.Geometry, contour: shapely.LinearRing, what: str
) -> WavelabError | None:
    """Of a far field."""
    for hole in scene.holes:
        if contour.intersection(area_of(hole.shape)).length > 0:
            return MisplacedError(
                f'{what} has a contour that runs into the obstacle "{hole.name}"',
                remedy="Draw it all the way round the obstacle, with some space between.",
                spot=_border(contour, area_of(hole.shape)),
            )
    if contour.difference(domain).length > 0:
        return MisplacedError(
            f"{what} has a contour that leaves the domain",
            remedy="The contour must run through the domain all the way round: draw it smaller.",
            spot=_border(contour, domain),
        )
    if (spot := _in_layer(scene, contour)) is not None:
        return MisplacedError(
            f"{what} has a contour through the layer along an open wall, where waves are damped",
            remedy="Keep it inside of the layer, or make the layer thinner.",
            spot=spot,
        )
    media: list[tuple[Medium, str, Point | None]] = []
    left: shapely.Geometry = contour
    for region in reversed(scene.materials):
        if region.shape is not None:
            area = area_of(region.shape)
            if left.intersection(area).length > 0:
                media.append((region.material, f'"{region.name}"', _border(contour, area)))
            left = left.difference(area)
    if left.length > 0:
        media.append((scene.background, "the background", None))
    return _of_media(media, what)


def _of_media(media: list[tuple[Medium, str, Point | None]], what: str) -> WavelabError | None:
    """``media`` are all that a contour runs through: what, its name, where it is entered."""
    first, name, _ = media[-1]
    for other, other_name, spot in media:
        if other != first:
            return MisplacedError(
                f"{what} has a contour that crosses the border of {other_name} to {name}",
                remedy="All of the contour must run through one medium, which is taken to go on "
                "for ever outside: draw it round the other one.",
                spot=spot,
            )
    numbers = [first.coefficient(name) for name in MEDIUM_RULES]
    sigmas = [first.coefficient(name) for name in ("sigma", "magnetic_sigma")]
    if any(isinstance(value, Formula) for value in numbers):
        why = "that is a formula"
    elif remembers(first):
        why = "that is dispersive"
    elif first.axes is not None:
        why = "that is anisotropic"
    elif any(sigmas):
        why = "with losses"
    else:
        return None
    return MisplacedError(
        f"{what} has a contour through a medium {why} ({name})",
        remedy="All of the contour must run through one medium without losses that is the same "
        "everywhere.",
    )


def _in_layer(scene: Scene, contour: shapely.LinearRing) -> Point | None:
    """A point of the contour nearer to an open wall than its layer is thick."""
    if not any(wall.pml for wall in scene.walls):
        return None
    for edge, lines in edge_lines(scene, None).items():
        depth = wall_at(edge, scene).layer_thickness(scene)
        for line in lines if depth is not None else ():
            layer = shapely.LineString(line).buffer(depth, cap_style="flat")
            if contour.intersection(layer).length > 0:
                return _border(contour, layer) or contour.coords[0]
    return None


def _domain(scene: Scene) -> shapely.Geometry:
    assert scene.outline is not None
    return _holed(scene.outline, tuple(hole.shape for hole in scene.holes))


# Asked at every move of the mouse, and there may be hundreds of obstacles.
@lru_cache(maxsize=4)
def _holed(outline: Shape, holes: tuple[Shape, ...]) -> shapely.Geometry:
    return area_of(outline).difference(shapely.union_all([area_of(hole) for hole in holes]))


def _border(line: shapely.Geometry, area: shapely.Geometry) -> Point | None:
    """Where a line goes in or out of an area."""
    met = line.intersection(area.boundary)
    if met.is_empty:
        return None
    point = met.representative_point()
    return float(point.x), float(point.y)
