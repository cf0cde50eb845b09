"""The docks around the canvas, and how those below it lie."""

from __future__ import annotations

from wavelab.app.panels.dock_title import DockTitle
from wavelab.app.qt import Qt, QtWidgets
from wavelab.app.theme import Theme

#: Docks and the keys that show and hide them.
DOCKS = {"Inspector": "I", "Traces": "T", "Energy": "L", "Monitors": "O", "Properties": "Y"}


def make_dock(title: str, widget: QtWidgets.QWidget, theme: Theme) -> QtWidgets.QDockWidget:
    """A dock around ``widget`` that its key of ``DOCKS`` shows and hides."""
    dock = QtWidgets.QDockWidget(title)
    dock.setObjectName(title)
    dock.setFeatures(QtWidgets.QDockWidget.DockWidgetClosable)
    dock.setTitleBarWidget(DockTitle(dock, theme))
    dock.setWidget(widget)
    toggle = dock.toggleViewAction()
    toggle.setShortcut(DOCKS[title])
    toggle.setToolTip(f"Show or hide: {title} ({DOCKS[title]})")
    return dock


class BottomDocks:
    """Traces with the monitors behind them, and energy at their side or behind them too.

    Parameters
    ----------
    traces, energy, monitors : docks that are in the bottom area of ``window``.
    """

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        traces: QtWidgets.QDockWidget,
        energy: QtWidgets.QDockWidget,
        monitors: QtWidgets.QDockWidget,
    ) -> None:
        self._window = window
        self._traces, self._energy, self._monitors = traces, energy, monitors
        self._tabbed = False
        self._lay_side_by_side()

    def arrange(self, *, tabbed: bool) -> None:
        """Traces and energy side by side, or behind each other where there is no room."""
        if tabbed == self._tabbed:
            return
        self._tabbed = tabbed
        if tabbed:
            self._window.tabifyDockWidget(self._traces, self._energy)
            self._traces.raise_()
            return
        # Beside a dock with tabs Qt would make one more tab, so all are laid out anew.
        docks = (self._traces, self._energy, self._monitors)
        hidden = [dock.isHidden() for dock in docks]
        for dock in docks:
            self._window.removeDockWidget(dock)
        for dock in docks:
            self._window.addDockWidget(Qt.BottomDockWidgetArea, dock)
        self._lay_side_by_side()
        for dock, was_hidden in zip(docks, hidden, strict=True):
            dock.setHidden(was_hidden)

    def _lay_side_by_side(self) -> None:
        self._window.splitDockWidget(self._traces, self._energy, Qt.Horizontal)
        self._window.tabifyDockWidget(self._traces, self._monitors)
