"""Shapes a scene is made of: one file for each kind.

A shape knows its outline as a counterclockwise ring of points and, for every segment of that ring,
the name of the edge it belongs to, so that walls can be chosen per edge whatever the element size.
"""

from wavelab.scene.model.shapes.arcs import Point
from wavelab.scene.model.shapes.ellipse import Ellipse
from wavelab.scene.model.shapes.lens import Lens
from wavelab.scene.model.shapes.mirror import Mirror
from wavelab.scene.model.shapes.polygon import Polygon
from wavelab.scene.model.shapes.prism import Prism
from wavelab.scene.model.shapes.rectangle import Rectangle
from wavelab.scene.model.shapes.repeat import REPEATS, Grid, Row
from wavelab.scene.model.shapes.repeated import Repeated
from wavelab.scene.model.shapes.screen import Screen
from wavelab.scene.model.shapes.shape import (
    Shape,
    area_of,
    check_solid,
    shifted_point,
    smooth_outline,
    smooth_rings,
)

#: The ``shape`` written in a scene file.
SHAPES: dict[str, type[Shape]] = {
    "polygon": Polygon,
    "rectangle": Rectangle,
    "ellipse": Ellipse,
    "screen": Screen,
    "lens": Lens,
    "mirror": Mirror,
    "prism": Prism,
}

__all__ = [
    "REPEATS",
    "SHAPES",
    "Ellipse",
    "Grid",
    "Lens",
    "Mirror",
    "Point",
    "Polygon",
    "Prism",
    "Rectangle",
    "Repeated",
    "Row",
    "Screen",
    "Shape",
    "area_of",
    "check_solid",
    "shifted_point",
    "smooth_outline",
    "smooth_rings",
]
