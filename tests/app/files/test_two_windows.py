"""A file that is changed elsewhere is not replaced in silence."""

from __future__ import annotations

import os

from tests.app.conftest import SMALL_SCENE
from wavelab.app.edits import edits
from wavelab.scene.toml.toml_io import load_scene

ELSEWHERE = SMALL_SCENE.replace("Small box", "Changed elsewhere")


def edited(driver, order: int) -> None:
    driver.bench.editor.apply(edits.set_order(driver.session.scene, order))
    driver.settled()


def test_what_another_window_has_saved_is_not_replaced_unasked(driver, small_scene, tmp_path):
    edited(driver, 3)
    driver.press("Ctrl+S")
    assert not driver.session.modified
    edited(driver, 4)
    before = small_scene.stat()
    small_scene.write_text(ELSEWHERE)
    os.utime(small_scene, ns=(before.st_atime_ns, before.st_mtime_ns))  # whatever its time says
    for _ in range(2):
        driver.press("Ctrl+S")
        assert "changed by another program" in driver.window.message.text
        assert small_scene.read_text() == ELSEWHERE
        assert driver.session.modified
    driver.window.message.button("Replace it").click()
    assert load_scene(small_scene).solver.order == 4
    assert not driver.session.modified
    edited(driver, 5)
    driver.press("Ctrl+S")
    assert load_scene(small_scene).solver.order == 5


def test_or_it_is_saved_beside_it(driver, small_scene, tmp_path):
    edited(driver, 3)
    small_scene.write_text(ELSEWHERE)
    driver.press("Ctrl+S")
    driver.dialogs.path = tmp_path / "mine.toml"
    driver.window.message.button("Save under another name").click()
    assert load_scene(tmp_path / "mine.toml").solver.order == 3
    assert small_scene.read_text() == ELSEWHERE


def test_a_file_that_is_gone_or_as_it_was_is_written_at_once(driver, small_scene):
    edited(driver, 3)
    small_scene.write_text(small_scene.read_text())
    driver.press("Ctrl+S")
    assert load_scene(small_scene).solver.order == 3
    small_scene.unlink()
    edited(driver, 4)
    driver.press("Ctrl+S")
    assert load_scene(small_scene).solver.order == 4
