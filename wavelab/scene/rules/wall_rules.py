"""Rules for walls: the edges exist, each is named once, and periodic pairs fit together."""

from __future__ import annotations

from wavelab.scene.edges.pml_walls import check_pml_wall
from wavelab.scene.edges.wall_edges import length, same_length, straight_edge, wall_shapes
from wavelab.scene.model.item_error import ItemPath, require, require_one_of, suggestion
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.model.shapes import Shape

WALL_KINDS = ("conductor", "magnetic", "absorbing", "open", "impedance", "periodic")


def check_walls(scene: Scene) -> None:
    """Check all walls of a scene; the edges only if they are drawn in it.

    Raises
    ------
    ItemError : names the wall and what would be right.
    """
    shapes = wall_shapes(scene)
    named: set[str] = set()
    for i, wall in enumerate(scene.walls):
        item, what = ("walls", i), f"wall {i + 1}"
        require_one_of(wall.kind, WALL_KINDS, (*item, "kind"), f"kind of {what}")
        _check_impedance(wall, (*item, "impedance"), what)
        require(bool(wall.edges), (*item, "edges"), f"{what} has no edges", 'Try ["domain"].')
        for edge in wall.edges:
            if shapes:
                _check_edge(edge, shapes, (*item, "edges"), what)
            require(
                edge not in named,
                (*item, "edges"),
                f'{what} names the edge "{edge}", which was named before',
                "Name each edge once; a later wall overrides a larger edge of an earlier one.",
            )
            named.add(edge)
        check_pml_wall(wall, scene, item, what)
        if wall.kind == "periodic":
            _check_pair(wall, shapes, (*item, "edges"), what)


def _check_impedance(wall: Wall, item: ItemPath, what: str) -> None:
    if wall.kind != "impedance":
        require(
            wall.impedance is None,
            item,
            f"{what} has an impedance, but its kind is {wall.kind}",
            'Set kind = "impedance", or leave the impedance out.',
        )
        return
    require(
        wall.impedance is not None,
        item,
        f"{what} has no impedance",
        "Give the surface impedance relative to vacuum, for example impedance = 0.5.",
    )
    require(
        wall.impedance is None or wall.impedance >= 0,
        item,
        f"impedance of {what} is {wall.impedance}",
        "It must not be negative; 0 is a conductor, 1 absorbs a wave that comes straight at it.",
    )


def _check_edge(edge: str, shapes: dict[str, Shape], item: ItemPath, what: str) -> None:
    owner, dot, name = edge.partition(".")
    if owner in shapes and (not dot or name in shapes[owner].edge_names()):
        return
    known = [*shapes] if owner not in shapes else []
    for shape_name in (owner,) if owner in shapes else shapes:
        known.extend(f"{shape_name}.{e}" for e in shapes[shape_name].edge_names())
    listed = known if len(known) <= 12 else [*known[:11], "..."]
    close = suggestion(edge, known, "Known edges").split("Known edges")[0]
    require(
        False,
        item,
        f'{what} names the edge "{edge}", which does not exist',
        f"{close}Known edges: {', '.join(listed)}.",
    )


def _check_pair(wall: Wall, shapes: dict[str, Shape], item: ItemPath, what: str) -> None:
    require(
        len(wall.edges) == 2,
        item,
        f"{what} is periodic and has {len(wall.edges)} edge{'s' if len(wall.edges) > 1 else ''}",
        'A periodic wall glues exactly 2 edges together: ["domain.left", "domain.right"].',
    )
    if not shapes:
        return
    first, second = (straight_edge(edge, shapes) for edge in wall.edges)
    for edge, ends in zip(wall.edges, (first, second), strict=True):
        require(
            ends is not None,
            item,
            f'{what} is periodic, but "{edge}" is not one straight edge',
            'Name one side, such as "domain.left".',
        )
    if first is None or second is None:
        return
    # Any two straight edges of one length are the same, moved and turned.
    lengths = [length(ends) for ends in (first, second)]
    require(
        same_length(*lengths),
        item,
        f'{what} is periodic, but "{wall.edges[0]}" is {lengths[0]:.9g} long and '
        f'"{wall.edges[1]}" {lengths[1]:.9g}',
        "Glue edges of the same length; they may lie anywhere and in any direction.",
    )
