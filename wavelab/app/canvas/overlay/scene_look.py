"""How a scene is drawn over the field: on the canvas, and on the pictures of a movie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.qt import QImage, QPainter, QRectF, Qt, painting
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.overlay.painting import ElementLines, paint_scene
from wavelab.app.canvas.overlay.scale_bar import has_room, paint_scale_bar
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.output.scene_drawing import SceneDrawing


@dataclass(frozen=True, eq=False)
class SceneLook:
    """A drawing with all that says how it lies on a picture.

    Attributes
    ----------
    mesh, bright, shaded : whether the elements are drawn, and how: see ``paint_scene``.
    measured : whether a scale bar is drawn.
    """

    drawing: SceneDrawing
    view: ViewTransform
    ink: Ink
    mesh: bool
    bright: bool
    shaded: bool
    measured: bool = True

    def paint(self, painter: QPainter, elements: ElementLines | None) -> list[QRectF]:
        """On a painter in the pixels of the view; where names stand.  ``elements`` are those of the
        drawing, made ready to be drawn."""
        painter.setRenderHint(QPainter.Antialiasing)
        names = paint_scene(
            painter, self.drawing, self.view, self.ink, elements if self.mesh else None,
            bright=self.bright, shaded=self.shaded,
        )  # fmt: skip
        if self.measured and self.drawing.bounds is not None and has_room(self.view):
            paint_scale_bar(painter, self.view, self.ink)
        return names

    def on_picture(self, width: int, height: int) -> NDArray[np.uint8]:
        """(height, width, 4), transparent where nothing is drawn, with premultiplied colours."""
        image = QImage(width, height, QImage.Format_RGBA8888_Premultiplied)
        image.fill(Qt.transparent)
        with painting(image) as painter:
            painter.scale(width / self.view.width, height / self.view.height)
            self.paint(painter, ElementLines.of(self.drawing.elements) if self.mesh else None)
        data = image.constBits().asarray(image.sizeInBytes())
        return np.frombuffer(data, np.uint8).reshape(height, width, 4).copy()
