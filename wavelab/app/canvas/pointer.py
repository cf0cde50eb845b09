"""Turns Qt's mouse, wheel, gesture and key events into navigation and tool events."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.base.qt import QEvent, QObject, QPointF, Qt, QtGui, QTimer, QWidget, Signal
from wavelab.app.canvas.navigation import Navigation
from wavelab.app.canvas.qt_events import MODIFIERS, key_name, xy_of
from wavelab.app.tools.tool import EMPTY, HOLD_INTERVAL, Point, PointerEvent, Tool
from wavelab.errors import WavelabError

_CURSORS = {"cross": Qt.CrossCursor, "hand": Qt.OpenHandCursor, "none": Qt.BlankCursor}
_BUTTONS = {Qt.LeftButton: "left", Qt.RightButton: "right"}
#: What the mouse does whatever the tool.
GESTURES = (
    ("Wheel", "Zoom at the pointer"),
    ("Middle drag", "Move the view"),
    ("Space + drag", "Move the view"),
    ("Right click", "What can be done with what is there"),
)


class Pointer(QObject):
    """The middle button, Space and the pan tool move the view; the rest is the tool's.

    Parameters
    ----------
    widget : what the pointer moves over; it hands its events to :meth:`handle`.
    navigation : moved by the pointer.

    Signals
    -------
    hovered(x, y) : the pointer is at a place in the scene.
    left() : it has gone.
    moved_view() : the navigation has another view.
    marked(Overlay) : what the tool wants drawn.
    tool_changed() : the tool's hint may read differently now.
    refused(WavelabError) : what the tool was asked for cannot be.
    space_tapped() : Space came and went; only while nobody listens it is a shortcut's.
    """

    hovered = Signal(float, float)
    left = Signal()
    moved_view = Signal()
    marked = Signal(object)
    tool_changed = Signal()
    refused = Signal(object)
    space_tapped = Signal()

    def __init__(self, widget: QWidget, navigation: Navigation) -> None:
        super().__init__()
        self.tool: Tool | None = None
        self._widget = widget
        self._navigation = navigation
        self._hint = ""
        self._marked = EMPTY  #: what the tool showed last
        self._space_down = False
        self._space_used = False
        self._pan_button = Qt.NoButton  #: moves the view while it is down
        self._held: list[Qt.MouseButton] = []  #: whose presses the tool was told of
        self._pixel: QPointF | None = None
        self._seen = QPointF()  #: where it was last, on the canvas or not
        self._holding = QTimer(self, interval=round(1000 * HOLD_INTERVAL), timeout=self._hold)
        self._handlers = {
            QEvent.MouseButtonPress: self._press,
            QEvent.MouseButtonDblClick: self._press,
            QEvent.MouseMove: self._move,
            QEvent.MouseButtonRelease: self._release,
            QEvent.Leave: self._leave,
            QEvent.Wheel: self._wheel,
            QEvent.NativeGesture: self._gesture,
            QEvent.ShortcutOverride: self._override,
            QEvent.KeyPress: self._key_press,
            QEvent.KeyRelease: self._key_release,
            QEvent.FocusOut: self._focus_out,
        }

    def handle(self, event: QEvent) -> bool:
        """Whether the event was ours."""
        handler = self._handlers.get(event.type())
        if handler is None:
            return False
        try:
            return handler(event)
        except WavelabError as error:
            self.refused.emit(error)
            return True
        finally:
            self._show_tool()

    def set_tool(self, tool: Tool | None) -> None:
        self.give_up()
        if self.tool is not None:
            self.tool.leave()
        self.tool = tool
        if tool is not None and self._pixel is not None and self._widget.underMouse():
            tool.move(self._tool_event(self._pixel, Qt.NoModifier))
        self._show_cursor()
        self._show_tool()

    def give_up(self) -> None:
        """What is held is let go, and nothing comes of it."""
        try:
            for button in [*self._held, self._pan_button]:
                self._let_go(button, Qt.NoModifier, lost=True)
        except WavelabError as error:
            self.refused.emit(error)

    @property
    def place(self) -> Point | None:
        """Where the pointer is in the scene; None if it is not on the canvas."""
        if self._pixel is None:
            return None
        x, y = self._navigation.view.to_scene(xy_of(self._pixel)).tolist()
        return x, y

    def refresh(self, *, aim: bool = False) -> None:
        """Show the tool as it is now, unless something else is shown in its place; ``aim``: what is
        under the pointer may be another thing now, or gone."""
        if aim and not self._held:
            self._modifiers_changed(Qt.NoModifier)
        if self.tool is not None and (self.tool.overlay() != EMPTY or self._marked != EMPTY):
            self._show_tool()
        # Its settings may be others, and its hint with them, where nothing of it is drawn.
        self.tool_changed.emit()

    def _press(self, event: QtGui.QMouseEvent) -> bool:
        self._let_go(event.button(), event.modifiers())  # of a press whose end was never told
        hand = self.tool is not None and self.tool.cursor == "hand"
        left = event.button() == Qt.LeftButton
        if event.button() == Qt.MiddleButton or (left and (hand or self._space_down)):
            self._space_used = self._space_down
            self._pan_button = event.button()
            self._navigation.start_pan(xy_of(event.localPos()))
            self._show_cursor()
        elif self.tool is not None and event.button() in _BUTTONS:
            self._pixel = self._seen = event.localPos()
            self._held.append(event.button())
            if left:
                self._holding.start()
            self.tool.press(
                self._tool_event(
                    event.localPos(),
                    event.modifiers(),
                    _BUTTONS[event.button()],
                    event.type() == QEvent.MouseButtonDblClick,
                )
            )
        return True

    def _move(self, event: QtGui.QMouseEvent) -> bool:
        self._pixel = self._seen = event.localPos()
        if self._navigation.panning:
            self._navigation.pan_to(xy_of(event.localPos()))
            self.moved_view.emit()
        elif self.tool is not None:
            button = "left" if Qt.LeftButton in self._held else ""
            if self._holding.isActive():
                self._holding.start()
            self.tool.move(self._tool_event(event.localPos(), event.modifiers(), button))
        self._hover()
        return True

    def _hold(self) -> None:
        if self.tool is not None and self.tool.hold():
            self._show_tool()

    def _release(self, event: QtGui.QMouseEvent) -> bool:
        self._seen = event.localPos()
        self._let_go(event.button(), event.modifiers())
        return True

    def _let_go(
        self, button: Qt.MouseButton, modifiers: Qt.KeyboardModifiers, *, lost: bool = False
    ) -> None:
        """Tell the one who was told of the press, if anybody was."""
        if button == Qt.LeftButton:
            self._holding.stop()
        if button == self._pan_button:
            self._pan_button = Qt.NoButton
            self._navigation.end_pan()
            self._show_cursor()
        elif button in self._held:
            self._held.remove(button)
            if self.tool is not None:
                event = self._tool_event(self._seen, modifiers, _BUTTONS[button])
                self.tool.release(replace(event, lost=lost))

    def _leave(self, event: QEvent) -> bool:
        self._pixel = None
        if self.tool is not None:
            self.tool.leave()
        self.left.emit()
        return False

    def _wheel(self, event: QtGui.QWheelEvent) -> bool:
        self._navigation.wheel(event.angleDelta().y(), xy_of(event.position()))
        self._moved_view()
        return True

    def _gesture(self, event: QtGui.QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.ZoomNativeGesture:
            return False
        self._navigation.zoom(1.0 + event.value(), xy_of(event.localPos()))
        self._moved_view()
        return True

    def _override(self, event: QtGui.QKeyEvent) -> bool:
        """Claim a key before the window's shortcuts get it."""
        wanted = self.tool is not None and self.tool.wants_key(key_name(event))
        if wanted or (event.key() == Qt.Key_Space and self._space_is_ours(event)):
            event.accept()
            return True
        return False

    def _key_press(self, event: QtGui.QKeyEvent) -> bool:
        if event.key() == Qt.Key_Space and self._space_is_ours(event):
            if not event.isAutoRepeat():
                self._space_down, self._space_used = True, False
                self._show_cursor()
            return True
        if event.key() in MODIFIERS:
            # The event's own modifiers do not yet count the key that is going down.
            self._modifiers_changed(event.modifiers() | MODIFIERS[event.key()])
            return False
        return self.tool is not None and self.tool.key(key_name(event))

    def _key_release(self, event: QtGui.QKeyEvent) -> bool:
        if event.key() == Qt.Key_Space and self._space_down:
            if not event.isAutoRepeat():
                self._space_down = False
                self._show_cursor()
                if not self._space_used:
                    self.space_tapped.emit()
            return True
        if event.key() in MODIFIERS:
            self._modifiers_changed(event.modifiers() & ~MODIFIERS[event.key()])
        return False

    def _focus_out(self, event: QtGui.QFocusEvent) -> bool:
        self._space_down = False
        self._holding.stop()
        if event.reason() in (Qt.ActiveWindowFocusReason, Qt.PopupFocusReason):
            self.give_up()  # a dialog or a menu hears of the buttons now
        self._show_cursor()
        return False

    def _modifiers_changed(self, modifiers: Qt.KeyboardModifiers) -> None:
        """Shift changes what a click would do; show it without waiting for the mouse to move."""
        if self.tool is not None and self._pixel is not None and not self._navigation.panning:
            self.tool.move(self._tool_event(self._pixel, modifiers))

    def _space_is_ours(self, event: QtGui.QKeyEvent) -> bool:
        listened_to = self.receivers(self.space_tapped) > 0
        return listened_to and event.modifiers() == Qt.NoModifier

    def _moved_view(self) -> None:
        self.moved_view.emit()
        if self.tool is not None and self._pixel is not None:
            self.tool.move(self._tool_event(self._pixel, Qt.NoModifier))
        self._hover()

    def _hover(self) -> None:
        if (place := self.place) is not None:
            self.hovered.emit(*place)

    def _tool_event(
        self,
        pixel: QPointF,
        modifiers: Qt.KeyboardModifiers,
        button: str = "",
        double: bool = False,
    ) -> PointerEvent:
        view = self._navigation.view
        x, y = view.to_scene(xy_of(pixel)).tolist()
        return PointerEvent(
            x, y, view.pixel, button, double=double,
            shift=bool(modifiers & Qt.ShiftModifier),
            ctrl=bool(modifiers & Qt.ControlModifier),
            alt=bool(modifiers & Qt.AltModifier),
        )  # fmt: skip

    def _show_tool(self) -> None:
        self._marked = self.tool.overlay() if self.tool is not None else EMPTY
        self.marked.emit(self._marked)
        hint = self.tool.hint if self.tool is not None else ""
        if hint != self._hint:
            self._hint = hint
            self.tool_changed.emit()

    def _show_cursor(self) -> None:
        if self._navigation.panning:
            shape = Qt.ClosedHandCursor
        elif self._space_down:
            shape = Qt.OpenHandCursor
        else:
            shape = _CURSORS[self.tool.cursor] if self.tool is not None else Qt.ArrowCursor
        self._widget.setCursor(shape)
