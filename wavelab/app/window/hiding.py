"""What of the window is hidden for the wave's sake: panels, and with them its marks or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wavelab.app.base.qt import QSize, Qt, QtCore, QtWidgets


class Hiding:
    """Bare is the wave alone in its walls; a presentation keeps all that is drawn on it, larger.

    Either hides the bars and docks; what comes back is laid out as it was.

    Parameters
    ----------
    window : whose docks are hidden.
    bars : what else is hidden, in the order in which it is shown again.
    docks : all of the window's.

    Attributes
    ----------
    bare, presenting : what is asked for; bare within a presentation takes its marks away.
    """

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        bars: Sequence[QtWidgets.QWidget],
        docks: Sequence[QtWidgets.QDockWidget],
    ) -> None:
        self._window, self._bars, self._docks = window, bars, docks
        self.bare = self.presenting = False
        self._layout: QtCore.QByteArray | None = None
        self._size = QSize()
        self._state = Qt.WindowStates()

    @property
    def panels_hidden(self) -> bool:
        return self.bare or self.presenting

    def show_bare(self, bare: bool) -> None:
        self._change(bare, self.presenting)

    def present(self, presenting: bool, *, fill_screen: bool) -> None:
        """Begin a presentation, or end it in the window as it was before."""
        if presenting == self.presenting:
            return
        if presenting:
            self._size, self._state = self._window.size(), self._window.windowState()
            self._change(self.bare, True)
            if fill_screen:
                self._window.showFullScreen()
            return
        if self._window.windowState() != self._state:
            self._window.setWindowState(self._state)
        self._change(self.bare, False)

    def resized(self, arrange: Callable[[], None]) -> None:
        """The window has another size; ``arrange`` lays out the docks for it if they are there.

        A window manager gives a window that filled the screen its size back only after a while, and
        until then the docks have other sizes than they had.
        """
        if self.panels_hidden:
            return
        if self._layout is not None and self._window.size() == self._size:
            self._window.restoreState(self._layout)
            self._layout = None
        arrange()

    def _change(self, bare: bool, presenting: bool) -> None:
        before = self.panels_hidden
        self.bare, self.presenting = bare, presenting
        hidden = self.panels_hidden
        if hidden == before:
            return
        if hidden:
            self._layout = self._window.saveState()
            if not presenting:
                self._size = self._window.size()
        for bar in self._bars:
            bar.setVisible(not hidden)
        if hidden:
            for dock in self._docks:
                dock.hide()
        elif self._layout is not None:
            self._window.restoreState(self._layout)
            if self._window.size() == self._size:
                self._layout = None
