"""The lesson beside the scene: it comes up, it is read, it is written, and it goes along."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import SMALL_SCENE
from wavelab.app.base.qt import QImage, Qt, QtCore
from wavelab.scene.toml.toml_io import load_scene

NOTES = """\
## What to do
1. Drag from *crest* to crest.
2. <b>Not</b> bold.

| f | λ |
|---|---|
| 2 | 0.5 |

![a picture](/etc/passwd) [a page](https://example.org)
"""


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "lesson.toml"
    path.write_text(f'description = "Of *waves*."\nnotes = """\n{NOTES}"""\n{SMALL_SCENE}')
    return path


def test_a_lesson_comes_up_and_goes_with_the_next_scene(start, small_scene, lesson):
    driver = start(lesson)
    dock, panel = driver.window.notes_dock, driver.window.notes_panel
    driver.until(dock.isVisible)
    text = panel.page.toPlainText()
    # What the title and the description say is no Markdown, and the notes are no HTML.
    assert text.startswith("Small box\nOf *waves*.\nWhat to do\n")
    assert "Drag from crest to crest." in text
    assert "<b>Not</b> bold." in text
    assert "0.5" in text
    # The message bar does not say the same once more.
    driver.bench.files.open_path(small_scene)
    driver.settled()
    driver.until(dock.isHidden)
    driver.bench.files.open_path(lesson)
    driver.settled()
    driver.until(dock.isVisible)
    assert "waves" not in driver.window.message.text


def test_who_opened_the_notes_keeps_them(driver, lesson, small_scene):
    dock = driver.window.notes_dock
    assert dock.isHidden()
    driver.press("N")
    assert dock.isVisible()
    assert "No notes yet" in driver.window.notes_panel.page.toPlainText()
    driver.bench.files.open_path(lesson)
    driver.settled()
    driver.bench.files.open_path(small_scene)
    driver.settled()
    assert dock.isVisible()
    driver.press("N")
    assert dock.isHidden()


def test_a_long_lesson_begins_at_its_beginning(start, tmp_path):
    """Also that of the next scene; but what is edited beside a reader stays where it is."""
    paths = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for path in paths:
        lines = "\n\n".join(f"Line {n}." for n in range(80))
        scene = SMALL_SCENE.replace("Small box", path.stem)
        path.write_text(f'notes = """\n{lines}"""\n{scene}')
    driver = start(paths[0])
    panel = driver.window.notes_panel
    driver.until(lambda: driver.window.notes_dock.isVisible())
    bar = panel.page.verticalScrollBar()
    driver.until(lambda: bar.maximum() > 200)
    assert bar.value() == 0
    bar.setValue(150)
    panel.show_texts("one", "", panel.notes.toPlainText() + "\n\nOne more.")
    assert bar.value() == 150
    # While one writes it is not laid out, and then it is.
    panel.write.click()
    panel.show_texts("one", "", panel.notes.toPlainText() + "\n\nTwo more.")
    assert "Two more" not in panel.page.toPlainText()
    panel.write.click()
    assert "Two more" in panel.page.toPlainText()
    driver.bench.files.open_path(paths[1])
    driver.settled()
    driver.until(lambda: panel.page.toPlainText().startswith("two"))
    assert bar.value() == 0


def test_nothing_that_notes_name_is_loaded(start, lesson, tmp_path):
    red = QImage(40, 40, QImage.Format_RGB32)
    red.fill(Qt.red)
    assert red.save(str(tmp_path / "red.png"))
    lesson.write_text(lesson.read_text().replace("/etc/passwd", str(tmp_path / "red.png")))
    driver = start(lesson)
    page = driver.window.notes_panel.page
    driver.until(page.isVisible)
    shown = page.grab().toImage()
    colours = {shown.pixel(x, y) for x in range(shown.width()) for y in range(shown.height())}
    assert len(colours) > 5
    assert red.pixel(0, 0) not in colours
    for kind in (1, 2, 3):
        loaded = page.document().resource(kind, QtCore.QUrl.fromLocalFile(str(lesson)))
        assert "Small box" not in bytes(loaded if kind != 2 else b"").decode()
    assert not page.openLinks()


def test_what_is_being_written_is_kept_when_another_scene_comes(driver, lesson):
    panel = driver.window.notes_panel
    driver.press("N")
    QTest.mouseClick(panel.write, Qt.LeftButton)
    assert panel.title.text() == "Small box"
    QTest.keyClicks(panel.notes, "Not yet told")
    driver.window.dropped.emit(lesson)
    driver.settled()
    driver.until(lambda: driver.session.scene.description)
    driver.press("Ctrl+Z")
    driver.until(lambda: driver.session.scene.notes == "Not yet told")


def test_notes_are_written_saved_and_undone(driver, tmp_path):
    window, panel = driver.window, driver.window.notes_panel
    generation = driver.session.generation
    driver.press("N")
    QTest.mouseClick(panel.write, Qt.LeftButton)
    assert panel.notes.hasFocus()
    QTest.keyClicks(panel.notes, "# Slits")
    QTest.keyClick(panel.notes, Qt.Key_Return)
    QTest.keyClicks(panel.notes, "Measure P and D.")
    QTest.keyClick(panel.notes, Qt.Key_Backtab)
    assert panel.description.hasFocus()
    QTest.keyClicks(panel.description, "Two")
    QTest.keyClick(panel.description, Qt.Key_Return)
    QTest.keyClicks(panel.description, "waves")
    panel.title.setFocus()
    panel.title.selectAll()
    QTest.keyClicks(panel.title, "A lesson")
    # Saved at once, before the pause after which it is taken over by itself.
    driver.dialogs.path = tmp_path / "saved.toml"
    window.actions_by_id["save_as"].trigger()
    saved = load_scene(driver.dialogs.path)
    assert (saved.title, saved.description) == ("A lesson", "Two waves")
    assert saved.notes == "# Slits\nMeasure P and D."
    driver.until(lambda: "A lesson" in window.windowTitle())
    # The keys were letters, and the wave goes on as it did.
    assert driver.bench.toolbox.key == "ping"
    assert driver.session.generation == generation
    QTest.mouseClick(panel.write, Qt.LeftButton)
    assert "Slits\nMeasure P and D." in panel.page.toPlainText()
    while driver.session.scene.notes:
        driver.press("Ctrl+Z")
    driver.until(lambda: "Slits" not in panel.page.toPlainText())
    assert driver.session.scene.title == "Small box"
    assert panel.notes.toPlainText() == ""


def test_what_is_written_is_taken_over_after_a_pause(driver):
    panel = driver.window.notes_panel
    driver.press("N")
    QTest.mouseClick(panel.write, Qt.LeftButton)
    QTest.keyClicks(panel.notes, "one two")
    driver.until(lambda: driver.session.scene.notes == "one two")
    # An edit elsewhere does not disturb what is being written.
    QTest.keyClicks(panel.notes, " three")
    driver.canvas.setFocus()
    assert driver.session.scene.notes == "one two three"


def test_who_writes_without_a_pause_is_not_waited_for(driver):
    """A crash would cost all that was written."""
    panel = driver.window.notes_panel
    driver.press("N")
    QTest.mouseClick(panel.write, Qt.LeftButton)

    def taken_over() -> bool:
        QTest.keyClicks(panel.notes, "x")
        return driver.session.scene.notes != ""

    driver.until(taken_over)
    assert panel.notes.toPlainText().startswith(driver.session.scene.notes)
