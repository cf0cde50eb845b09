"""Edits of waves that come in through walls, as pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.edits.edits import Edit
from wavelab.app.edits.wall_edits import set_wall
from wavelab.scene.edges.edge_lines import EdgeLines, entrance, lines_of
from wavelab.scene.edges.guide import check_straight
from wavelab.scene.model.scene import Scene, Source
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.walls.wall_edges import wall_at


def send_in(scene: Scene, edges: Sequence[str], make: Callable[[str], Source]) -> Edit:
    """A new wave through edges, which are absorbing from now on; ``make`` gives it its name.

    Raises
    ------
    ItemError : it cannot come in there.
    """
    taken = {source.name for source in scene.sources}
    name = next(n for i in range(1, len(taken) + 2) if (n := f"source {i}") not in taken)
    return _with(scene, "Send a wave in", (*scene.sources, make(name)), edges)


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
    return _with(scene, f"Edges of {name}", tuple(changed), (edge,))


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
    return _with(scene, "Move source", sources, (edge,))


def _with(scene: Scene, label: str, sources: tuple[Source, ...], edges: Sequence[str]) -> Edit:
    notes: list[str] = []
    walled = scene
    for edge in edges:
        check_straight(scene, edge)
        wall = wall_at(edge, walled.walls)
        if not wall.matched:
            edit = set_wall(walled, edge, AbsorbingWall(()))
            walled = edit.scene
            notes += (f"{edge} is absorbing now, it was {wall.noun}", *edit.notes)
    changed = replace(walled, sources=sources, exact=None)
    return Edit(label, check_scene(changed), tuple(notes))
