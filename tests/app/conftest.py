"""The whole program in a real window, with its dialogs answered by the test."""

from __future__ import annotations

import gc
import math
import os
import sys
import time
from pathlib import Path

import av
import numpy as np
import pytest

from tests.app import leftovers
from tests.app.leftovers import PATIENCE
from tests.app.lent_meshers import LENT
from tests.sample_scenes import boxed
from wavelab.meshing import meshing_child
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.solver.questions import PingsTaken, TakePings
from wavelab.timeline import NO_TIMELINE

SMALL_SCENE = boxed(
    "Small box",
    """\
[solver]
element_size = 0.2
order = 2
precision = "double"
""",
)

STANDING_SCENE = boxed(
    "Standing",
    """\
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[solver]
element_size = 0.2
order = 2
""",
)


class ScriptedDialogs:
    """Answers at once, and remembers what was shown."""

    def __init__(self):
        self.path: Path | None = None
        self.size, self.room = (96, 64), True
        self.memory: int | None = None
        self.waves = ""
        self.style, self.parts = None, ()
        self.medium = None
        self.layers = None
        self.errors: list[tuple[str, str, str]] = []
        self.about: list[str] = []
        self.answer = "cancel"
        self.asked: list[str] = []

    def ask_to_save(self, title):
        self.asked.append(title)
        return self.answer

    def open_file(self, title, directory, filters):
        return self.path

    def save_file(self, title, suggestion, filters):
        return self.path

    def picture_size(self, suggestion):
        from wavelab.app.window.dialogs import PictureWish

        return PictureWish(*self.size, self.room)

    def figure(self, style, parts):
        self.parts = parts
        return self.style

    def choose_waves(self, title, physics):
        return self.waves or physics

    def choose_medium(self, physics, micrometres):
        return self.medium

    def choose_layers(self, title, document, layers, physics, micrometres):
        return None if self.layers is None else self.layers(layers)

    def memory_of_past(self, mib):
        return self.memory

    def show_error(self, title, text, details):
        self.errors.append((title, text, details))

    def show_about(self, text):
        self.about.append(text)


def decoded(path) -> list[np.ndarray]:
    """All pictures of a PNG or a movie, (height, width, 3) uint8."""
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def strength(driver) -> float:
    """Largest |value| of the newest frame."""
    return float(np.abs(driver.bench.presenter.frame.values).max())


def pick(box, text: str) -> None:
    """Choose an entry of a box with the arrow keys."""
    from PyQt5.QtTest import QTest

    from wavelab.app.base.qt import Qt

    wanted = [box.itemText(i) for i in range(box.count())].index(text)
    box.setFocus()
    while box.currentIndex() != wanted:
        QTest.keyClick(box, Qt.Key_Down if box.currentIndex() < wanted else Qt.Key_Up)


