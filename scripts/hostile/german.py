"""Type numbers into a window whose C and Qt are German, save them, and read them.

A child of ``surroundings``: python -m scripts.hostile.german FOLDER
"""

from __future__ import annotations

import locale
import sys
import time
from pathlib import Path

from PyQt5.QtTest import QTest

from scripts.hostile.files import scene_of
from wavelab.app.base.qt import Qt, QtCore, make_application
from wavelab.app.base.settings import LaunchOptions
from wavelab.app.shell.program import Program
from wavelab.ctrl_c import leave
from wavelab.scene.toml.toml_io import dump_scene, load_scene, save_scene


def main() -> int:
    locale.setlocale(locale.LC_ALL, "")
    assert locale.localeconv()["decimal_point"] == ",", "the locale is not installed"
    QtCore.QLocale.setDefault(QtCore.QLocale(QtCore.QLocale.German))
    application = make_application()
    assert QtCore.QLocale().decimalPoint() == ","
    path = Path(sys.argv[1]) / "german.toml"
    save_scene(scene_of(2), path)
    program = Program(application, path, LaunchOptions(backend="numpy", tune=False))
    program.start()

    def until(reached) -> None:  # type: ignore[no-untyped-def]
        end = time.monotonic() + 60
        while not reached():
            assert time.monotonic() < end, program.window.message.text
            application.processEvents()
            program.workbench.catch_up()

    until(lambda: program.session.running is not None and not program.session.busy)
    size = program.window.mesh_panel.size
    for text, number in (("0,25", 0.25), ("0.35", 0.35), ("2,5e-1", 0.25), ("0,4", 0.4)):
        size.setFocus()
        size.selectAll()
        QTest.keyClicks(size, text)
        QTest.keyClick(size, Qt.Key_Return)
        until(lambda number=number: program.session.scene.solver.element_size == number)
        assert size.text() == f"{number:g}", size.text()
    until(lambda: not program.session.busy)
    program.workbench.files.save()
    assert "element_size = 0.4\n" in path.read_text()
    assert load_scene(path).solver.element_size == 0.4
    assert float(dump_scene(load_scene(path)).partition("element_size = ")[2].split()[0]) == 0.4
    assert locale.localeconv()["decimal_point"] == ".", "numbers of C are German again"
    program.window.close()
    program.close()
    print("right")
    return 0


if __name__ == "__main__":
    sys.exit(leave(main()))
