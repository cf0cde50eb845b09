"""The bar of tools at the left edge."""

from __future__ import annotations

from collections.abc import Iterable

from wavelab.app.base.qt import QSize, QtGui, QtWidgets
from wavelab.app.language.language import tr

#: Pixels of the icons, the largest first; where there is no room for all buttons they are smaller.
ICON_SIZES = (24, 22, 20, 18, 16, 14, 12)


class ToolBar(QtWidgets.QToolBar):
    """A vertical bar with a button for each action, whose icons shrink in a low window.

    Parameters
    ----------
    groups : actions with a line between one group and the next.
    """

    def __init__(self, *groups: Iterable[QtWidgets.QAction]) -> None:
        super().__init__(tr("Tools"))
        self.setObjectName("tools")
        self.setMovable(False)
        self.setIconSize(QSize(ICON_SIZES[0], ICON_SIZES[0]))
        for number, group in enumerate(groups):
            if number:
                self.addSeparator()
            self.addActions(group)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        buttons = sum(not action.isSeparator() for action in self.actions())
        now = self.iconSize().height()
        around = self.sizeHint().height() - buttons * now
        fitting = (size for size in ICON_SIZES if around + buttons * size <= self.height())
        size = next(fitting, ICON_SIZES[-1])
        if size != now:
            self.setIconSize(QSize(size, size))