class Driver:
    """A program with what a test needs to use it like a person."""

    def __init__(
        self, application, scene_path: Path | None, timeline=NO_TIMELINE, far=None, **options
    ):
        from wavelab.app.base.settings import LaunchOptions
        from wavelab.app.shell.program import Program

        self.application = application
        self.closed = False
        self.home = Path(os.environ["XDG_DATA_HOME"])
        self.dialogs = ScriptedDialogs()
        options = {"backend": "numpy", "tune": False, "language": "en"} | options
        self.program = Program(
            application,
            scene_path,
            LaunchOptions(**options),
            dialogs=self.dialogs,
            timeline=timeline,
            far=far,
        )
        self.window = self.program.window
        self.canvas = self.window.canvas
        self.session = self.program.session
        self.bench = self.program.workbench

    def start(self):
        self.program.start()
        self.window.resize(1000, 700)
        # No window manager runs on a virtual screen to activate it.
        self.application.setActiveWindow(self.window)
        self.until(lambda: self.bench.presenter.frame is not None)
        return self

    def until(self, condition, patience: float = PATIENCE) -> None:
        """Handle events until ``condition()`` holds; fails when it does not come true."""
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, f"not in {patience} s; {self.window.message.text!r}"
            self.application.processEvents()
            self.bench.catch_up()  # what these events have changed is shown in the next turn
            time.sleep(0.004)

    def settled(self) -> None:
        """Wait until the scene that is wished for is the one on show."""
        self.until(
            lambda: (
                not self.session.busy
                and self.session.running is not None
                and self.bench.presenter.frame is not None
                and self.bench.presenter.frame.generation == self.session.running.generation
            )
        )

    def next_frame(self) -> None:
        before = self.bench.presenter.frame
        self.until(lambda: self.bench.presenter.frame is not before)

    def pings(self) -> tuple[Ping, ...]:
        """All that were given since the beginning."""
        taken: list[PingsTaken] = []
        self.session.solver.ask(TakePings(), taken.append)
        self.until(lambda: bool(taken))
        assert taken[0].pings is not None
        return taken[0].pings

    def place(self, x: float, y: float):
        """The pixel of a place in the scene."""
        from wavelab.app.base.qt import QPoint

        column, row = self.canvas.view.to_pixels((x, y))
        return QPoint(round(column), round(row))

    def click(self, x: float, y: float, **keywords) -> None:
        from PyQt5.QtTest import QTest

        from wavelab.app.base.qt import Qt

        self.point(x, y)
        QTest.mouseClick(self.canvas, Qt.LeftButton, pos=self.place(x, y), **keywords)

    def point(self, x: float, y: float) -> None:
        from tests.app.pointer import move_to

        move_to(self.canvas, lambda: self._uncovered(x, y))

    def _uncovered(self, x: float, y: float):
        """The pixel of a place; a message that lies over it is dismissed, as a person does it who
        does not want to wait until it goes by itself."""
        place, message = self.place(x, y), self.window.message
        if message.shown and message.geometry().contains(place):
            message.dismiss.click()
        return place

    def drag(self, *places, modifier=0, release: bool = True) -> None:
        """The mouse from place to place in the scene, with its left button held."""
        from PyQt5.QtTest import QTest

        from wavelab.app.base.qt import Qt

        self.point(*places[0])
        modifiers = Qt.KeyboardModifiers(modifier)
        QTest.mousePress(self.canvas, Qt.LeftButton, modifiers, self.place(*places[0]))
        for x, y in places[1:]:
            self.pull(x, y, modifier=modifier)
        if release:
            self.let_go(*places[-1], modifier=modifier)

    def pull(self, x: float, y: float, modifier=0) -> None:
        """The mouse with its left button held."""
        from wavelab.app.base.qt import Qt

        self._move(x, y, Qt.LeftButton, modifier)

    def hover(self, x: float, y: float, modifier=0) -> None:
        """The mouse with no button held; the pointer of the screen stays where it is."""
        from wavelab.app.base.qt import Qt

        self._move(x, y, Qt.NoButton, modifier)

    def _move(self, x: float, y: float, buttons, modifier) -> None:
        from wavelab.app.base.qt import QEvent, QPointF, Qt, QtGui

        at, keys = QPointF(self.place(x, y)), Qt.KeyboardModifiers(modifier)
        move = QtGui.QMouseEvent(QEvent.MouseMove, at, Qt.NoButton, buttons, keys)
        self.application.sendEvent(self.canvas, move)

    def let_go(self, x: float, y: float, modifier=0) -> None:
        """The end of a drag."""
        from PyQt5.QtTest import QTest

        from wavelab.app.base.qt import Qt

        keys = Qt.KeyboardModifiers(modifier)
        QTest.mouseRelease(self.canvas, Qt.LeftButton, keys, self.place(x, y))

    def press(self, text: str) -> None:
        """Type a key sequence such as "Ctrl+Z" into the canvas."""
        from PyQt5.QtTest import QTest

        from wavelab.app.base.qt import QKeySequence, Qt

        self.canvas.setFocus()
        combination = QKeySequence(text)[0]
        modifiers = Qt.KeyboardModifiers(combination & int(Qt.KeyboardModifierMask))
        key = Qt.Key(combination & ~int(Qt.KeyboardModifierMask))
        QTest.keyClick(self.canvas, key, modifiers)

    def drop(self, path: Path) -> None:
        """Let a file fall on the window."""
        from wavelab.app.base.qt import QPointF, Qt, QtCore, QtGui, QUrl

        data = QtCore.QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        common = (Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier)
        enter = QtGui.QDragEnterEvent(QtCore.QPoint(200, 200), *common)
        self.application.sendEvent(self.window, enter)
        assert enter.isAccepted()
        self.application.sendEvent(self.window, QtGui.QDropEvent(QPointF(200, 200), *common))

    def close(self) -> None:
        from wavelab.app.base.qt import QEvent

        if self.closed:
            return
        self.closed = True
        self.program.leave()
        self.program.close()
        self.window.deleteLater()
        # Widgets of closed windows would slow every later change of the style sheet.
        self.application.sendPostedEvents(None, QEvent.DeferredDelete)
        self.application.processEvents()


