"""Closing, defects and recovery: nothing is lost and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import pytest

from wavelab.app.base import failures
from wavelab.app.canvas.field import raster_field, raster_relief
from wavelab.app.canvas.field.raster_field import RasterField
from wavelab.app.edits import edits
from wavelab.app.session import autosave
from wavelab.app.session.autosave import Autosave
from wavelab.ctrl_c import ENDING
from wavelab.errors import SceneError
from wavelab.paths import SCENES
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.toml.toml_io import load_scene, save_scene

ROOT = Path(__file__).resolve().parents[3]

# The fixture ``nothing_left``, a part of ``start``, looks for threads and children afterwards.


def test_closing_while_running(driver):
    driver.press("U")
    driver.next_frame()
    driver.window.close()
    assert not driver.program.solver.is_alive()


def test_closing_while_meshing(driver):
    driver.window.mesh_panel.size.changed.emit(0.004)
    driver.until(lambda: driver.session.preparing is not None)
    driver.dialogs.answer = "discard"
    driver.window.close()
    assert not driver.program.solver.is_alive()


def test_closing_before_the_first_wave(start, small_scene, application, nothing_left):
    from tests.app.conftest import Driver

    driver = Driver(application, small_scene)
    driver.program.start()
    driver.close()
    assert not driver.program.solver.is_alive()


#: With another home, too, compiled kernels are where PoCL has them else.
KERNELS = {
    "POCL_CACHE_DIR": os.environ.get("POCL_CACHE_DIR")
    or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pocl", "kcache"
    )
}

OPEN_TO_THE_END = """
import sys
from pathlib import Path
from tests.app.conftest import Driver
from wavelab.app.base.qt import make_application

driver = Driver(make_application(), Path(sys.argv[1])).start()
driver.dialogs.path = Path(sys.argv[2])
driver.press("F9")
driver.until(lambda: (r := driver.session.solver.recording) is not None and r.frames >= 3)
assert driver.canvas.hasFocus()
"""


def test_a_script_that_ends_with_the_window_open_closes_it_quietly(
    application, small_scene, tmp_path
):
    movie = tmp_path / "wave.gif"
    done = subprocess.run(
        [sys.executable, "-c", OPEN_TO_THE_END, str(small_scene), str(movie)],
        cwd=ROOT,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    with av.open(str(movie)) as opened:
        assert len(list(opened.decode(video=0))) >= 3


ENDED_BY_A_SIGNAL = """
import os, signal, sys
from pathlib import Path
from wavelab.app.base.qt import QTimer, QtWidgets
from wavelab.app.edits import edits
from wavelab.app.shell import main
from wavelab.app.window.dialogs import PictureSizeDialog
from wavelab.ctrl_c import hear_all

class Program(main.Program):
    def start(self):
        super().start()
        QTimer.singleShot(0, self.work)

    def work(self):
        session = self.session
        if session.busy or session.running is None:
            QTimer.singleShot(20, self.work)
            return
        self.workbench.editor.apply(edits.set_order(session.scene, 3))
        QTimer.singleShot(200, lambda: os.kill(os.getpid(), int(sys.argv[2])))
        PictureSizeDialog(self.window, (640, 480)).exec_()

