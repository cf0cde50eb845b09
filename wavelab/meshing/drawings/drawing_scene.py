"""A drawing as a scene, or as obstacles in one that is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import shapely

from wavelab.arrays import Array
from wavelab.errors import GeometryError, SceneError
from wavelab.meshing.drawings import LAYOUTS
from wavelab.meshing.drawings.drawing import SAME, Drawing, DrawnOutline, read_drawing, same_area
from wavelab.meshing.drawings.importing import layout_scene
from wavelab.meshing.drawings.pulses import initial_pulse
from wavelab.meshing.outlines.curves import Affine, Line
from wavelab.meshing.outlines.outline import Outline
from wavelab.scene.model.scene import FieldFormulas, Hole, Scene, Solver
from wavelab.scene.model.shapes import Point, Rectangle
from wavelab.scene.rules.name_rules import LONGEST_NAME
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.view.quantities import of_another_field

#: Longer side of a domain that was drawn, in length units, and the time to run it for.
SIZE, UNTIL = 2.0, 6.0
#: It gets about as many elements as this, and more where the drawing is fine.
_ELEMENTS = 2500
#: Part of the present domain that obstacles take, in the middle of it.
_SHARE = 0.5
#: Between a frame and what it is drawn around, in parts of the size of that.
_MARGIN = 0.25
#: Pairs of outlines that are looked at, whether one lies in the other; they take some 10 s.
_MOST_LOOKS = 5_000_000

Notify = Callable[[str], None]


def scene_of_drawing_file(
    path: Path, like: Scene | None = None, *, notify: Notify = lambda _: None
) -> Scene:
    """:func:`scene_of_drawing` of a file, or :func:`layout_scene` if it is a layout of a chip."""
    if path.suffix.lower() in LAYOUTS:
        return layout_scene(path, like, notify=notify)
    return scene_of_drawing(read_drawing(path), like, notify=notify)


def scene_of_drawing(
    drawing: Drawing, like: Scene | None = None, *, notify: Notify = lambda _: None
) -> Scene:
    """A scene whose domain is the largest outline of a drawing, with the others as obstacles; or a
    frame around all outlines, where some lie beside the largest.

    The longer side of the domain is 2 length units, and a pulse in its widest part makes a wave.

    Parameters
    ----------
    like : solved and shown the way of this one.
    notify : told what was left out.

    Raises
    ------
    GeometryError : names the file, the line and the element that cannot be used, and what would be
        right.
    """
    path, drawn = drawing.path, drawing.drawn
    for note in drawing.notes:
        notify(note)
    domain = drawn[0]
    if _all_inside(domain, drawn[1:]):
        inner = _without_copies(drawn, path, notify)
    else:
        domain, inner = _frame(drawn), _without_copies([None, *drawn], path, notify)
        notify(f"drew a frame around {path.name}, which is no single outline with others in it")
    x0, y0, x1, y1 = map(float, domain.area.bounds)
    scale = SIZE / max(x1 - x0, y1 - y0)
    # Turned upwards, with the lower left corner in the origin.
    to_scene = Affine(0, scale, scale * complex(-x0, y1))
    holes = tuple(Hole(d.name, d.shape(to_scene, SIZE)) for d in _named(inner))
    free = shapely.difference(domain.area, shapely.union_all([d.area for d in inner]))
    if free.area <= SAME * domain.area.area:
        raise GeometryError(
            f"the outlines inside of {domain.outline.label} leave nothing of it",
            where=domain.outline.where,
        )
    size = _two_figures(scale * math.sqrt(free.area / (_ELEMENTS * math.sqrt(3) / 4)))
    like = like or Scene("", Solver())
    document = drawing.document
    unit = document.unit / scale
    scene = Scene(
        title=path.stem,
        description=f"Drawn in {path.name}; 1 length unit is {unit:.6g} {document.unit_name}.",
        solver=replace(like.solver, element_size=size, until=UNTIL),
        outline=domain.shape(to_scene, SIZE),
        holes=holes,
        initial=FieldFormulas(ez=initial_pulse(_in_scene(free, to_scene), size)),
        view=of_another_field(like.view),
    )
    try:
        return check_scene(scene)
    except SceneError as error:
        raise GeometryError(error.message, where=path.name, remedy=error.remedy) from None


def obstacles_of_drawing(
    drawing: Drawing, bounds: tuple[Point, Point], *, notify: Notify = lambda _: None
) -> tuple[Hole, ...]:
    """All outlines of a drawing as obstacles, made to fit into the middle of ``bounds``."""
    for note in drawing.notes:
        notify(note)
    kept = _named(_without_copies([None, *drawing.drawn], drawing.path, notify))
    x0, y0, x1, y1 = map(float, shapely.total_bounds([d.area for d in kept]))
    (left, bottom), (right, top) = bounds
    scale = _SHARE * min((right - left) / (x1 - x0), (top - bottom) / (y1 - y0))
    center = complex(left + right, bottom + top) / 2
    to_scene = Affine(0, scale, center - scale * complex(x0 + x1, -(y0 + y1)) / 2)
    size = scale * max(x1 - x0, y1 - y0)
    return tuple(Hole(d.name, d.shape(to_scene, size)) for d in kept)


def _without_copies(
    drawn: Sequence[DrawnOutline | None], path: Path, notify: Notify
) -> list[DrawnOutline]:
    """All but the first, without what lies in another one of the rest: there is nothing left."""
    domain, inner = drawn[0], [d for d in drawn[1:] if d is not None]
    if domain is not None:
        inner = [d for d in inner if not same_area(d.area, domain.area)]
    buried = _covered([d.area for d in inner], path)
    if buried:
        some = f"{len(buried)} outlines" if len(buried) > 1 else "an outline"
        notify(f"left out {some} of {path.name} within an obstacle, where no wave gets")
    return [d for i, d in enumerate(inner) if i not in buried]


def _covered(areas: Sequence[shapely.Polygon], path: Path) -> set[int]:
    """Numbers of those, sorted by size, that lie in an earlier one: of two that are the same the
    first one stays.

    Raises
    ------
    GeometryError : too many of them overlap to be looked at.
    """
    tree, found, looks = shapely.STRtree(areas), np.zeros(len(areas), bool), 0
    of = np.array(areas, dtype=object)
    for number, area in enumerate(areas):
        if found[number]:
            continue  # what lies in it lies also in what it lies in
        near = tree.query(area)
        near = near[(near > number) & ~found[near]]
        looks += len(near)
        if looks > _MOST_LOOKS:
            raise GeometryError(
                f"too many of its {len(areas):,} outlines overlap each other",
                where=path.name,
                remedy="Unite those that overlap, or draw less.",
            )
        shapely.prepare(area)
        found[near[shapely.covers(area, of[near])]] = True
    return set(np.flatnonzero(found).tolist())


def _frame(drawn: Sequence[DrawnOutline]) -> DrawnOutline:
    """A rectangle around all of them."""
    x0, y0, x1, y1 = map(float, shapely.total_bounds([d.area for d in drawn]))
    gap = _MARGIN * max(x1 - x0, y1 - y0)
    lower, upper = (x0 - gap, y0 - gap), (x1 + gap, y1 + gap)
    area = shapely.box(*lower, *upper)
    corners = [complex(x, y) for x, y in area.exterior.coords]
    curves = tuple(Line(a, b) for a, b in pairwise(corners))
    outline = Outline(curves, "the frame", drawn[0].outline.where)
    return DrawnOutline(outline, -1, area, Rectangle(lower, upper))


def _all_inside(domain: DrawnOutline, inner: Sequence[DrawnOutline]) -> bool:
    """Whether all of them lie in the domain, at least in part."""
    shapely.prepare(domain.area)
    return all(
        # Most do, and intersections of large outlines take their time.
        shapely.covers(domain.area, each.area)
        or shapely.intersection(domain.area, each.area).area > SAME * each.area.area
        for each in inner
    )


def _named(drawn: Sequence[DrawnOutline]) -> list[DrawnOutline]:
    """In the order of the drawing, with the names that they have in it, where those can be used
    and are their own."""
    taken: set[str] = set()
    named = []
    for number, each in enumerate(sorted(drawn, key=lambda d: d.number), start=1):
        _, _, own = each.outline.label.partition('"')
        name = own.rstrip('"').replace(".", "_").strip()
        usable = name and name.isprintable() and '"' not in name and len(name) <= LONGEST_NAME
        if not usable or name in taken or name == "domain":
            name = next(
                free for i in range(number, 2 * len(drawn) + 2)
                if (free := f"obstacle {i}") not in taken
            )  # fmt: skip
        taken.add(name)
        named.append(replace(each, name=name))
    return named


def _in_scene(area: shapely.Geometry, to_scene: Affine) -> shapely.Geometry:
    def moved(points: Array) -> Array:
        z = [to_scene(complex(*point)) for point in points.tolist()]
        return np.array([(w.real, w.imag) for w in z])

    return shapely.transform(area, moved)


def _two_figures(value: float) -> float:
    return float(f"{value:.1e}")
