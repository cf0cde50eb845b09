"""A picture in a dialog."""

from __future__ import annotations

from wavelab.app.base.qt import QPixmap, QSize, QSizeF, Qt, QtGui, QtWidgets
from wavelab.app.base.theme import GRID


class PictureLabel(QtWidgets.QLabel):
    """Shows a picture, smaller where the dialog has less room.

    Parameters
    ----------
    text : in its place until there is one.
    wished : size in pixels, where there is room.
    """

    def __init__(self, text: str, wished: tuple[int, int]) -> None:
        super().__init__(text)
        self._wished = QSize(*wished)
        self.setObjectName("muted")
        self.setAlignment(Qt.AlignCenter)
        self.setMinimumSize(30 * GRID, 20 * GRID)
        self._picture: QPixmap | None = None

    def show_picture(self, picture: QPixmap) -> None:
        """As large as it is, in pixels of the screen, or as large as there is room for."""
        self._picture = picture
        ratio = self.devicePixelRatioF()
        room = (QSizeF(self.size()) * ratio).toSize()
        if picture.width() > room.width() or picture.height() > room.height():
            picture = picture.scaled(room, Qt.KeepAspectRatio, Qt.SmoothTransformation)
        picture.setDevicePixelRatio(ratio)
        self.setPixmap(picture)

    def minimumSizeHint(self) -> QSize:
        """Not that of the picture, which gives way."""
        return self.minimumSize()

    def sizeHint(self) -> QSize:
        return self._wished

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._picture is not None:
            self.show_picture(self._picture)