@pytest.fixture(scope="session")
def application():
    # Asked here and not when this file is read, which may be before there is an X server.
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        pytest.skip("a window needs a display")
    from wavelab.app.base.qt import make_application

    made = make_application()
    made.setQuitOnLastWindowClosed(False)
    gc.freeze()  # what is loaded by now stays: after every test it is looked for what does not
    return made


@pytest.fixture(scope="module", autouse=True)
def no_garbage_in_other_threads():
    """Threads of the program do not take apart what belongs to the window, as in the program."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture
def small_scene(tmp_path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_SCENE, encoding="utf-8")
    return path


@pytest.fixture(scope="session", autouse=True)
def shared_previews():
    """Pictures of shipped scenes are drawn once, and not for the gallery of each window."""
    from wavelab.app.panels.gallery import gallery

    drawn, draw = {}, gallery.preview

    def preview(path, scene, size, theme):
        key = path, size.width(), size.height(), theme.name
        if key not in drawn:
            drawn[key] = draw(path, scene, size, theme)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "preview", preview)
        yield
    drawn.clear()


@pytest.fixture(scope="session", autouse=True)
def meshers():
    """End with the tests."""
    yield
    LENT.close()


@pytest.fixture(autouse=True)
def nothing_left(request, a_child_for_each_mesh):
    """Fails if widgets, timers, threads or child processes outlive the test."""
    with pytest.MonkeyPatch.context() as patch, leftovers.nothing_left(patch):
        patch.setattr(meshing_child, "MeshingChild", LENT)
        yield
        request.node.funcargs.clear()  # pytest would keep windows alive by them
        gc.collect(1)


@pytest.fixture
def start(application, tmp_path, monkeypatch):
    """Starts programs, each closed at the end of the test, with a home of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    # A run of edits is one step however slow the machine is.
    monkeypatch.setattr("wavelab.app.edits.history.PAUSE", math.inf)
    drivers: list[Driver] = []

    def started(scene_path: Path | None, **options) -> Driver:
        drivers.append(Driver(application, scene_path, **options))
        return drivers[-1].start()

    yield started
    for driver in drivers:
        driver.close()


@pytest.fixture
def at_rest(start, tmp_path):
    """Starts the standing wave, with more lines to its scene, and holds it at its beginning."""

    def started(more: str = "", **options) -> Driver:
        path = tmp_path / "standing.toml"
        path.write_text(STANDING_SCENE + more)
        driver = start(path, **options)
        driver.press("Space")
        driver.press("Ctrl+R")
        driver.until(lambda: not driver.bench.presenter.frame.playing)
        driver.until(lambda: driver.bench.presenter.frame.time == 0)
        return driver

    return started


@pytest.fixture
def driver(start, small_scene) -> Driver:
    return start(small_scene)


@pytest.fixture
def shown_canvas(application):
    """Shows canvases of a size on the screen, with what they complain of in ``problems``."""
    from PyQt5.QtTest import QTest

    from wavelab.app.canvas.canvas import Canvas

    shown: list[Canvas] = []

    def show(width: int, height: int) -> Canvas:
        made = Canvas()
        shown.append(made)
        made.problems = []
        made.failed.connect(made.problems.append)
        made.resize(width, height)
        made.show()
        assert QTest.qWaitForWindowExposed(made)
        return made

    yield show
    for made in shown:
        made.close()
        made.deleteLater()
    application.processEvents()
