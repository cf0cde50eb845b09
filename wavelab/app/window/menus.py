"""The menus of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from wavelab.app.base.action_set import Menus
from wavelab.app.base.foreign_text import as_tip, on_menu, short_names
from wavelab.app.base.qt import QtWidgets
from wavelab.app.language.language import tr


class RecentMenu(QtWidgets.QMenu):
    """The files that were opened last."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(tr("Open re&cent"), parent)

    def show_paths(self, paths: list[Path], open_path: Callable[[Path], None]) -> None:
        """The newest first; each is opened by ``open_path``."""
        self.clear()
        names = short_names(paths)
        for path in paths:
            action = self.addAction(on_menu(names[path]))
            action.setToolTip(as_tip(str(path)))
            action.triggered.connect(lambda _, path=path: open_path(path))
        self.setEnabled(bool(paths))


def fill_menus(
    bar: QtWidgets.QMenuBar,
    menus: Menus,
    actions: Mapping[str, QtWidgets.QAction],
    recent: RecentMenu,
    docks: Iterable[QtWidgets.QDockWidget],
) -> None:
    """Put ``actions`` into ``bar`` as ``menus`` says."""
    toggles = [dock.toggleViewAction() for dock in docks]
    for title, ids in menus.items():
        menu = bar.addMenu(tr(title))
        menu.setToolTipsVisible(True)
        for id_ in ids:
            if id_ is None:
                menu.addSeparator()
            elif id_ == "recent":
                menu.addMenu(recent)
            elif id_ == "docks":
                menu.addActions(toggles)
            elif id_ == "language":
                menu.addMenu(tr("Langu&age")).addActions(
                    [action for name, action in actions.items() if name.startswith("language.")]
                )
            else:
                menu.addAction(actions[id_])
