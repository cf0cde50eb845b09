"""The docks around the canvas, and how those below it lie."""

from __future__ import annotations

from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.dock_title import DockTitle

#: Docks and the keys that show and hide them.
DOCKS = {
    "Inspector": "I", "Properties": "Y", "Notes": "N",
    "Probes": "T", "Energy": "L", "Monitors": "O",
}  # fmt: skip
#: Height of what lies below the canvas at first, and of monitors: a polar plot needs more.
FIRST_HEIGHT, MONITORS_HEIGHT = 22 * GRID, 34 * GRID
#: Docks that grow leave this part of the height that there is to the canvas.
_CANVAS_PART = 0.55


def make_dock(title: str, widget: QtWidgets.QWidget, theme: Theme) -> QtWidgets.QDockWidget:
    """A dock around ``widget`` that its key of ``DOCKS`` shows and hides."""
    dock = QtWidgets.QDockWidget(tr(title))
    dock.setObjectName(title)
    dock.setFeatures(QtWidgets.QDockWidget.DockWidgetClosable)
    dock.setTitleBarWidget(DockTitle(dock, theme))
    dock.setWidget(widget)
    toggle = dock.toggleViewAction()
    toggle.setShortcut(DOCKS[title])
    toggle.setToolTip(tr("Show or hide: {title} ({docks})", title=tr(title), docks=DOCKS[title]))
    return dock


class BottomDocks:
    """Probes with the monitors behind them, and energy at their side or behind them too.

    Parameters
    ----------
    probes, energy, monitors : docks that are in the bottom area of ``window``.
    """

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        probes: QtWidgets.QDockWidget,
        energy: QtWidgets.QDockWidget,
        monitors: QtWidgets.QDockWidget,
    ) -> None:
        self._window = window
        self._probes, self._energy, self._monitors = probes, energy, monitors
        self._tabbed = False
        self._front = probes  #: of probes and monitors
        self._grown = False
        self._lay_side_by_side()

    def arrange(self, *, tabbed: bool) -> None:
        """Probes and energy side by side, or behind each other where there is no room."""
        if tabbed == self._tabbed:
            return
        self._tabbed = tabbed
        for dock in (self._probes, self._monitors):
            if is_in_front(dock):
                self._front = dock
        if tabbed:
            self._window.tabifyDockWidget(self._probes, self._energy)
            self._front.raise_()
            return
        # Beside a dock with tabs Qt would make one more tab, so all are laid out anew.
        docks = (self._probes, self._energy, self._monitors)
        hidden = [dock.isHidden() for dock in docks]
        for dock in docks:
            self._window.removeDockWidget(dock)
        for dock in docks:
            self._window.addDockWidget(Qt.BottomDockWidgetArea, dock)
        self._lay_side_by_side()
        for dock, was_hidden in zip(docks, hidden, strict=True):
            dock.setHidden(was_hidden)
        self._front.raise_()
        # Laid out anew, energy would keep the narrowest width there is, without room for its bars.
        self.share_width()

    def share_width(self) -> None:
        """Give probes and energy their parts of the width, as they lie side by side."""
        self._window.resizeDocks([self._probes, self._energy], [5, 3], Qt.Horizontal)

    def show_monitors(self) -> None:
        """To the front, at the first time with room for their plots."""
        docks = (self._probes, self._energy, self._monitors)
        height = max((dock.height() for dock in docks if is_in_front(dock)), default=0)
        canvas = self._window.centralWidget().height()
        room = min(MONITORS_HEIGHT, round((1 - _CANVAS_PART) * (canvas + height)))
        self._monitors.show()
        self._monitors.raise_()
        if not self._grown and height < room:
            self._window.resizeDocks([self._monitors], [room], Qt.Vertical)
            self._window.layout().activate()  # before anybody aims at a place on the canvas
        self._grown = True

    def _lay_side_by_side(self) -> None:
        self._window.splitDockWidget(self._probes, self._energy, Qt.Horizontal)
        self._window.tabifyDockWidget(self._probes, self._monitors)


def is_in_front(dock: QtWidgets.QDockWidget) -> bool:
    """Whether it is seen: docks behind the tabs of others count as visible."""
    return not dock.visibleRegion().isEmpty()
