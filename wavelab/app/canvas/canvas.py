"""The canvas: the field, what is drawn over it, and the pointer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.images import pixels_of
from wavelab.app.base.qt import (
    QEvent,
    QImage,
    QSize,
    Qt,
    QtGui,
    QTimer,
    QtWidgets,
    QWidget,
    Signal,
    painting,
)
from wavelab.app.canvas.field.field_choice import make_field_layer
from wavelab.app.canvas.field.field_layer import FieldLayer
from wavelab.app.canvas.field.raster_field import RasterField
from wavelab.app.canvas.navigation import Navigation
from wavelab.app.canvas.overlay.overlay_view import OverlayView
from wavelab.app.canvas.overlay.scene_drawing import draw_scene
from wavelab.app.canvas.overlay.scene_look import SceneLook
from wavelab.app.canvas.pointer import Pointer
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.tools.tool import CircleMark, Overlay, Point, Tool
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.arrows import Arrows
from wavelab.output.palette import DEFAULT_DIVERGING
from wavelab.output.relief import Camera
from wavelab.scene.model.scene import Scene
from wavelab.timeline import NO_TIMELINE, Timeline

#: A window that shows no picture this long after it opened has no working OpenGL.
PATIENCE_MS = 3000


class Canvas(QWidget):
    """Shows a field on a mesh and hands the pointer to the tool, in scene coordinates.

    Attributes
    ----------
    field : what paints the field, below the lines and letters.

    Signals
    -------
    hovered(x, y) : the pointer is at a place in the scene.
    left() : it has gone.
    drawn() : a picture of the field has been painted.
    failed(message) : the processor has to paint because OpenGL cannot.
    refused(WavelabError) : what the tool was asked for cannot be.
    tool_changed() : the tool's hint may read differently now.
    space_tapped() : Space was pressed and let go without dragging.  While nobody listens, Space
        is left to the window's shortcuts, and only then.
    """

    drawn = Signal()
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        # Qt sends events from the first line of its own constructor on.
        self._navigation = Navigation()
        self._pointer = pointer = Pointer(self, self._navigation)
        super().__init__(parent)
        self.hovered, self.left, self.refused = pointer.hovered, pointer.left, pointer.refused
        self.tool_changed, self.space_tapped = pointer.tool_changed, pointer.space_tapped
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMinimumSize(1, 1)
        self._scene: Scene | None = None
        self._discretization: Discretization | None = None
        self._values: NDArray[np.floating] | None = None
        self._palette = DEFAULT_DIVERGING
        self._timeline = NO_TIMELINE
        self._painted = False
        self._failure = ""
        self._over = OverlayView(self, draw_scene(None, None))
        self.field = make_field_layer(self, drawn=self._on_drawn, failed=self._on_failed)
        self._flat: FieldLayer | None = None  #: where another layer draws the height view for it
        self._equip_field()
        self.set_palette(self._palette)
        pointer.moved_view.connect(self.view_changed)
        pointer.marked.connect(self.set_overlay)

    def sizeHint(self) -> QSize:
        return QSize(900, 700)

    # What is shown

    def set_discretization(
        self, discretization: Discretization | None, scene: Scene | None = None
    ) -> None:
        """Another mesh or order; the field is quiet until :meth:`set_values`.

        None shows the scene alone.  ``scene``, if given, takes the place of the present one in
        the same stroke: tracing the walls of a large mesh twice would be felt.
        """
        if scene is not None:
            self._scene = scene
        self._discretization = discretization
        self._values = None
        self.field.set_discretization(discretization)
        self._redraw_scene()

    def set_scene(self, scene: Scene | None) -> None:
        """The walls, holes, materials, sources and probes to draw."""
        self._scene = scene
        self._redraw_scene()

    def set_values(self, values: NDArray[np.floating]) -> None:
        """The field to show: (n_elements, nodes_per_element) nodal values.

        Raises
        ------
        ValueError : not as many values as the discretization has nodes.
        """
        self.field.set_values(values)
        self._values = values

    def set_palette(self, name: str) -> None:
        """Raises OutputError if there is no such palette."""
        self._over.set_palette(name)
        self._palette = name
        self.field.outside = self._over.ink.outside
        self.field.set_palette(name)

    def set_limit(self, limit: float) -> None:
        """The value at full colour; a limit that is not a positive number counts as the smallest
        there is."""
        self.field.limit = float(limit) if np.isfinite(limit) and limit > 0 else 0.0
        self.field.update()

    def set_bright(self, bright: bool) -> None:
        """Whether most places have nearly full colour, which lines on them must stand out from."""
        self._over.bright = bright
        self._over.refresh()

    def set_shaded(self, shaded: bool) -> None:
        """Whether the field fades at absorbing walls and is lighter in materials, or each colour
        is that of its number."""
        self._over.shaded = shaded
        self._over.refresh()

    def set_decades(self, decades: int | None) -> None:
        """A logarithmic scale over so many powers of ten below full colour, None for a linear
        one."""
        self.field.decades = decades
        self.field.update()

    def set_camera(self, camera: Camera | None) -> None:
        """See the field from there as a relief, without lines and letters; None: flat."""
        if camera is None and self._flat is not None:
            flat, self._flat = self._flat, None
            self._exchange(flat).close()
        elif camera is not None and not self.field.draws_relief:
            self._flat = self._exchange(RasterField(self, drawn=self._on_drawn))
        self.field.camera = camera
        self._over.setVisible(camera is None)
        self.field.update()

    def set_arrows(self, arrows: Arrows | None, longest: float) -> None:
        """Arrows over the field, ``longest`` being the size of the vector with the longest one;
        None takes them away."""
        self._over.set_arrows(arrows, longest)

    def set_mesh_visible(self, visible: bool) -> None:
        """Draw the edges of the elements or not."""
        self._over.mesh_visible = visible
        self._over.refresh()

    def set_message(self, text: str) -> None:
        """A sentence in the middle of the canvas; "" takes it away."""
        self._over.message = text
        self._over.update()

    def set_timeline(self, timeline: Timeline) -> None:
        """Where to put how long painting takes."""
        self._timeline = self.field.timeline = self._over.timeline = timeline

    def set_overlays_visible(self, visible: bool) -> None:
        """Show the scene's lines and letters over the field, or the bare field.

        The tool's marks stay: one of them may be all there is to see of the pointer.
        """
        self._over.scene_visible = visible
        self._over.update()

    def grab_rgb(self) -> NDArray[np.uint8]:
        """(height, width, 3) picture in device pixels, without the tool's marks."""
        image = self.field.grab().convertToFormat(QImage.Format_RGB32)
        if self.field.camera is None:
            image.setDevicePixelRatio(self.devicePixelRatioF())
            with painting(image) as painter:
                self._over.paint(painter, with_tool=False)
        return pixels_of(image)

    @property
    def look(self) -> SceneLook | None:
        """How the scene is drawn over the flat field; None where it is hidden."""
        return self._over.look if self._over.scene_visible else None

    # Where it is shown

    @property
    def view(self) -> ViewTransform:
        """The map between the scene and logical pixels of this widget."""
        return self._navigation.view

    def fit(self) -> None:
        """Show the whole scene; the view then follows the size of the widget."""
        self._navigation.fit()
        self.view_changed()

    @property
    def part(self) -> tuple[Point, ...]:
        """Two corners of what is in view; none while that is the whole scene, fitted."""
        return self._navigation.part

    def show_part(self, part: tuple[Point, ...]) -> None:
        """All between two corners."""
        self._navigation.show_part(part)
        self.view_changed()

    def zoom(self, factor: float) -> None:
        """Magnify about the middle."""
        self._navigation.zoom(factor)
        self.view_changed()

    def look_at(self, point: Point) -> None:
        """Move the view so that a place in the scene is in the middle."""
        self._navigation.look_at(point)
        self.view_changed()

    def view_changed(self) -> None:
        """Redraw after the navigation has moved the view."""
        self.field.view = self._over.view = self._navigation.view
        self.field.update()
        self._over.refresh()

    # The tool

    @property
    def tool(self) -> Tool | None:
        return self._pointer.tool

    def set_tool(self, tool: Tool | None) -> None:
        """The tool that gets the pointer and the keys from now on."""
        self._pointer.set_tool(tool)

    @property
    def pointed_at(self) -> Point | None:
        """Where the pointer is in the scene; None if it is not on the canvas."""
        return self._pointer.place

    def refresh_tool(self) -> None:
        """Show the tool anew: what it says of the scene may read differently now."""
        self._pointer.refresh()

    @property
    def overlay(self) -> Overlay:
        """The marks on show, of the tool or from elsewhere."""
        return self._over.overlay

    def set_overlay(self, overlay: Overlay) -> None:
        """Show marks that come from elsewhere than the tool's own answer to an event."""
        self._over.set_overlay(overlay)

    @property
    def marks(self) -> tuple[CircleMark, ...]:
        """The circles on show that stay while the tool is used."""
        return self._over.marks

    def set_marks(self, marks: tuple[CircleMark, ...]) -> None:
        """Circles that stay while the tool is used; () takes them away."""
        self._over.set_marks(marks)

    @property
    def reading(self) -> tuple[Point, ...]:
        """What a panel reads off, as it is shown on the scene."""
        return self._over.reading

    def set_reading(self, points: tuple[Point, ...]) -> None:
        """Show on the scene what a panel reads off: a point or a line; () for nothing."""
        self._over.set_reading(points)

    # Qt

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        size = event.size()
        self.field.native.setGeometry(0, 0, max(size.width(), 1), max(size.height(), 1))
        self._over.setGeometry(0, 0, size.width(), size.height())
        self._navigation.resize(size.width(), size.height())
        self.view_changed()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        QTimer.singleShot(PATIENCE_MS, self._check_opengl)
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        return self._pointer.handle(event) or super().event(event)

    def _redraw_scene(self) -> None:
        self._over.set_drawing(draw_scene(self._scene, self._discretization))
        if self._over.drawing.bounds is not None:
            self._navigation.set_bounds(self._over.drawing.bounds)
        self.view_changed()

    def _on_drawn(self) -> None:
        self._painted = True
        self.drawn.emit()

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
        elif isinstance(self.field.native, QtWidgets.QOpenGLWidget):
            self._exchange(RasterField(self, drawn=self._on_drawn)).close()
        self.failed.emit(f"The processor paints the field, because {self._failure}.")

    def _exchange(self, layer: FieldLayer) -> FieldLayer:
        """Let another layer show what is shown; the one before, which is hidden now."""
        before, self.field = self.field, layer
        self._equip_field()
        layer.limit, layer.decades, layer.camera = before.limit, before.decades, before.camera
        layer.native.show()
        before.native.hide()
        self.view_changed()
        self.set_palette(self._palette)
        layer.set_discretization(self._discretization)
        if self._values is not None:
            layer.set_values(self._values)
        return before

    def _equip_field(self) -> None:
        """Put the layer under the lines, out of the pointer's way."""
        self.field.timeline = self._timeline
        native = self.field.native
        native.setAttribute(Qt.WA_TransparentForMouseEvents)
        native.setFocusPolicy(Qt.NoFocus)
        native.setMinimumSize(1, 1)
        native.setGeometry(self.rect())
        native.lower()

    def _check_opengl(self) -> None:
        native = self.field.native
        if (
            isinstance(native, QtWidgets.QOpenGLWidget)
            and self.isVisible()
            and not (self._painted or native.isValid())
        ):
            self._on_failed("OpenGL gave no picture")
