"""Windows no larger than the screen they open on."""

from __future__ import annotations

from wavelab.app.base.qt import QApplication, QRect, QSize, Qt, QtGui, QTimer, QtWidgets


def room_for(window: QtWidgets.QWidget) -> QRect:
    """Where the inside of a window may lie, so that its frame lies within its screen.

    Before a window manager has framed it, a title bar as high as the style has it is taken off.
    """
    screen = window.screen() or QApplication.primaryScreen()
    room, frame, inside = screen.availableGeometry(), window.frameGeometry(), window.geometry()
    if frame == inside and not window.windowFlags() & Qt.FramelessWindowHint:
        title = window.style().pixelMetric(QtWidgets.QStyle.PM_TitleBarHeight, None, window)
        return room.adjusted(0, title, 0, 0)
    return room.adjusted(
        inside.left() - frame.left(),
        inside.top() - frame.top(),
        inside.right() - frame.right(),
        inside.bottom() - frame.bottom(),
    )


def fit_on_screen(window: QtWidgets.QWidget, wished: QSize | None = None) -> None:
    """Give a window a size, by default its own, or as much of it as its screen has room for, and
    move it inside."""
    room = room_for(window)
    # What the layout needs at least would stand in the way of a lower screen.
    window.setMinimumSize(window.minimumSize().boundedTo(room.size()))
    window.resize((wished or window.size()).boundedTo(room.size()))
    place = window.geometry()
    place.moveRight(min(place.right(), room.right()))
    place.moveBottom(min(place.bottom(), room.bottom()))
    place.moveLeft(max(place.left(), room.left()))
    place.moveTop(max(place.top(), room.top()))
    window.setGeometry(place)


def display_rate(application: QApplication) -> float:
    """Pictures a second that the first screen shows."""
    rate = application.primaryScreen().refreshRate()
    # Remote and virtual screens report nonsense now and then.
    return rate if 20.0 <= rate <= 240.0 else 60.0


class Dialog(QtWidgets.QDialog):
    """One that opens within its screen, and has a picture only while it is there.

    Qt keeps the picture of a window that is hidden, 4 bytes a pixel, in memory shared with the X
    server, as long as it has a place in the window system.
    """

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        fit_on_screen(self)

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # not only minimised
            QTimer.singleShot(0, self._leave)  # Qt is still at hiding it

    def _leave(self) -> None:
        """Give up the place in the window system; the next ``show`` asks for another."""
        if not self.isVisible():
            self.destroy()
