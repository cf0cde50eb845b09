"""Rules for shapes: they have an area, and coordinates that leave digits for it."""

from __future__ import annotations

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes import LARGEST_ELONGATION, Ellipse, Polygon, Rectangle, Shape

#: Coordinates beyond this leave no digits for the shape itself.
LARGEST_COORDINATE = 1e12
#: Squares of shorter lengths, and what is divided by them, leave double precision.
SMALLEST_LENGTH = 1e-100
#: Arcs between nearly straight ones and nearly full circles.
SMALLEST_BULGE, LARGEST_BULGE = 1e-3, 10.0


def check_length(length: float, item: ItemPath, what: str) -> None:
    """Check a length that is computed with.

    Raises
    ------
    ItemError : names the length and what would be right.
    """
    require(length > 0, item, f"{what} is {length:g}", "It must be greater than 0.")
    require(
        SMALLEST_LENGTH <= length <= LARGEST_COORDINATE,
        item,
        f"{what} is {length:g}",
        f"Lengths go from {SMALLEST_LENGTH:g} to {LARGEST_COORDINATE:g}; choose another unit of "
        "length.",
    )


def check_shape(shape: Shape, item: ItemPath, what: str) -> None:
    """Check one shape of a scene.

    Raises
    ------
    ItemError : names the shape and what would be right.
    """
    match shape:
        case Polygon():
            _check_polygon(shape, item, what)
        case Rectangle():
            _check_rectangle(shape, item, what)
        case Ellipse():
            _check_ellipse(shape, item, what)
    largest = max(abs(c) for corner in shape.bounds() for c in corner)
    require(
        largest <= LARGEST_COORDINATE,
        item,
        f"{what} reaches to the coordinate {largest:g}",
        f"Coordinates go up to {LARGEST_COORDINATE:g}; choose a larger unit of length.",
    )


def _check_polygon(shape: Polygon, item: ItemPath, what: str) -> None:
    distinct = len(set(shape.vertices))
    require(
        not shape.bulges or len(shape.bulges) == len(shape.vertices),
        (*item, "bulges"),
        f"{what} has {len(shape.bulges)} bulges and {len(shape.vertices)} vertices",
        "Give one bulge for each edge, 0 for a straight one.",
    )
    for i, bulge in enumerate(shape.bulges):
        require(
            bulge == 0 or SMALLEST_BULGE <= abs(bulge) <= LARGEST_BULGE,
            (*item, "bulges", i),
            f"bulge {i} of {what} is {bulge:g}",
            "It is the tangent of a quarter of the arc's angle: 0 for a straight edge, "
            f"otherwise {SMALLEST_BULGE:g} to {LARGEST_BULGE:g} or the negative of that.",
        )
        require(
            bulge == 0 or shape.vertices[i] != shape.vertices[i + 1 - len(shape.vertices)],
            (*item, "bulges", i),
            f"edge {i} of {what} is an arc that ends where it begins",
            "Make a full circle an ellipse, or of two arcs.",
        )
    require(
        distinct >= (2 if any(shape.bulges) else 3),
        (*item, "vertices"),
        f"{what} has {distinct} different {'vertex' if distinct == 1 else 'vertices'}",
        "A polygon needs at least 3 different vertices, or 2 with a bulge at an edge.",
    )


def _check_rectangle(shape: Rectangle, item: ItemPath, what: str) -> None:
    (x0, y0), (x1, y1) = shape.lower, shape.upper
    require(
        x0 < x1 and y0 < y1,
        (*item, "upper"),
        f"{what} has its upper corner at ({x1:g}, {y1:g}) and its lower corner at ({x0:g}, {y0:g})",
        "The upper corner must lie to the right of and above the lower one.",
    )


def _check_ellipse(shape: Ellipse, item: ItemPath, what: str) -> None:
    require(
        min(shape.radii) > 0,
        (*item, "radii"),
        f"{what} has the radii {shape.radii[0]:g} and {shape.radii[1]:g}",
        "Both must be greater than 0.",
    )
    for radius in shape.radii:
        check_length(radius, (*item, "radii"), f"a radius of {what}")
    ratio = max(shape.radii) / min(shape.radii)
    require(
        ratio <= LARGEST_ELONGATION,
        (*item, "radii"),
        f"{what} has the radii {shape.radii[0]:g} and {shape.radii[1]:g}: a needle, "
        f"{ratio:.4g} times as long as wide",
        f"One radius can be {LARGEST_ELONGATION:g} times the other at most; widen it, or leave it "
        "out.",
    )
