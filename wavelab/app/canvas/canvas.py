"""The canvas: the field, what is drawn over it, and the pointer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.images import pixels_of
from wavelab.app.base.qt import QEvent, QImage, QSize, Qt, QtGui, QWidget, Signal, painting
from wavelab.app.canvas.field.field_layer import FieldLayer
from wavelab.app.canvas.field.field_stage import FieldStage
from wavelab.app.canvas.navigation import Navigation
from wavelab.app.canvas.overlay.overlay_view import OverlayView
from wavelab.app.canvas.overlay.scene_look import SceneLook
from wavelab.app.canvas.pointer import Pointer
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.tools.tool import CircleMark, Overlay, Point, Tool
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.arrows import Arrows
from wavelab.output.palette import DEFAULT_DIVERGING
from wavelab.output.relief import Camera
from wavelab.output.scene_drawing import draw_scene
from wavelab.scene.model.scene import Scene
from wavelab.timeline import Timeline


class Canvas(QWidget):
    """Shows a field on a mesh and hands the pointer to the tool, in scene coordinates.

    Signals
    -------
    hovered(x, y) : the pointer is at a place in the scene.
    left() : it has gone.
    drawn() : a picture of the field has been painted.
    moved() : another part of the scene may be in view.
    failed(message) : the processor has to paint because OpenGL cannot.
    refused(WavelabError) : what the tool was asked for cannot be.
    tool_changed() : the tool's hint may read differently now.
    space_tapped() : Space was pressed and let go without dragging.  While nobody listens, Space
        is left to the window's shortcuts, and only then.
    """

    drawn = Signal()
    moved = Signal()
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        # Qt sends events from the first line of its own constructor on.
        self._navigation = Navigation()
        self._pointer = pointer = Pointer(self, self._navigation)
        super().__init__(parent)
        self.hovered, self.left, self.refused = pointer.hovered, pointer.left, pointer.refused
        self.tool_changed, self.space_tapped = pointer.tool_changed, pointer.space_tapped
        self.give_up = pointer.give_up
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMinimumSize(1, 1)
        self._scene: Scene | None = None
        self._discretization: Discretization | None = None
        self._over = OverlayView(self, draw_scene(None, None))
        self._stage = FieldStage(self, drawn=self.drawn.emit, replaced=self.failed.emit)
        self.set_palette(DEFAULT_DIVERGING)
        pointer.moved_view.connect(self.view_changed)
        pointer.marked.connect(self.set_overlay)

    def sizeHint(self) -> QSize:
        return QSize(900, 700)

    @property
    def field(self) -> FieldLayer:
        """What paints the field, below the lines and letters."""
        return self._stage.layer

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
        self._stage.set_discretization(discretization)
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
        self._stage.set_values(values)

    def set_palette(self, name: str) -> None:
        """Raises OutputError if there is no such palette."""
        self._over.set_palette(name)
        self._stage.set_palette(name, self._over.ink.outside)

    def refresh_lines(self) -> None:
        """What is over the field reads differently now."""
        self._over.refresh()

    def set_limit(self, limit: float) -> None:
        """The value at full colour; what is not positive counts as the smallest there is."""
        self.field.limit = float(limit) if np.isfinite(limit) and limit > 0 else 0.0
        self.field.update()

    def set_bright(self, bright: bool) -> None:
        """Whether most places have nearly full colour, which lines on them must stand out from."""
        self._over.bright = bright
        self._over.refresh()

    def set_shaded(self, shaded: bool) -> None:
        """Whether the field fades at absorbing walls, or each colour is that of its number."""
        self._over.shaded = shaded
        self._over.refresh()

    def set_decades(self, decades: int | None) -> None:
        """A logarithmic scale over so many powers of ten; None for a linear one."""
        self.field.decades = decades
        self.field.update()

    def set_camera(self, camera: Camera | None) -> None:
        """See the field from there as a relief, without lines and letters; None: flat."""
        self._stage.set_camera(camera)
        self._over.setVisible(camera is None)

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
        self._over.timeline = timeline
        self._stage.set_timeline(timeline)

    def set_marks_visible(self, visible: bool) -> None:
        """Show all of the scene over the field, or only walls and materials, which the wave is in.

        The tool's marks stay: one of them may be all there is to see of the pointer.
        """
        self._over.marks_visible = visible
        self._over.refresh()

    def set_enlargement(self, factor: float) -> None:
        """Paint strokes, marks and letters over the field so many times as large as usual."""
        self._over.enlargement = factor
        self._over.refresh()

    def grab_rgb(self) -> NDArray[np.uint8]:
        """(height, width, 3) picture in device pixels, without the tool's marks."""
        image = self.field.grab().convertToFormat(QImage.Format_RGB32)
        if self.field.camera is None:
            image.setDevicePixelRatio(self.devicePixelRatioF())
            with painting(image) as painter:
                self._over.paint(painter, with_tool=False)
        return pixels_of(image)

    @property
    def look(self) -> SceneLook:
        """How the scene is drawn over the flat field."""
        return self._over.look

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
        self.moved.emit()

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

    def refresh_tool(self, *, aim: bool = False) -> None:
        """Show the tool anew; ``aim``: another scene is below the pointer."""
        self._pointer.refresh(aim=aim)

    @property
    def overlay(self) -> Overlay:
        """The marks on show, of the tool or from elsewhere."""
        return self._over.overlay

    def set_overlay(self, overlay: Overlay) -> None:
        """Show marks that come from elsewhere than the tool's own answer to an event."""
        if overlay != self._over.overlay:
            self._over.overlay = overlay
            self._over.update()

    def set_kept(self, overlay: Overlay) -> None:
        """Marks that a tool has left, which stay while another is used."""
        if overlay != self._over.kept:
            self._over.kept = overlay
            self._over.update()

    @property
    def marks(self) -> tuple[CircleMark, ...]:
        """The circles on show that stay while the tool is used."""
        return self._over.marks

    def set_marks(self, marks: tuple[CircleMark, ...]) -> None:
        """Circles that stay while the tool is used; () takes them away."""
        self._over.marks = marks
        self._over.update()

    @property
    def reading(self) -> tuple[Point, ...]:
        """What a panel reads off, as it is shown on the scene."""
        return self._over.reading

    def set_reading(self, points: tuple[Point, ...]) -> None:
        """Show on the scene what a panel reads off: a point or a line; () for nothing."""
        self._over.reading = points
        self._over.update()

    # Qt

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        size = event.size()
        self.field.native.setGeometry(0, 0, max(size.width(), 1), max(size.height(), 1))
        self._over.setGeometry(0, 0, size.width(), size.height())
        self._navigation.resize(size.width(), size.height())
        self.view_changed()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        self._stage.check_soon()
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        return self._pointer.handle(event) or super().event(event)

    def _redraw_scene(self) -> None:
        self._over.set_drawing(draw_scene(self._scene, self._discretization))
        if self._over.drawing.bounds is not None:
            self._navigation.set_bounds(self._over.drawing.bounds)
        self.view_changed()
