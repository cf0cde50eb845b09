"""A drawing whose layers are materials, obstacles or the domain, as items of a scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import shapely

from wavelab.errors import GeometryError, SceneError
from wavelab.meshing.drawings.areas import areas_of
from wavelab.meshing.drawings.borders import Piece, without_overlaps
from wavelab.meshing.drawings.layers import Layer
from wavelab.meshing.drawings.pulses import initial_pulse
from wavelab.meshing.drawings.roles import DOMAIN, MATERIAL, NOTHING, OBSTACLE, Role
from wavelab.meshing.outlines.curves import Affine
from wavelab.meshing.outlines.outline import Document, Outline
from wavelab.meshing.outlines.shaping import shape_of
from wavelab.meshing.outlines.untangling import is_simple
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Solver, Wall
from wavelab.scene.model.shapes import Polygon, Rectangle, Shape
from wavelab.scene.model.units import LENGTHS, Units
from wavelab.scene.rules.name_rules import LONGEST_NAME
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.view.quantities import of_another_field

#: Elements across the area of the domain, about, where nobody says how large they are.
_ELEMENTS = 4000
#: Between a frame and what it is drawn around, in parts of the size of that.
_MARGIN = 0.1
#: Coordinates are rounded to this part of the size of all, where no grid is known.
_GRID = 1e-7
#: The longer side of a drawing that has no scale of its own.
_SIZE = 2.0
#: Rank of what is cut out, above all materials, and of what is around the domain.
_CUT, _OUTSIDE = 1_000_000, 2_000_000
#: Time to run for, in parts of what light takes along the domain.
_CROSSINGS = 3.0

Notify = Callable[[str], None]


@dataclass(frozen=True)
class Wishes:
    """What else may be said of a drawing that comes in.

    Attributes
    ----------
    box : lower left and upper right corner of the part that is the domain, in units of the scene.
    margin : around all that is drawn, where no layer is the domain; None: a tenth of it.
    scale : by which coordinates are multiplied.
    unit : of length, of the scene; "" as the drawing says.
    element_size : None: such that there are some 4000.
    """

    box: tuple[float, float, float, float] | None = None
    margin: float | None = None
    scale: float = 1.0
    unit: str = ""
    element_size: float | None = None


def device_scene(
    document: Document,
    path: Path,
    layers: Sequence[tuple[Layer, Role]],
    wishes: Wishes = Wishes(),
    *,
    physics: str = "light",
    like: Scene | None = None,
    notify: Notify = lambda _: None,
) -> Scene:
    """A scene of what layers are to become; where materials overlap, that of the later layer
    holds, and obstacles are cut out of all.

    Coordinates stay what they are in a drawing that is to scale, and its unit is that of the scene;
    that of others has a longer side of 2.

    Parameters
    ----------
    like : solved and shown the way of this one.
    notify : told what was changed.

    Raises
    ------
    GeometryError : the layers make up no scene; says why.
    """
    used = [(layer, role) for layer, role in layers if role.becomes != NOTHING]
    if not used:
        raise GeometryError(
            "no layer becomes anything", where=path.name, remedy="Give one of them a role."
        )
    system = SYSTEMS[physics]
    to_scene = _placed(document, [layer for layer, _ in used], wishes)
    drawn = [(_in_scene(layer, to_scene), role) for layer, role in used]
    bounds = shapely.total_bounds([area for (areas, _), _ in drawn for area in areas])
    size = float(max(bounds[2] - bounds[0], bounds[3] - bounds[1]))
    grid = max(_GRID * size, wishes.scale * document.grid * document.to_scale)
    pieces, names = _pieces(drawn, used, size)
    outline, area, walls = _domain(drawn, bounds, wishes, system.walls)
    inside = [piece for piece in pieces if shapely.intersects(piece.area, area)]
    around = []
    if not outline.arcs():
        # What is around it is cut off along its straight rim; the mesher does it at a round one.
        rest = shapely.difference(shapely.box(*_wider(bounds, area.bounds)), area)
        around = [Piece(_OUTSIDE, rest)]
    shapes = without_overlaps([*inside, *around], grid)
    holes, materials = [], []
    counts: dict[int, int] = {}
    obstacles: dict[str, list[str]] = {}
    for rank, shape in sorted(shapes, key=lambda entry: entry[0]):
        if rank == _OUTSIDE:
            continue
        number = rank % _CUT
        role = used[number][1]
        counts[number] = counts.get(number, 0) + 1
        name = f"{names[number]} {counts[number]}"
        if role.becomes == OBSTACLE:
            holes.append(Hole(name, shape))
            obstacles.setdefault(role.wall, []).append(name)
        else:
            assert role.medium is not None
            materials.append(MaterialRegion(name, role.medium, shape))
    for number, (layer, role) in enumerate(used):
        if role.becomes != DOMAIN and not counts.get(number):
            notify(f'nothing of layer "{layer.name}" is left in the domain')
    walls += [system.walls[kind](tuple(edges)) for kind, edges in obstacles.items() if kind]
    free = shapely.difference(area, shapely.union_all([h.area for h in inside if h.rank >= _CUT]))
    if not free.area > 0:
        raise GeometryError("the obstacles leave nothing of the domain", where=path.name)
    element_size = wishes.element_size or _two(math.sqrt(free.area / (_ELEMENTS * 0.433)))
    like = like or Scene("", Solver())
    x0, y0, x1, y1 = area.bounds
    unit = wishes.unit or (document.unit_name if document.unit_name in LENGTHS else "")
    scene = Scene(
        title=path.stem,
        description=_described(path, used),
        solver=replace(
            like.solver,
            element_size=element_size,
            until=_two(_CROSSINGS * max(x1 - x0, y1 - y0)),
        ),
        physics=physics,
        background=system.medium(),
        outline=outline,
        holes=tuple(holes),
        materials=tuple(materials),
        walls=tuple(walls),
        initial=replace(system.fields(), **{system.scalar.key: initial_pulse(free, element_size)}),
        units=Units(unit) if unit and document.to_scale else Units(),
        view=of_another_field(like.view),
    )
    try:
        return check_scene(scene)
    except SceneError as error:
        raise GeometryError(error.message, where=path.name, remedy=error.remedy) from None


def _placed(document: Document, layers: Sequence[Layer], wishes: Wishes) -> Affine:
    """From the drawing, y downwards, to the scene."""
    if document.to_scale:
        return Affine(0, wishes.scale)
    x0, y0, x1, y1 = shapely.total_bounds([area for layer in layers for area in layer.areas])
    scale = wishes.scale * _SIZE / max(x1 - x0, y1 - y0)
    return Affine(0, scale, scale * complex(-x0, y1))


def _in_scene(layer: Layer, to: Affine) -> tuple[list[shapely.Geometry], list[list[Outline]]]:
    """Areas of a layer and the outlines of each, in the coordinates of the scene."""
    moved = [
        replace(outline, curves=tuple(curve.moved(to) for curve in outline.curves))
        for outline in layer.outlines
    ]
    groups: dict[int, list[Outline]] = {}
    for i, outline in enumerate(moved):
        groups.setdefault(-1 - i if outline.group is None else outline.group, []).append(outline)
    areas = [areas_of(group)[1][0] for group in groups.values()]
    return areas, list(groups.values())


def _pieces(
    drawn: Sequence[tuple[tuple[list[shapely.Geometry], list[list[Outline]]], Role]],
    used: Sequence[tuple[Layer, Role]],
    size: float,
) -> tuple[list[Piece], dict[int, str]]:
    """What becomes obstacles and materials, and what each layer is called in the scene."""
    pieces: list[Piece] = []
    names: dict[int, str] = {}
    for number, ((areas, groups), role) in enumerate(drawn):
        names[number] = _usable(used[number][0].name, set(names.values()))
        if role.becomes == DOMAIN:
            continue
        rank = number + (_CUT if role.becomes == OBSTACLE else 0)
        for area, group in zip(areas, groups, strict=True):
            pieces.append(Piece(rank, area, _as_drawn(group, size)))
    return pieces, names


#: An outline of more straight edges may have arcs in them.
_MANY = 8


def _as_drawn(group: Sequence[Outline], size: float) -> Shape | None:
    """The shape of a single simple outline; None of others."""
    if len(group) > 1:
        return None
    outline = group[0]
    shape = shape_of(outline, Affine(), size)
    if isinstance(shape, Polygon) and (
        (len(shape.vertices) >= _MANY and not any(shape.bulges)) or not is_simple(shape)
    ):
        return None
    return shape


def _usable(name: str, taken: set[str]) -> str:
    """A name of items, without what they cannot have in it."""
    plain = "".join(c if c.isprintable() and c not in '".' else " " for c in name)
    plain = " ".join(plain.split())[: LONGEST_NAME - 8] or "layer"
    if plain in ("domain", "background"):
        plain += " layer"
    while plain in taken:
        plain += "'"
    return plain


def _domain(
    drawn: Sequence[tuple[tuple[list[shapely.Geometry], list[list[Outline]]], Role]],
    bounds: Sequence[float],
    wishes: Wishes,
    kinds: Mapping[str, type[Wall]],
) -> tuple[Shape, shapely.Geometry, list[Wall]]:
    """Its outline and area, and its walls."""
    own = [((areas, groups), role) for (areas, groups), role in drawn if role.becomes == DOMAIN]
    if own and wishes.box is not None:
        raise GeometryError(
            "a box and a layer are both to be the domain", remedy="Leave one of them out."
        )
    if own:
        areas = [area for (of, _), _ in own for area in of]
        groups = [group for (_, of), _ in own for group in of]
        whole = shapely.union_all(areas)
        if not isinstance(whole, shapely.Polygon) or whole.interiors:
            raise GeometryError(
                "the layer of the domain is not a single area without holes",
                remedy="Draw one outline there, and holes in it on a layer of obstacles.",
            )
        size = max(bounds[2] - bounds[0], bounds[3] - bounds[1])
        shape = _as_drawn(groups[0], size) if len(areas) == 1 else None
        if shape is None:
            shape = without_overlaps([Piece(0, whole)], _GRID * size)[0][1]
        kind = own[0][1].wall
        return shape, whole, [kinds[kind](("domain",))] if kind else []
    x0, y0, x1, y1 = bounds
    if wishes.box is not None:
        x0, y0, x1, y1 = wishes.box
    else:
        gap = _MARGIN * max(x1 - x0, y1 - y0) if wishes.margin is None else wishes.margin
        x0, y0, x1, y1 = (_rounded(v, max(x1 - x0, y1 - y0)) for v in
                          (x0 - gap, y0 - gap, x1 + gap, y1 + gap))  # fmt: skip
    if not (x1 > x0 and y1 > y0):
        raise GeometryError(
            f"the box from ({x0:g}, {y0:g}) to ({x1:g}, {y1:g}) has no area",
            remedy="Name its lower left corner first.",
        )
    return Rectangle((x0, y0), (x1, y1)), shapely.box(x0, y0, x1, y1), [kinds["open"](("domain",))]


def _rounded(value: float, size: float) -> float:
    return round(value, 4 - math.floor(math.log10(size))) + 0.0


def _wider(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float, float]:
    """A box around two, with some room."""
    x0, y0 = min(one[0], other[0]), min(one[1], other[1])
    x1, y1 = max(one[2], other[2]), max(one[3], other[3])
    gap = max(x1 - x0, y1 - y0)
    return x0 - gap, y0 - gap, x1 + gap, y1 + gap


def _described(path: Path, used: Sequence[tuple[Layer, Role]]) -> str:
    became = ", ".join(
        f"{layer.name} {_of(role.medium) if role.medium else role.becomes}" for layer, role in used
    )
    return f"Drawn in {path.name}: {became}."


def _of(medium: Medium) -> str:
    epsilon = getattr(medium, "epsilon", None)
    return f"epsilon {epsilon:g}" if isinstance(epsilon, float) and epsilon != 1 else MATERIAL


def _two(value: float) -> float:
    return float(f"{value:.1e}")
