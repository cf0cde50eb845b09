"""What every shape knows of itself."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
import shapely

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.limits import LARGEST_COORDINATE
from wavelab.scene.model.shapes.arcs import Arc, Point

#: Degrees by which an arc between two vertices of a mesh may turn.
MOST_TURN = 30.0
#: Degrees by which a line of a drawing may turn at a vertex of an arc: it looks smooth.
SMOOTH_TURN = 1.0

#: Points (n, 2), counterclockwise, and the name of the edge that each of the n segments belongs to.
Ring = tuple[Array, tuple[str, ...]]


@dataclass(frozen=True)
class Shape(ABC):
    """One kind of shape: a frozen dataclass of points and numbers.

    Attributes
    ----------
    solid : whether it has one outline; what has not can be no domain and no contour.
    """

    solid: ClassVar[bool] = True

    @abstractmethod
    def outline(self, element_size: float, most_turn: float = MOST_TURN) -> Ring:
        """Ring of points (n, 2), counterclockwise, first not repeated, and n edge names.

        Segment i runs from point i to point i + 1.  Straight edges come as one segment each
        (the mesher splits them); curved ones in chords of about ``element_size``, none of which
        turns by more than ``most_turn`` degrees.  Of what has several parts it is the frame round
        them.
        """

    def rings(self, element_size: float, most_turn: float = MOST_TURN) -> tuple[Ring, ...]:
        """The outline of each of its parts."""
        return (self.outline(element_size, most_turn),)

    def parts(self) -> tuple[Shape, ...]:
        """Shapes that are not repeated and make it up: its copies, or itself."""
        return (self,)

    def single(self) -> Shape:
        """The shape that is repeated, or itself."""
        return self

    def first(self) -> Shape:
        """The part by which it is taken."""
        return self.parts()[0]

    def with_first(self, shape: Shape) -> Shape:
        """The same with another shape where its first part is; all others are copies of that."""
        return shape

    def arcs(self) -> dict[str, Arc]:
        """Edges that are not straight, and the ellipse that each is a part of."""
        return {}

    @abstractmethod
    def bounds(self) -> tuple[Point, Point]:
        """Lower left and upper right corner of the bounding box."""

    @abstractmethod
    def edge_names(self) -> tuple[str, ...]:
        """Names of the edges, in order, each once."""

    @abstractmethod
    def shifted(self, by: Point) -> Self:
        """The same shape elsewhere."""

    def corners(self) -> tuple[Point, ...]:
        """Its vertices, in the order of the edges that begin there; none if it is round."""
        return ()

    def attracting(self) -> tuple[Point, ...]:
        """Its corners, to which what is drawn and measured goes."""
        return self.corners()

    def with_corner(self, number: int, to: Point) -> tuple[Shape, str]:
        """The same with one of its corners elsewhere."""
        raise NotImplementedError

    def knobs(self) -> tuple[Point, ...]:
        """Points of its rim by which it is resized."""
        return ()

    def with_knob(self, number: int, to: Point, even: bool) -> tuple[Shape, str]:
        """The same resized by one of its knobs; ``even``: as a circle."""
        raise NotImplementedError

    def knob_meanings(self) -> tuple[str, ...]:
        """What dragging each of its knobs does."""
        return ("Drag to change this radius; Shift: a circle",) * len(self.knobs())

    def middle(self) -> Point:
        """The point by which it is moved."""
        center = shapely.Polygon(smooth_outline(self)[0]).centroid
        return float(center.x), float(center.y)

    @abstractmethod
    def _check(self, item: ItemPath, what: str) -> None:
        """What :meth:`check` checks of this kind alone."""

    def check(self, item: ItemPath, what: str) -> None:
        """Check that it has an area, and coordinates that leave digits for it.

        Raises
        ------
        ItemError : names the shape and what would be right.
        """
        self._check(item, what)
        largest = max(abs(c) for corner in self.bounds() for c in corner)
        require(
            largest <= LARGEST_COORDINATE,
            item,
            f"{what} reaches to the coordinate {largest:g}",
            f"Coordinates go up to {LARGEST_COORDINATE:g}; choose a larger unit of length.",
        )


def smooth_outline(shape: Shape) -> Ring:
    """The outline as it is drawn, whatever the elements are: arcs look round on any screen."""
    return shape.outline(math.inf, SMOOTH_TURN)


def smooth_rings(shape: Shape) -> tuple[Ring, ...]:
    """As :func:`smooth_outline`, of each of its parts."""
    return shape.rings(math.inf, SMOOTH_TURN)


def check_solid(shape: Shape, item: ItemPath, what: str, repeatable: bool = False) -> None:
    """
    Parameters
    ----------
    repeatable : whether it may consist of copies of what has a single outline.

    Raises
    ------
    ItemError : it has several parts, and what it is to be needs a single outline.
    """
    require(
        shape.single().solid,
        item,
        f"{what} has the shape of a screen with slits, which is in several pieces",
        "Such a screen can only be an obstacle, in [[holes]]; take a rectangle or a polygon.",
    )
    require(
        repeatable or shape is shape.single(),
        (*item, "repeat"),
        f"{what} is repeated, but must have a single outline",
        "Obstacles, materials and sources of kind region can be repeated.",
    )


def area_of(shape: Shape) -> shapely.Geometry:
    """What :func:`smooth_rings` enclose, valid even where one crosses itself."""
    return _area_of(shape) if len(shape.parts()) == 1 else _area_of_copies(shape)


@lru_cache(maxsize=1024)
def _area_of(shape: Shape) -> shapely.Geometry:
    parts = [shapely.make_valid(shapely.Polygon(ring)) for ring, _ in smooth_rings(shape)]
    return parts[0] if len(parts) == 1 else shapely.union_all(parts)


# Each may be as large as a thousand others.
@lru_cache(maxsize=8)
def _area_of_copies(shape: Shape) -> shapely.Geometry:
    corners = np.array([part.bounds()[0] for part in shape.parts()])
    areas = np.repeat(_area_of(shape.first()), len(corners))
    points, owner = shapely.get_coordinates(areas, return_index=True)
    areas = shapely.set_coordinates(areas, points + (corners - corners[0])[owner])
    pairs = shapely.STRtree(areas).query(areas, predicate="intersects")
    polygons = shapely.get_type_id(areas[0]) == shapely.GeometryType.POLYGON
    apart = polygons and pairs.shape[1] == len(areas)
    # Where nothing meets, looking takes a small part of the time of a union.
    return shapely.multipolygons(areas) if apart else shapely.union_all(areas)


def shifted_point(point: Point, by: Point) -> Point:
    """Without the rounding noise of the sum, which would be written into the scene file."""
    return float(f"{point[0] + by[0]:.12g}"), float(f"{point[1] + by[1]:.12g}")
