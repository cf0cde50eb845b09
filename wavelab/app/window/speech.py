"""Which language the window speaks, Qt's own words in it too."""

from __future__ import annotations

from wavelab.app.base.qt import QApplication, QtCore
from wavelab.app.language import language
from wavelab.app.language.catalogue import path_of
from wavelab.errors import WavelabError

#: Qt keeps no translator alive.
_installed: list[QtCore.QTranslator] = []


def speak(application: QApplication, wish: str) -> WavelabError | None:
    """Use the language that is wished for, or the system's, before a window is made.

    Parameters
    ----------
    wish : a code such as "de"; "" is that of the system.

    Returns what is wrong with the catalogue, if it cannot be read; the window speaks English then.
    """
    code = language.chosen(wish, tuple(QtCore.QLocale.system().uiLanguages()))
    trouble = None
    try:
        language.use(code)
    except (OSError, ValueError) as error:
        trouble = WavelabError(
            f"the translations cannot be read: {error}",
            where=path_of(code).name,
            remedy="The window speaks English. Install wavelab again, or put the file right.",
        )
        code = language.ENGLISH
        language.use(code)
    while _installed:
        application.removeTranslator(_installed.pop())
    if code == language.ENGLISH:
        return trouble
    # Buttons of dialogs, the menus of fields, file dialogs.
    translator = QtCore.QTranslator()
    folder = QtCore.QLibraryInfo.location(QtCore.QLibraryInfo.TranslationsPath)
    if translator.load(f"qtbase_{code}", folder):
        application.installTranslator(translator)
        _installed.append(translator)
    return None
