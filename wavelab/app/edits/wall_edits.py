"""Edits of walls, edge by edge, as pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wavelab.app.edits.edits import Edit
from wavelab.errors import SceneError
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.walls import PeriodicWall
from wavelab.scene.walls.wall_edges import check_walls, covers, wall_at


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
    if not alike(wall_at(edge, walls), new):
        walls = _with(walls, new)
    return _edit(f"Wall {edge}", scene, walls, freed)


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


def _check_entered(scene: Scene, edge: str) -> None:
    for source in scene.sources:
        if any(covers(name, edge) for name in source.entrances):
            raise SceneError(
                f"{source.name} comes in through {edge}, which has to absorb",
                remedy="Take the wave away first: with the source tool (S), click its arrow.",
            )


def alike(one: Wall, other: Wall) -> bool:
    """Whether two walls differ by their edges alone."""
    return replace(one, edges=other.edges) == other


def _edit(label: str, scene: Scene, walls: tuple[Wall, ...], freed: tuple[str, ...]) -> Edit:
    # Behind other walls there is another field than the exact one.
    changed = replace(scene, walls=walls, exact=None)
    check_walls(changed)
    notes = tuple(
        f"{other} has lost its pair and is {wall_at(other, walls).noun} now" for other in freed
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
    """Where nothing overrides it, the edge joins a wall of the same kind: an open layer turns the
    corner then."""
    (edge,) = new.edges
    for i, wall in enumerate(walls):
        later = (name for other in walls[i + 1 :] for name in other.edges)
        if alike(wall, new) and not any(covers(name, edge) for name in later):
            return (*walls[:i], replace(wall, edges=(*wall.edges, edge)), *walls[i + 1 :])
    return (*walls, new)
