"""What keys do in a plot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyqtgraph

from wavelab.app.base.qt import Qt, QtGui
from wavelab.app.panels.plots.axes.cursor import PlotCursor
from wavelab.app.panels.plots.axes.deeds import PlotDeeds

#: What one press of a key enlarges by.
_ZOOM = 1.25
#: For the list of keys and gestures, with what the mouse does.
GESTURES = (
    ("Point, Left, Right", "Read the curves"),
    ("Drag, Shift+Left, Right", "Measure from one place to another"),
    ("Wheel, +, \u2212", "Enlarge; over an axis, along it"),
    ("Middle or Shift+drag, PgUp, PgDown", "Move what is shown"),
    ("Double click, Home", "Show all"),
    ("X, Y", "Logarithmic axis, or not"),
    ("K", "Keep the curves, to compare later ones with them"),
    ("Ctrl+C", "Copy the numbers"),
    ("Ctrl+Shift+C", "Copy the picture"),
    ("Right click", "Copy, save, export; name or forget kept curves"),
)

Deed = Callable[[], None]


class PlotKeys:
    """Parameters
    ----------
    tell : the cursor has moved.
    moved : what is shown has been.
    """

    def __init__(
        self,
        room: pyqtgraph.ViewBox,
        cursor: PlotCursor,
        deeds: PlotDeeds,
        *,
        tell: Deed,
        moved: Deed,
        show_all: Deed,
    ) -> None:
        self._room, self._cursor, self._tell, self._moved = room, cursor, tell, moved
        control, shift = int(Qt.ControlModifier), int(Qt.ShiftModifier)
        self._deeds: dict[tuple[int, int], Deed] = {
            (Qt.Key_Plus, 0): partial(self._zoom, 1 / _ZOOM),
            (Qt.Key_Minus, 0): partial(self._zoom, _ZOOM),
            (Qt.Key_PageUp, 0): partial(self._move, -0.5),
            (Qt.Key_PageDown, 0): partial(self._move, 0.5),
            (Qt.Key_Home, 0): show_all,
            (Qt.Key_X, 0): deeds.toggle_log_across,
            (Qt.Key_Y, 0): deeds.toggle_log_up,
            (Qt.Key_K, 0): deeds.keep,
            (Qt.Key_C, control): deeds.copy,
            (Qt.Key_C, control | shift): deeds.copy_picture,
        }
        for key, way in ((Qt.Key_Left, -1), (Qt.Key_Right, 1)):
            self._deeds[key, 0] = partial(self._step, way, measure=False)
            self._deeds[key, shift] = partial(self._step, way, measure=True)

    def deed(self, event: QtGui.QKeyEvent) -> Deed | None:
        """What a key does; None for what it does not do here."""
        key, modifiers = event.key(), int(event.modifiers() & ~Qt.KeypadModifier)
        if key in (Qt.Key_Plus, Qt.Key_Equal):  # some keyboards need Shift for the one
            key, modifiers = Qt.Key_Plus, modifiers & ~int(Qt.ShiftModifier)
        return self._deeds.get((key, modifiers))

    def _step(self, way: int, *, measure: bool) -> None:
        self._cursor.step(way, measure=measure)
        self._tell()

    def _zoom(self, factor: float) -> None:
        (low, high), (bottom, top) = self._room.viewRange()
        at = (low + high) / 2 if self._cursor.at is None else self._cursor.at
        self._room.scaleBy((factor, 1.0), center=(at, (bottom + top) / 2))
        self._moved()

    def _move(self, part: float) -> None:
        (low, high), _ = self._room.viewRange()
        self._room.translateBy(x=part * (high - low))
        self._moved()
