"""The safety copy: what is kept of a window that is killed, and what is said if nothing can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from wavelab.app.base.qt import QtCore
from wavelab.app.session import autosave
from wavelab.app.session.autosave import Autosave
from wavelab.errors import OutputError
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.toml.toml_io import dump_scene

SCENE = Scene(title="drawn", solver=Solver(element_size=0.1))


def titles(folder: Path) -> list[str]:
    """All that starts would offer, one after the other."""
    found = []
    mine = Autosave(folder)
    while (left := mine.left_behind()) is not None:
        found.append(left[1].title)
        left[0].unlink()
    mine.close()
    return found


def test_half_a_copy_is_none_and_is_cleared_away(tmp_path):
    """The first half of a scene is often a scene."""
    killed = Autosave(tmp_path)
    killed.keep(SCENE)
    for number in ("", "-2"):
        half = killed.path.with_name(f"{killed.path.stem}.partial{number}.toml")
        half.write_text(dump_scene(Scene(title="half", solver=SCENE.solver)))
    _, *rest = killed.path.with_suffix(".lock").read_text().splitlines()
    killed.close()
    (tmp_path / "unsaved-1-alone.partial.toml").write_text("")
    # As it stays after a kill; no process has this number.
    (tmp_path / "unsaved-1-2.lock").write_text("\n".join(["99999999", *rest, ""]))
    assert titles(tmp_path) == ["drawn"]
    assert list(tmp_path.iterdir()) == []


def test_what_an_open_window_is_writing_is_left_alone(tmp_path):
    window = Autosave(tmp_path)
    half = window.path.with_name(f"{window.path.stem}.partial.toml")
    half.write_text("")
    assert titles(tmp_path) == []
    assert half.exists()
    window.close()


def test_each_reason_why_nothing_can_be_kept_is_told_once(tmp_path, monkeypatch):
    reasons = iter(["full", "full", "torn", "", "torn"])

    def save(scene, path):
        if reason := next(reasons):
            raise OutputError(reason, remedy="Do this.")

    monkeypatch.setattr(autosave, "save_scene", save)
    kept = Autosave(tmp_path)
    told = [kept.keep(Scene(title=str(i), solver=SCENE.solver)) for i in range(5)]
    kept.close()
    assert [error and error.message.rpartition(": ")[2] for error in told] == [
        "full", None, "torn", None, "torn",
    ]  # fmt: skip
    assert told[0].remedy.startswith("Do this.")


def test_a_folder_that_was_cleared_away_is_made_again(tmp_path):
    kept = Autosave(tmp_path / "wavelab")
    assert kept.keep(SCENE) is None
    assert kept.path.is_file()
    kept.close()


def test_a_copy_is_offered_where_no_lock_can_be_written(tmp_path, monkeypatch):
    """As on a disk that is full."""
    kept = Autosave(tmp_path)
    kept.keep(SCENE)
    kept.close()

    class NoRoom:
        def __init__(self, *_):
            pass

        def tryLock(self, _):
            return False

        def unlock(self):
            pass

        def error(self):
            return QtCore.QLockFile.UnknownError

    monkeypatch.setattr(autosave, "_lock", NoRoom)
    assert titles(tmp_path) == ["drawn"]


@pytest.mark.parametrize("home", ["/dev/null/home", "/proc/1/nowhere"])
def test_the_window_works_without_a_home_and_says_what_that_means(
    start, small_scene, monkeypatch, home
):
    """Nobody can make a directory there, not even root."""
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("XDG_DATA_HOME", f"{home}/data")
    driver = start(small_scene)
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.until(lambda: driver.window.message.is_error)
    assert "not kept against a crash" in driver.window.message.text
    driver.next_frame()
    driver.press("Esc")
    driver.click(0.3, 0.5)
    driver.until(lambda: len(driver.session.scene.probes) == 2)
    driver.next_frame()
    assert not driver.window.message.is_error


def test_what_is_restored_is_in_a_file_at_every_moment(start, small_scene, monkeypatch):
    driver = start(small_scene)
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.until(driver.window.isWindowModified)
    driver.close()
    second = start(small_scene)
    folder, left = second.home / "wavelab", []
    unlink = Path.unlink

    def counted(path, *args, **kwargs):
        unlink(path, *args, **kwargs)
        left.append(len(list(folder.glob("unsaved-*.toml"))))

    monkeypatch.setattr(Path, "unlink", counted)
    second.window.message.button("Restore").click()
    assert left == [1]
