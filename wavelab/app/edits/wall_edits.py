"""Edits of walls, edge by edge, and of waves that come in through them, as pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.edits.edits import Edit, free_name, with_items
from wavelab.errors import SceneError
from wavelab.scene.edges.edge_lines import EdgeLines, entrance, lines_of
from wavelab.scene.edges.guide import check_straight
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.model.scene import Scene, Source, Wall
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.walls import AbsorbingWall, PeriodicWall
from wavelab.scene.walls.wall_edges import check_walls, covers, wall_shapes


def set_wall(scene: Scene, edge: str, wall: Wall) -> Edit:
    """``edge`` gets the kind and the numbers of ``wall``, the other edges keep theirs.

    Raises
    ------
    ItemError : the edge cannot have this kind of wall.
    """
    if not wall.matched:
        _check_entered(scene, edge)
    walls, freed = _without(scene.walls, (edge,))
    new = replace(wall, edges=(edge,))
    if not alike(wall_at(edge, replace(scene, walls=walls)), new):
        walls = _with(walls, new)
    return _edit(f"Wall {edge}", scene, walls, freed)


def set_walls(scene: Scene, edges: Sequence[str], wall: Wall) -> Edit:
    """As :func:`set_wall`, for several edges; all of a shape are named by the shape alone.

    Raises
    ------
    ItemError : one of them cannot have this kind of wall.
    """
    if len(edges) == 1:
        return set_wall(scene, edges[0], wall)
    left = tuple(edges)
    notes: list[str] = []
    owners: list[str] = []
    for owner, shape in wall_shapes(scene).items():
        own = {f"{owner}.{name}" for name in shape.edge_names()}
        if own <= set(left):
            owners.append(owner)
            left = tuple(edge for edge in left if edge not in own)
            if not wall.matched:
                for edge in own:
                    _check_entered(scene, edge)
            walls, freed = _without(scene.walls, (owner, *own))
            new = replace(wall, edges=(owner,))
            if not alike(wall_at(owner, replace(scene, walls=walls)), new):
                walls = (*walls, new)
            edit = _edit("", scene, walls, tuple(other for other in freed if other not in own))
            scene, notes = edit.scene, [*notes, *edit.notes]
    for edge in left:
        edit = set_wall(scene, edge, wall)
        scene, notes = edit.scene, [*notes, *edit.notes]
    named = ", ".join((*owners, *left))
    label = f"Wall {named}" if len(named) < 40 else f"Walls of {len(edges)} edges"
    return Edit(label, scene, tuple(notes), merge=True)


def glue(scene: Scene, edge: str, partner: str) -> Edit:
    """What leaves through one of two edges comes in through the other.

    Raises
    ------
    ItemError : they do not fit.
    """
    for entered in (edge, partner):
        _check_entered(scene, entered)
    walls, freed = _without(scene.walls, (edge, partner))
    freed = tuple(other for other in freed if other not in (edge, partner))
    pair = PeriodicWall((edge, partner))
    return _edit(f"Glue {edge} to {partner}", scene, (*walls, pair), freed)


def send_in(scene: Scene, edges: Sequence[str], make: Callable[[str], Source]) -> Edit:
    """A new wave through edges, which are absorbing from now on; ``make`` gives it its name.

    Raises
    ------
    ItemError : it cannot come in there.
    """
    sources = (*scene.sources, make(free_name("source", scene.sources)))
    return _through(scene, "Send a wave in", sources, edges)


def toggle_edge(scene: Scene, name: str, edge: str) -> Edit:
    """A plane wave comes through one more edge, or through one less.

    Raises
    ------
    ItemError : it has no other edge.
    """
    changed = []
    for source in scene.sources:
        if source.name == name and source.collects:
            own = source.entrances
            kept = tuple(other for other in own if other != edge)
            source = source.through((*own, edge) if kept == own else kept)
        changed.append(source)
    return _through(scene, f"Edges of {name}", tuple(changed), (edge,))


def carry_to(scene: Scene, name: str, edge: str, edges: EdgeLines) -> Edit:
    """A wave comes through another edge, at the same angle to it as to the one before.

    Parameters
    ----------
    edges : the lines of the scene's edges.

    Raises
    ------
    ItemError : it cannot come in there.
    """

    def carried(source: Source) -> Source:
        first, *rest = source.entrances
        before, after = (entrance(lines_of(name, edges)) for name in (first, edge))
        turn = None
        if before is not None and after is not None:
            turn = after.direction - before.direction
        return source.through((edge, *(own for own in rest if own != edge)), turn)

    sources = tuple(carried(s) if s.name == name else s for s in scene.sources)
    return _through(scene, "Move source", sources, (edge,))


def _through(scene: Scene, label: str, sources: tuple[Source, ...], edges: Sequence[str]) -> Edit:
    notes: list[str] = []
    walled = scene
    for edge in edges:
        check_straight(scene, edge)
        wall = wall_at(edge, walled)
        if not wall.matched:
            edit = set_wall(walled, edge, AbsorbingWall(()))
            walled = edit.scene
            notes += (f"{edge} is absorbing now, it was {wall.noun}", *edit.notes)
    return Edit(label, check_scene(with_items(walled, "sources", sources)), tuple(notes))


def _check_entered(scene: Scene, edge: str) -> None:
    for source in scene.sources:
        if any(covers(name, edge) for name in source.entrances):
            raise SceneError(
                f"{source.name} comes in through {edge}, which has to absorb",
                remedy="Take the wave away first: with the source tool (S), point at it, Del.",
            )


def alike(one: Wall, other: Wall) -> bool:
    """Whether two walls differ by their edges alone."""
    return replace(one, edges=other.edges) == other


def _edit(label: str, scene: Scene, walls: tuple[Wall, ...], freed: tuple[str, ...]) -> Edit:
    # Behind other walls there is another field than the exact one.
    changed = replace(scene, walls=walls, exact=None)
    check_walls(changed)
    notes = tuple(
        f"{other} has lost its pair and is {wall_at(other, changed).noun} now" for other in freed
    )
    # Kinds tried one after the other at one edge are one step of the history.
    return Edit(label, changed, notes, merge=True)


def _without(
    walls: Sequence[Wall], edges: tuple[str, ...]
) -> tuple[tuple[Wall, ...], tuple[str, ...]]:
    """Walls that do not name these edges, and the partners that this leaves alone."""
    kept: list[Wall] = []
    freed: list[str] = []
    for wall in walls:
        left = tuple(edge for edge in wall.edges if edge not in edges)
        if (survivor := wall.at(left)) is not None:
            kept.append(survivor)
        else:
            freed += left
    return tuple(kept), tuple(freed)


def _with(walls: tuple[Wall, ...], new: Wall) -> tuple[Wall, ...]:
    """Where nothing overrides it, the edge joins a wall of the same kind: an PML turns the
    corner then."""
    (edge,) = new.edges
    for i, wall in enumerate(walls):
        later = (name for other in walls[i + 1 :] for name in other.edges)
        if alike(wall, new) and not any(covers(name, edge) for name in later):
            return (*walls[:i], replace(wall, edges=(*wall.edges, edge)), *walls[i + 1 :])
    return (*walls, new)
