"""The colour scale and the clock in a corner of the canvas, for who watches a presentation."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QEvent, QObject, Qt, QtWidgets
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import plain_label
from wavelab.app.panels.levels import decibels
from wavelab.app.panels.plots.color_bar import ColorBar
from wavelab.app.session.view_state import ViewState
from wavelab.scene.view.quantities import ERROR_DECADES

#: Width of the scale and size of its letters before they are enlarged.
WIDTH, POINTS = 17 * GRID, 8.0
#: Canvases that are not so many times as wide have no room for it.
LEAST_ROOM = 2


class Legend(QtWidgets.QFrame):
    """Lies over the lower right corner of ``over``, and lets the mouse through."""

    def __init__(self, over: QtWidgets.QWidget) -> None:
        super().__init__(over)
        self.setObjectName("legend")
        self.setAttribute(Qt.WA_TransparentForMouseEvents)
        self._over = over
        self._wished = False
        self._factor = 1.0
        self._quantity = plain_label()
        self._quantity.setWordWrap(False)
        self._clock = plain_label()
        self._clock.setWordWrap(False)
        self.bar = ColorBar()
        head = row(self._quantity, None, self._clock)
        column(head, self.bar, on=self, margins=(1.5, 1, 1.5, 0.5), spacing=0.5)
        over.installEventFilter(self)
        self.hide()

    def set_shown(self, shown: bool, factor: float) -> None:
        """Whether it is there, and how many times as large as usual."""
        self._wished, self._factor = shown, factor
        self.bar.set_letters(POINTS * factor)
        self.bar.setFixedWidth(round(WIDTH * factor))
        self._clock.setFont(tabular_font(POINTS * factor))
        font = self.font()
        font.setPointSizeF(POINTS * factor)
        self._quantity.setFont(font)
        self._place()

    def show_state(self, state: ViewState) -> None:
        """What is shown, in which colours."""
        of_error = state.quantity == "error"
        self._quantity.setText(tr(state.shown.short))
        self.bar.show_palette(state.palette)
        shown = round(ERROR_DECADES) if of_error else state.shown_decades
        self.bar.show_scale(
            shown, of_error=of_error, decibels=decibels(state), dimension=state.shown.dimension
        )

    def show_frame(self, time: float, limit: float) -> None:
        """The simulated time, and the value at full colour."""
        if not self.isHidden():
            self._clock.setText(f"t {measures.clock(time)}")
        self.bar.show_limit(limit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Resize, QEvent.Show):
            self._place()
        return False

    def _place(self) -> None:
        self.ensurePolished()
        self.adjustSize()
        room = self._over.width() >= LEAST_ROOM * self.width()
        self.setVisible(self._wished and room)
        corner = self._over.rect().bottomRight()
        self.move(corner.x() - self.width() - GRID, corner.y() - self.height() - GRID)
