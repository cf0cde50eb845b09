"""Two runs side by side in the window, by clicks and keys."""

from __future__ import annotations

import threading
import time

import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt, QtGui

STANDING = boxed(
    "Standing",
    """\
[parameters]
height = 1.0
[initial]
ez = "height*sin(pi*x)*sin(pi*y)"
[solver]
element_size = 0.4
order = 2
until = 0.5
""",
)


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate()]


@pytest.fixture
def opened(start, tmp_path):
    """The driver, and the dialog as a key opens it."""
    path = tmp_path / "standing.toml"
    path.write_text(STANDING)
    driver = start(path)
    driver.press("Ctrl+Shift+K")
    return driver, driver.bench.studies["compare"].dialog


def choose(dialog, key: str) -> None:
    """With the keys of the list, as a person."""
    what = dialog.fields.what
    what.setFocus()
    for _ in range(what.count()):
        if what.currentData() == key:
            return
        QTest.keyClick(what, Qt.Key_Down)
    assert what.currentData() == key


def texts(dialog, row: int) -> list[str]:
    return [dialog.table.item(row, column).text() for column in range(3)]


def test_two_orders_are_shown_next_to_each_other_and_the_numbers_copied(opened):
    driver, dialog = opened
    assert dialog.isVisible()
    assert dialog.until.value == 0.5
    assert dialog.fields.order.value() == 4
    click(dialog.start)
    assert not dialog.start.isEnabled()
    driver.until(lambda: "differs by" in dialog.stage.text())
    assert [label.text() for label in dialog.names] == ["As it is", "order 4", "Difference"]
    images = [label.pixmap().toImage() for label in dialog.pictures]
    assert images[0] != images[2]
    assert texts(dialog, 0) == ["method", "order 2", "order 4"]
    assert dialog.scales[0].text() == dialog.scales[1].text() != dialog.scales[2].text()
    assert dialog.start.isEnabled()
    assert not dialog.pause.isEnabled()
    click(dialog.copy)
    assert QtGui.QGuiApplication.clipboard().text().splitlines()[0] == "\tas it is\torder 4"


def test_a_run_is_held_goes_on_and_ends_with_the_dialog(opened):
    driver, dialog = opened
    dialog.until.set_value(1000.0)
    click(dialog.start)
    driver.until(lambda: dialog.now.text().startswith("t ="))
    click(dialog.pause)
    assert dialog.pause.text() == "Go on"
    held, since = "", time.monotonic()

    def stands_still() -> bool:  # after the look that was under way, however busy the machine is
        nonlocal held, since
        if dialog.now.text() != held:
            held, since = dialog.now.text(), time.monotonic()
        return time.monotonic() - since > 3

    driver.until(stands_still)
    for _ in range(5):
        driver.next_frame()
    assert dialog.now.text() == held
    click(dialog.pause)
    driver.until(lambda: dialog.now.text() != held)
    driver.application.setActiveWindow(dialog)
    QTest.keyClick(dialog, Qt.Key_Escape)
    driver.until(lambda: not dialog.isVisible(), 5)
    driver.until(lambda: "compare" not in threads(), 5)
    assert dialog.start.isEnabled()


def test_a_grid_of_finite_differences_is_chosen_by_keys(opened):
    driver, dialog = opened
    choose(dialog, "grid")
    click(dialog.fields.equal)
    dialog.fields.cell.set_value(0.05)
    click(dialog.start)
    driver.until(lambda: "differs by" in dialog.stage.text())
    assert texts(dialog, 0) == ["method", "order 2", "grid of 0.05"]
    # In the other theme the same pictures have its colours.
    before = dialog.pictures[0].pixmap().toImage()
    driver.press("Ctrl+T")
    driver.until(lambda: dialog.pictures[0].pixmap().toImage() != before)


def test_a_parameter_and_what_it_cannot_be(opened):
    driver, dialog = opened
    choose(dialog, "height")
    assert dialog.fields.number.text() == "1"
    dialog.fields.number.selectAll()
    QTest.keyClicks(dialog.fields.number, "much")
    click(dialog.start)
    driver.until(lambda: "cannot be 'much'" in dialog.stage.text())
    dialog.fields.number.selectAll()
    QTest.keyClicks(dialog.fields.number, "2")
    click(dialog.start)
    # Twice as high everywhere and always.
    driver.until(lambda: "at most it was 100 %" in dialog.stage.text())


def test_closing_the_program_ends_runs_that_are_held(opened):
    driver, dialog = opened
    dialog.until.set_value(1000.0)
    click(dialog.start)
    driver.until(lambda: dialog.now.text().startswith("t ="))
    click(dialog.pause)
    driver.close()
    assert "compare" not in threads()
