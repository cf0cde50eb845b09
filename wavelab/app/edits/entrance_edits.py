"""Edits of waves that come in through walls, as pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.edits.edits import Edit
from wavelab.app.edits.wall_edits import set_wall
from wavelab.scene.edges.edge_lines import EdgeLines, entrance, lines_of
from wavelab.scene.edges.guide import check_straight
from wavelab.scene.edges.wall_edges import wall_kind
from wavelab.scene.model.scene import Scene, Source, Wall
from wavelab.scene.rules.validate import check_scene

#: Kinds of wall that become absorbing, in words.
_WERE = {
    "conductor": "a conductor",
    "magnetic": "a magnetic wall",
    "open": "open",
    "impedance": "an impedance",
    "periodic": "glued to another",
}


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
        kind = wall_kind(edge, walled.walls)
        if kind != "absorbing":
            edit = set_wall(walled, edge, Wall((), "absorbing"))
            walled = edit.scene
            notes += (f"{edge} is absorbing now, it was {_WERE[kind]}", *edit.notes)
    changed = replace(walled, sources=sources, exact=None)
    return Edit(label, check_scene(changed), tuple(notes))