main.Program = Program
hear_all()
sys.exit(main.run_window(Path(sys.argv[1])))
"""


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_signal_closes_the_window_and_its_dialog_and_keeps_the_work(
    application, small_scene, tmp_path, number
):
    done = subprocess.run(
        [sys.executable, "-c", ENDED_BY_A_SIGNAL, str(small_scene), str(int(number))],
        cwd=ROOT,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)} | KERNELS,
        preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in ENDING],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    (kept,) = tmp_path.glob("home/**/unsaved-*.toml")
    assert load_scene(kept).solver.order == 3
    assert not list(tmp_path.glob("home/**/*.lock"))


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_closing_while_recording_finishes_the_movie(driver, tmp_path, suffix):
    path = driver.dialogs.path = tmp_path / f"wave{suffix}"
    driver.press("U")
    driver.press("F9")
    driver.until(lambda: (r := driver.session.solver.recording) is not None and r.frames >= 3)
    driver.window.close()
    assert not driver.program.solver.is_alive()
    with av.open(str(path)) as movie:
        assert len(list(movie.decode(video=0))) >= 3
    assert [p.name for p in tmp_path.iterdir() if "wave" in p.name] == [path.name]


def test_meshing_can_be_cancelled(driver):
    driver.window.mesh_panel.size.changed.emit(0.004)
    driver.until(lambda: driver.window.progress.isVisible())
    driver.window.progress.cancel.click()
    assert driver.session.scene.solver.element_size == 0.2
    driver.settled()
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    driver.until(lambda: not driver.window.progress.isVisible())


def test_an_exception_in_a_slot_is_shown_once_and_the_program_goes_on(driver):
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.until(driver.window.isWindowModified)

    def fails(*_):
        raise ZeroDivisionError("a test's defect")

    driver.canvas.hovered.connect(fails)
    for x in (0.3, 0.4, 0.6):
        driver.click(x, 0.3)
    driver.until(lambda: driver.dialogs.errors)
    driver.next_frame()
    ((_, text, report),) = driver.dialogs.errors
    assert "a test's defect" in text
    assert "fails" in report
    driver.canvas.hovered.disconnect(fails)
    kept = list((driver.home / "wavelab").glob("unsaved-*.toml"))
    assert len(kept) == 1
    assert sys.excepthook == driver.program.exception_hook.caught


def test_a_users_error_in_a_slot_goes_to_the_message_bar(driver):
    def fails(*_):
        raise SceneError("no such thing", remedy="Choose another.")

    driver.canvas.hovered.connect(fails)
    driver.click(0.5, 0.5)
    driver.until(lambda: driver.window.message.is_error)
    assert driver.window.message.text == "No such thing\nChoose another."
    assert driver.dialogs.errors == []


def test_the_hook_is_given_back(driver):
    assert sys.excepthook == driver.program.exception_hook.caught
    driver.window.close()
    assert sys.excepthook != driver.program.exception_hook.caught


def test_keyboard_interrupts_are_not_swallowed(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda *a: seen.append(a))
    hook = failures.ExceptionHook(save=seen.clear, complain=seen.clear, show=seen.clear)
    hook.caught(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(seen) == 1


def test_unsaved_work_is_offered_at_the_next_start(start, small_scene):
    driver = start(small_scene)
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.until(driver.window.isWindowModified)
    driver.close()
    second = start(small_scene)
    assert "was not saved" in second.window.message.text
    # What happens meanwhile does not take the offer away, and takes its buttons' place.
    second.window.message.inform("Writing a.png\u2026")
    assert not second.window.message.button("Restore")
    second.window.message.inform("Picture saved")
    assert second.window.message.text == "Picture saved"
    second.press("Esc")
    assert "was not saved" in second.window.message.text
    # Another scene does, and says what it is about; it is not lost.
    second.bench.files.open_path(SCENES / "disk.toml")
    second.settled()
    second.until(lambda: second.window.message.text == second.session.scene.description)
    second.press("Esc")
    assert second.window.message.text == ""
    second.close()
    second = start(small_scene)
    second.window.message.inform("News")
    second.bench.files.open_path(SCENES / "disk.toml")
    second.settled()
    second.press("Esc")
    assert second.window.message.text == ""
    second.close()
    second = start(small_scene)
    second.window.message.button("Restore").click()
    second.settled()
    assert [probe.name for probe in second.session.scene.probes] == ["probe 1"]
    # It is still not saved, so it is offered once more.
    second.close()
    third = start(small_scene)
    assert "was not saved" in third.window.message.text
    third.window.message.button("Discard").click()
    third.close()
    assert "was not saved" not in start(small_scene).window.message.text


def with_a_probe(driver, x: float = 0.5):
    driver.press("B")
    driver.click(x, 0.5)
    driver.until(driver.window.isWindowModified)
    return driver


def test_nothing_is_asked_where_nothing_was_changed(driver):
    driver.click(0.5, 0.5)  # a ping is no change of the scene
    driver.press("G")
    driver.window.close()
    assert driver.dialogs.asked == []
    assert not driver.window.isVisible()


def test_unsaved_work_is_saved_discarded_or_gone_on_with(start, small_scene):
    driver = with_a_probe(start(small_scene))
    driver.press("Ctrl+Q")
    assert driver.dialogs.asked == ["Small box"]
    assert driver.window.isVisible()
    driver.next_frame()  # and the wave goes on
    driver.dialogs.answer = "save"
    driver.window.close()
    assert not driver.window.isVisible()
    assert load_scene(small_scene).probes[0].name == "probe 1"
    driver.close()
    driver = with_a_probe(start(small_scene), x=0.7)
    driver.dialogs.answer = "discard"
    driver.window.close()
    assert not driver.window.isVisible()
    driver.close()
    assert len(load_scene(small_scene).probes) == 1
    assert "was not saved" not in start(small_scene).window.message.text


def test_who_gives_up_saving_goes_on(start):
    driver = with_a_probe(start(SCENES / "disk.toml"))
    driver.dialogs.answer = "save"  # a shipped scene under another name, which nobody gives
    driver.window.close()
    assert driver.window.isVisible()


def test_another_scene_takes_the_place_of_unsaved_work_which_undo_brings_back(driver):
    scene = with_a_probe(driver).session.scene
    driver.bench.files.open_path(SCENES / "disk.toml")
    assert "Small box\u201d was not saved; Ctrl+Z brings it back." in driver.window.message.text
    assert driver.dialogs.asked == []
    driver.press("Ctrl+Z")
    assert driver.session.scene == scene
    assert "was not saved" not in driver.window.message.text
    driver.until(driver.window.isWindowModified)


def test_saved_work_is_not_offered_again(start, small_scene, tmp_path):
    driver = start(small_scene)
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.dialogs.path = tmp_path / "mine.toml"
    driver.until(driver.window.isWindowModified)
    driver.press("Ctrl+S")
    driver.until(lambda: not driver.window.isWindowModified())
    driver.close()
    second = start(small_scene)
    assert "was not saved" not in second.window.message.text


def test_a_window_that_is_open_keeps_its_copy_to_itself(tmp_path):
    scene = Scene(title="drawn", solver=Solver(element_size=0.1))
    first, second = Autosave(tmp_path), Autosave(tmp_path)
    first.keep(scene)
    assert second.left_behind() is None
    first.close()
    assert second.left_behind()[1].title == "drawn"
    second.close()


def test_a_copy_that_cannot_be_removed_stands_in_nobodys_way(tmp_path):
    kept = Autosave(tmp_path)
    kept.path.mkdir()
    kept.forget()
    kept.close()


@pytest.mark.parametrize("what", ["field", "relief"])
def test_what_cannot_be_painted_is_told_once_and_not_tried_for_ever(driver, monkeypatch, what):
    if not isinstance(driver.canvas.field, RasterField):
        pytest.skip("a graphics card paints the field here")
    driver.until(lambda: driver.canvas.field.sharp)
    tried = []

    def fails(*_):
        tried.append(what)
        raise ValueError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(raster_field, "PixelSampler", fails)
        patch.setattr(raster_relief, "Relief", fails)
        driver.press("J" if what == "relief" else "+")
        driver.until(lambda: driver.dialogs.errors)
        # Each frame is painted, and each painting could begin anew.
        end = time.monotonic() + 3 * raster_field.REST_MS / 1000
        driver.until(lambda: time.monotonic() > end)
        driver.next_frame()
        assert tried == [what]
        ((_, text, _),) = driver.dialogs.errors
        assert "no room" in text
    driver.bench.editor.apply(edits.set_order(driver.session.scene, 3))
    driver.settled()
    driver.until(lambda: driver.canvas.field.sharp)


def test_an_edit_is_written_once(start, small_scene, monkeypatch):
    driver = start(small_scene)
    written = []

    def save(scene, path):
        written.append(scene)
        save_scene(scene, path)

    monkeypatch.setattr(autosave, "save_scene", save)
    driver.bench.editor.apply(edits.set_order(driver.session.scene, 3))
    driver.settled()
    driver.next_frame()
    assert written == [driver.session.scene]
    driver.press("Ctrl+Z")
    driver.settled()
    driver.press("Ctrl+Shift+Z")
    driver.settled()
    driver.next_frame()
    assert written == [driver.session.scene] * 2
    assert load_scene(*driver.home.glob("**/unsaved-*.toml")).solver.order == 3


def test_a_copy_that_goes_while_it_is_looked_at_is_none(tmp_path):
    gone = Autosave(tmp_path)
    gone.keep(Scene(title="drawn", solver=Solver(element_size=0.1)))
    gone.close()
    # As a file that its window removes between the look at the directory and the look at it.
    (tmp_path / "unsaved-1-2.toml").symlink_to(tmp_path / "nowhere")
    mine = Autosave(tmp_path)
    assert mine.left_behind()[1].title == "drawn"
    mine.close()


def test_a_first_scene_that_cannot_run_gives_the_default_one(start, tmp_path):
    path = tmp_path / "thin.toml"
    path.write_text(
        'title = "Crossed"\n[domain]\nshape = "polygon"\n'
        "vertices = [[0, 0], [1, 1], [1, 0], [0, 1]]\n[solver]\nelement_size = 0.2\n"
    )
    driver = start(path)
    assert driver.window.message.is_error
    assert driver.session.running.scene.title != "Crossed"


def test_damaged_preferences_do_not_stop_the_start(start, small_scene, tmp_path):
    home = tmp_path / "home" / "wavelab"
    home.mkdir(parents=True)
    (home / "preferences.toml").write_text('theme = "purple"\nrecent = ["/gone"]\ngeometry = "xyz"')
    driver = start(small_scene)
    assert driver.window.theme.name == "dark"
    assert not driver.window.message.is_error
