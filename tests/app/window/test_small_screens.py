"""On small screens, and on large ones with large pixels, every window and dialog fits, whole."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: Opens one window after another, and prints for each: its name, whether its frame lies on the
#: screen, and the buttons and fields that are not wholly inside.
LOOK = """
import json, sys, time
from pathlib import Path
import numpy as np
from wavelab.app.base.qt import QtWidgets, make_application
from wavelab.app.base.settings import LaunchOptions
from wavelab.app.panels.dialogs.shortcut_sheet import ShortcutSheet
from wavelab.app.shell.program import Program
from wavelab.app.tools import TOOLS
from wavelab.app.window.dialogs import Dialogs, PictureSizeDialog
from wavelab.ctrl_c import leave

application = make_application()
program = Program(application, Path(sys.argv[1]), LaunchOptions(backend="numpy", tune=False))
program.start()
window, studies = program.window, program.workbench.studies

def settle():
    for _ in range(20):
        application.processEvents()
        time.sleep(0.005)

def look(widget, name, around=None):
    settle()
    screen = application.primaryScreen().availableGeometry()
    cut = []
    for part in widget.findChildren((QtWidgets.QAbstractButton, QtWidgets.QLineEdit)):
        away, over = not part.isVisible(), part.parent()
        while over is not None and over is not widget:
            # What scrolls can be reached, and so can what lies behind a tab.
            away |= isinstance(over, QtWidgets.QAbstractScrollArea)
            away |= isinstance(over, QtWidgets.QDockWidget) and over.visibleRegion().isEmpty()
            over = over.parent()
        if not away:
            place = part.rect().translated(part.mapTo(widget, part.rect().topLeft()))
            if not widget.rect().contains(place) or part.visibleRegion().isEmpty():
                cut.append(f"{type(part).__name__} {part.objectName() or part.toolTip()}")
    print(json.dumps([name, screen.contains(widget.frameGeometry()), cut]))

while program.session.running is None:
    settle()
look(window, "window")
for key in TOOLS:
    window.actions_by_id[f"tool.{key}"].trigger()
    look(window, f"tool {key}")
bar = window.tool_bar
assert all(bar.rect().contains(bar.widgetForAction(a).geometry()) for a in bar.actions())
for name in ("Properties", "Notes", "Monitors", "Energy"):
    dock = next(d for d in window.docks if d.objectName() == name)
    dock.show()
    dock.raise_()
    look(window, name)
    assert not dock.visibleRegion().isEmpty(), name
window.find_scene()
look(window, "gallery")
assert window.gallery.viewport().height() >= window.gallery.sizeHintForRow(1)
assert window.gallery.visibleRegion().boundingRect().height() >= window.gallery.sizeHintForRow(1)
assert window.canvas.height() > 100
for key in ("convergence", "doctor", "resonances"):
    studies[key].open()
    dialog = studies[key].dialog
    look(dialog, key)
    if key == "resonances":
        dialog.show_shape(np.zeros((320, 480, 3), np.uint8))
    if key != "doctor":
        dialog.show_table([["1"] * dialog.table.columnCount()] * 40, "")
        dialog.show_idle("A sentence of what has come out of it all. " * 8)
        look(dialog, f"{key} with results")
    dialog.close()
window.actions_by_id["shortcuts"].trigger()
sheet = window.findChild(ShortcutSheet)
look(sheet, "keys")
sheet.close()
size = PictureSizeDialog(window, (640, 480))
size.show()
look(size, "picture")
size.close()

def exec_(dialog):
    dialog.show()
    look(dialog, dialog.windowTitle())
    dialog.close()

QtWidgets.QDialog.exec_ = exec_
Dialogs(window).show_error("Error", "What was done has gone wrong.", "line\\n" * 200)
program.close()
leave(0)
"""


@contextmanager
def screen(size: str) -> Iterator[str]:
    """The name of a virtual display of that size."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("there is no virtual screen")
    listens, tells = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(tells), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=[tells],
        stderr=subprocess.DEVNULL,
    )
    os.close(tells)
    try:
        with os.fdopen(listens) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize(
    ("size", "scale"),
    [("1024x600", 1), ("1200x800", 1), ("1920x1080", 1.5), ("1920x1080", 2)],
    ids=lambda value: str(value),
)
def test_everything_fits_on_the_screen(small_scene, tmp_path, size, scale):
    home = tmp_path / "home"
    with screen(size) as display:
        done = subprocess.run(
            [sys.executable, "-c", LOOK, str(small_scene)],
            cwd=ROOT,
            env=os.environ
            | {
                "DISPLAY": display,
                "QT_QPA_PLATFORM": "xcb",
                "QT_SCALE_FACTOR": str(scale),
                # A screen of the test's own says nothing of the size of its pixels.
                "QT_FONT_DPI": "96",
                "XDG_DATA_HOME": str(home),
                "HOME": str(home),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(seen) > 20
    assert [name for name, fits, cut in seen if not fits or cut] == [], seen
