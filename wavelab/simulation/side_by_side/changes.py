"""What another run of a scene has otherwise: values of the scene, its outer walls, or a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, replace

from wavelab.errors import WavelabError
from wavelab.scene.editing.settings import Setting, with_settings
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import system_of
from wavelab.scene.walls.wall_edges import covers

#: Names of their own beside those of ``--set``; a parameter of the scene goes before them.
SHORT = {"order": "solver.order", "upwinding": "solver.upwinding", "h": "solver.element_size"}
OUTER_WALLS, GRID = "walls", "grid"
#: In place of a size: the grid has about as many unknowns as the elements; points per wavelength.
EQUAL, POINTS = "equal", "points"


@dataclass(frozen=True)
class GridSize:
    """How fine a grid of finite differences is.

    Attributes
    ----------
    cell : size of its cells; None where it follows from the rest.
    points : cells per wavelength, at the highest frequency that is known of the scene; None for as
        many unknowns as the elements have.
    """

    cell: float | None = None
    points: float | None = None


@dataclass(frozen=True)
class Other:
    """The other run.

    Attributes
    ----------
    scene : what it runs.
    grid : of finite differences, which it runs on; None for elements.
    name : what differs: "order=6".
    """

    scene: Scene
    grid: GridSize | None
    name: str


def other_run(scene: Scene, changes: Sequence[Setting]) -> Other:
    """The scene with all of the changes.

    Parameters
    ----------
    changes : names and values as for ``--set``; and "order", "upwinding" and "h" of the solver,
        "walls" with the kind of all outer walls, "grid" with a cell size, "equal" or
        "points:NUMBER" of a wavelength.

    Raises
    ------
    WavelabError : there is nothing of that name, or it cannot have that value.
    """
    if not changes:
        raise WavelabError(
            "nothing says in what the other run differs",
            remedy="Give --with order=6, upwinding=0, h=0.05, walls=absorbing, grid=equal or "
            "NAME=VALUE as for --set.",
        )
    parameters = {p.name for p in scene.parameters}
    grid: GridSize | None = None
    values: list[Setting] = []
    kind: str | None = None
    for name, text in changes:
        if name in parameters:
            values.append((name, text))
        elif name == GRID:
            grid = grid_size(text)
        elif name == OUTER_WALLS:
            kind = text
        else:
            values.append((SHORT.get(name, name), text))
    other = with_settings(scene, values)
    if kind is not None:
        other = with_outer_walls(other, kind)
    return Other(other, grid, ", ".join(f"{name}={text}" for name, text in changes))


def grid_size(text: str) -> GridSize:
    """What "equal", "0.02" or "points:20" says.

    Raises
    ------
    WavelabError : it says none.
    """
    if text == EQUAL:
        return GridSize()
    head, colon, rest = text.partition(":")
    try:
        value = float(rest if colon else head)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf") or (colon and head != POINTS):
        raise WavelabError(
            f"a grid cannot be {text!r}",
            remedy='Give the size of its cells, "points:20" for 20 cells in a wavelength, or '
            '"equal" for as many unknowns as the elements have.',
        )
    return GridSize(points=value) if colon else GridSize(cell=value)


def outer_kinds(scene: Scene) -> dict[str, type[Wall]]:
    """Kinds of walls that stand for themselves, whatever edge they are at."""
    return {name: kind for name, kind in system_of(scene).walls.items() if not kind.glues}


def with_outer_walls(scene: Scene, kind: str) -> Scene:
    """All edges of the domain become walls of a kind; those of obstacles stay as they are.

    Of a scene with a mesh file, where nothing says which edges are outer ones, the walls that it
    names.

    Raises
    ------
    SceneError : there is no such kind, or an edge cannot have it.
    """
    kinds = outer_kinds(scene)
    if kind not in kinds:
        raise WavelabError(
            f"there are no walls of the kind {kind!r}",
            where=scene.where,
            remedy=suggestion(kind, kinds, "There are"),
        )
    edges: tuple[str, ...] = ("domain",)
    kept = tuple(_inner(scene.walls))
    if scene.outline is None:
        edges, kept = tuple(edge for wall in scene.walls for edge in wall.edges), ()
        if not edges:
            raise WavelabError(
                "the scene names no walls of its mesh file",
                where=scene.where,
                remedy="Add a [[walls]] table with the names of the outer edges.",
            )
    chosen = kinds[kind]
    starts = {
        f.name: f.metadata.get("start", 1.0) for f in chosen.numbers() if f.default is MISSING
    }
    return check_scene(replace(scene, walls=(chosen(edges, **starts), *kept)))


def _inner(walls: Iterable[Wall]) -> Iterable[Wall]:
    for wall in walls:
        rest = wall.at(tuple(edge for edge in wall.edges if not covers("domain", edge)))
        if rest is not None:
            yield rest
