"""Rules for walls: the edges exist, each is named once, and what each kind asks for."""

from __future__ import annotations

from wavelab.scene.model.item_error import ItemPath, require, suggestion
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape
from wavelab.scene.walls.wall_edges import wall_shapes


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
        wall.check(scene, item, what)


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
