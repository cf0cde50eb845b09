"""Open walls: edges that let waves out, through a layer of the domain along them that absorbs."""

from __future__ import annotations

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, Shape

#: A layer whose thickness nobody chose has this many elements across ...
DEFAULT_ELEMENTS = 8
#: ... but takes at most this part of the smaller extent of the domain.
LARGEST_PART = 0.2


def default_thickness(outline: Shape, element_size: float) -> float:
    """Of a layer in a domain of this shape."""
    (x0, y0), (x1, y1) = outline.bounds()
    largest = LARGEST_PART * min(x1 - x0, y1 - y0)
    if isinstance(outline, Ellipse):
        largest = min(largest, _sharpest(outline) / 2)
    return min(DEFAULT_ELEMENTS * element_size, largest)


def thickness(wall: Wall, scene: Scene) -> float | None:
    """Of the layer of an open wall; None where only the mesh file says."""
    if wall.thickness is not None or scene.outline is None:
        return wall.thickness
    return default_thickness(scene.outline, scene.solver.element_size)


def check_pml_wall(wall: Wall, scene: Scene, item: ItemPath, what: str) -> None:
    """Check what can be judged without a mesh.

    Raises
    ------
    ItemError : names the wall and what would be right.
    """
    key = (*item, "thickness")
    if wall.kind != "open":
        require(
            wall.thickness is None,
            key,
            f"{what} has a thickness, but its kind is {wall.kind}",
            'Set kind = "open", or leave the thickness out.',
        )
        return
    holes = {hole.name for hole in scene.holes}
    for edge in wall.edges:
        require(
            edge.partition(".")[0] not in holes,
            (*item, "edges"),
            f'{what} is open, but "{edge}" belongs to a hole',
            'Only the outer edge can be open; use kind = "absorbing" for a hole.',
        )
        # Of a polygon; an ellipse has layers of its own.
        arcs = scene.outline.arcs() if isinstance(scene.outline, Polygon) else {}
        bent = [f"domain.{name}" for name in arcs if edge in ("domain", f"domain.{name}")]
        require(
            not bent,
            (*item, "edges"),
            f'{what} is open, but "{"".join(bent[:1])}" is an arc',
            'A layer follows straight edges and whole ellipses; use kind = "absorbing" there.',
        )
    if wall.thickness is None:
        return
    require(
        wall.thickness > 0,
        key,
        f"thickness of {what} is {wall.thickness:g}",
        "It must be greater than 0; leave it out for one that suits the elements.",
    )
    outline = scene.outline
    if isinstance(outline, Rectangle):
        _check_rectangle(wall, scene, outline, key, what)
    elif isinstance(outline, Ellipse):
        largest = _sharpest(outline)
        require(
            wall.thickness < largest,
            key,
            f"{what} is {wall.thickness:g} thick, but the rim is too curved for that",
            f"It must be less than {largest:g}, the smallest radius of curvature.",
        )


def _check_rectangle(
    wall: Wall, scene: Scene, outline: Rectangle, key: ItemPath, what: str
) -> None:
    (x0, y0), (x1, y1) = outline.bounds()
    assert wall.thickness is not None
    # A later wall overrides a side of an earlier one that names the whole edge.
    later = {edge for other in scene.walls if other is not wall for edge in other.edges}
    own = {*wall.edges}
    if "domain" in own:
        own |= {f"domain.{side}" for side in outline.edge_names()} - later
    for sides, extent in ((("left", "right"), x1 - x0), (("bottom", "top"), y1 - y0)):
        count = sum(f"domain.{side}" in own for side in sides)
        require(
            count * wall.thickness < extent,
            key,
            f"{what} is {wall.thickness:g} thick, and the domain {extent:g} wide",
            f"It must be less than {extent / max(count, 1):g}; a fifth of the domain or less is "
            "usual.",
        )


def _sharpest(ellipse: Ellipse) -> float:
    """Smallest radius of curvature of the rim."""
    a, b = max(ellipse.radii), min(ellipse.radii)
    return b * b / a
