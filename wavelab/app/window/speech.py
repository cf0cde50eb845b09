"""Which language the window speaks, Qt's own words in it too."""

from __future__ import annotations

from wavelab.app.base.qt import QApplication, QtCore
from wavelab.app.language import language

#: Qt keeps no translator alive.
_installed: list[QtCore.QTranslator] = []


def speak(application: QApplication, wish: str) -> None:
    """Use the language that is wished for, or the system's, before a window is made.

    Parameters
    ----------
    wish : a code such as "de"; "" is that of the system.
    """
    code = language.chosen(wish, tuple(QtCore.QLocale.system().uiLanguages()))
    language.use(code)
    while _installed:
        application.removeTranslator(_installed.pop())
    if code == language.ENGLISH:
        return
    # Buttons of dialogs, the menus of fields, file dialogs.
    translator = QtCore.QTranslator()
    folder = QtCore.QLibraryInfo.location(QtCore.QLibraryInfo.TranslationsPath)
    if translator.load(f"qtbase_{code}", folder):
        application.installTranslator(translator)
        _installed.append(translator)
