"""Shapes a scene is made of: one file for each kind.

A shape knows its outline as a counterclockwise ring of points and, for every segment of that ring,
the name of the edge it belongs to, so that walls can be chosen per edge whatever the element size.
"""

from wavelab.scene.model.shapes.arcs import Point
from wavelab.scene.model.shapes.ellipse import Ellipse
from wavelab.scene.model.shapes.polygon import Polygon
from wavelab.scene.model.shapes.rectangle import Rectangle
from wavelab.scene.model.shapes.shape import Shape, area_of, shifted_point, smooth_outline

#: The ``shape`` written in a scene file.
SHAPES: dict[str, type[Shape]] = {"polygon": Polygon, "rectangle": Rectangle, "ellipse": Ellipse}

__all__ = [
    "SHAPES",
    "Ellipse",
    "Point",
    "Polygon",
    "Rectangle",
    "Shape",
    "area_of",
    "shifted_point",
    "smooth_outline",
]
