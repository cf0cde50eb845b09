"""The layer that paints the field, and another in its place where it cannot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.qt import QObject, Qt, QTimer, QtWidgets, QWidget
from wavelab.app.canvas.field.field_choice import make_field_layer
from wavelab.app.canvas.field.field_layer import FieldLayer
from wavelab.app.canvas.field.raster_field import RasterField
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.palette import DEFAULT_DIVERGING, Rgb
from wavelab.output.relief import Camera
from wavelab.timeline import NO_TIMELINE, Timeline

#: A window that shows no picture this long after it opened has no working OpenGL.
PATIENCE_MS = 3000


class FieldStage(QObject):
    """Keeps what is shown, and gives it to whatever paints it.

    Parameters
    ----------
    widget : where it is painted, below everything else.
    drawn : called after each picture.
    replaced : called with the reason when the processor paints, because OpenGL cannot.

    Attributes
    ----------
    layer : what paints now.
    """

    def __init__(
        self, widget: QWidget, *, drawn: Callable[[], None], replaced: Callable[[str], None]
    ) -> None:
        super().__init__(widget)
        self._widget, self._drawn, self._replaced = widget, drawn, replaced
        self._discretization: Discretization | None = None
        self._values: NDArray[np.floating] | None = None
        self._palette = DEFAULT_DIVERGING
        self._timeline = NO_TIMELINE
        self._painted = False
        self._failure = ""
        self._flat: FieldLayer | None = None  #: where another layer draws the height view for it
        self.layer = make_field_layer(widget, drawn=self._on_drawn, failed=self._on_failed)
        self._equip()

    def set_discretization(self, discretization: Discretization | None) -> None:
        """Another mesh or order; quiet until :meth:`set_values`."""
        self._discretization, self._values = discretization, None
        self.layer.set_discretization(discretization)

    def set_values(self, values: NDArray[np.floating]) -> None:
        """Raises ValueError: not as many values as there are nodes."""
        self.layer.set_values(values)
        self._values = values

    def set_palette(self, name: str, outside: Rgb) -> None:
        """Its colours, and the one around the domain."""
        self._palette, self.layer.outside = name, outside
        self.layer.set_palette(name)

    def set_camera(self, camera: Camera | None) -> None:
        """See the field from there as a relief; None: flat."""
        if camera is None and self._flat is not None:
            flat, self._flat = self._flat, None
            self._exchange(flat).close()
        elif camera is not None and not self.layer.draws_relief:
            self._flat = self._exchange(RasterField(self._widget, drawn=self._on_drawn))
        self.layer.camera = camera
        self.layer.update()

    def set_timeline(self, timeline: Timeline) -> None:
        """Where to put how long painting takes."""
        self._timeline = self.layer.timeline = timeline

    def check_soon(self) -> None:
        """The window has opened: it is to show a picture."""
        QTimer.singleShot(PATIENCE_MS, self._check_opengl)

    def _on_drawn(self) -> None:
        self._painted = True
        self._drawn()

    def _on_failed(self, reason: str) -> None:
        self._failure = reason
        # Not from inside the paint event, where neither a dialog may be opened nor the widget that
        # is being painted be taken away.
        QTimer.singleShot(0, self._fall_back)

    def _fall_back(self) -> None:
        """Let the processor paint, and say so."""
        if self._flat is not None:
            self._flat.close()
            self._flat = None
        elif isinstance(self.layer.native, QtWidgets.QOpenGLWidget):
            self._exchange(RasterField(self._widget, drawn=self._on_drawn)).close()
        self._replaced(f"The processor paints the field, because {self._failure}.")

    def _exchange(self, layer: FieldLayer) -> FieldLayer:
        """Let another layer show what is shown; the one before, which is hidden now."""
        before, self.layer = self.layer, layer
        self._equip()
        layer.limit, layer.decades, layer.camera = before.limit, before.decades, before.camera
        layer.native.show()
        before.native.hide()
        layer.view = before.view
        self.set_palette(self._palette, before.outside)
        layer.set_discretization(self._discretization)
        if self._values is not None:
            layer.set_values(self._values)
        return before

    def _equip(self) -> None:
        """Put the layer under the lines, out of the pointer's way."""
        self.layer.timeline = self._timeline
        native = self.layer.native
        native.setAttribute(Qt.WA_TransparentForMouseEvents)
        native.setFocusPolicy(Qt.NoFocus)
        native.setMinimumSize(1, 1)
        native.setGeometry(self._widget.rect())
        native.lower()

    def _check_opengl(self) -> None:
        native = self.layer.native
        if (
            isinstance(native, QtWidgets.QOpenGLWidget)
            and self._widget.isVisible()
            and not (self._painted or native.isValid())
        ):
            self._on_failed("OpenGL gave no picture")
