"""The edges of a scene by name: which others each could be glued to, and the rules for what walls
name: the edges exist, and each is named once."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require, suggestion
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape

#: Of the lengths of two edges that are glued together.
LENGTH_TOLERANCE = 1e-9


def wall_shapes(scene: Scene) -> dict[str, Shape]:
    """By name, the shapes whose edges are walls; none where the domain is a mesh file."""
    if scene.outline is None:
        return {}
    return {"domain": scene.outline, **{hole.name: hole.shape for hole in scene.holes}}


def edge_names(scene: Scene) -> tuple[str, ...]:
    """ "domain.left" and so on, those of the domain first."""
    return tuple(
        f"{owner}.{edge}"
        for owner, shape in wall_shapes(scene).items()
        for edge in shape.edge_names()
    )


def covers(name: str, edge: str) -> bool:
    """Whether ``name`` means ``edge``, or all of the shape that it belongs to."""
    return edge == name or edge.startswith(name + ".")


def straight_edge(edge: str, shapes: dict[str, Shape]) -> Array | None:
    """(2, 2) end points of a straight edge, the domain on its left; None for anything else."""
    owner, _, name = edge.partition(".")
    rings = shapes[owner].rings(element_size=np.inf)
    found = [(ring, names.index(name)) for ring, names in rings if name in names]
    several = sum(names.count(name) for _, names in rings) != 1
    if several or name in shapes[owner].arcs():
        return None
    ring, i = found[0]
    ends = np.array([ring[i], ring[(i + 1) % len(ring)]])
    return ends if owner == "domain" else ends[::-1]


def length(ends: Array) -> float:
    """Of a straight edge."""
    return float(np.linalg.norm(ends[1] - ends[0]))


def same_length(one: float, other: float) -> bool:
    """Whether edges of these lengths can be glued: within ``LENGTH_TOLERANCE``, relatively."""
    return abs(one - other) <= LENGTH_TOLERANCE * max(one, other)


def partners(scene: Scene, edge: str) -> dict[str, str]:
    """Every other edge of a drawn scene, and why it cannot be glued to ``edge``; "" if it can."""
    shapes = wall_shapes(scene)
    own = straight_edge(edge, shapes)
    found = {}
    for other in edge_names(scene):
        if other == edge:
            continue
        ends = straight_edge(other, shapes)
        if own is None:
            found[other] = f"{edge} is not straight"
        elif ends is None:
            found[other] = f"{other} is not straight"
        elif not same_length(length(own), length(ends)):
            found[other] = f"{other} is {length(ends):.4g} long, {edge} {length(own):.4g}"
        else:
            found[other] = ""
    return found


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
