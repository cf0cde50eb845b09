"""A person at the window: real mouse and key events, and what is seen and saved afterwards."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.panels.dialogs.shortcut_sheet import ShortcutSheet
from wavelab.app.shell.menus.actions import ACTIONS
from wavelab.app.tools import TOOLS, tool_gestures


def test_it_starts_running_and_says_what_to_do(driver):
    assert driver.session.solver.playing
    assert "Click to ring" in driver.window.message.text
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert driver.window.status.text("time").startswith("t 0.")
    assert "order 2" in driver.window.status.text("mesh")
    assert "double precision" in driver.window.status.text("device")


def test_h_hides_everything_but_the_wave(driver):
    others = [
        driver.window.menuBar(),
        driver.window.transport,
        driver.window.tool_bar,
        driver.window.status,
        driver.window.hint,
        driver.window.side_dock,
        driver.window.probe_dock,
    ]
    driver.press("T")
    assert driver.window.probe_dock.isHidden()
    driver.press("H")
    assert not any(widget.isVisible() for widget in others)
    driver.press("H")
    assert [widget.isVisible() for widget in others] == [True] * 6 + [False]
    driver.press("H")
    driver.press("Escape")
    assert driver.window.menuBar().isVisible()
    assert not driver.window.actions_by_id["bare"].isChecked()


def test_question_mark_lists_every_shortcut(driver):
    driver.press("?")
    (sheet,) = [
        w
        for w in driver.application.topLevelWidgets()
        if isinstance(w, QtWidgets.QDialog) and w.isVisible()
    ]
    words = [label.text() for label in sheet.findChildren(QtWidgets.QLabel)]
    for info in ACTIONS.values():
        if info.shortcuts:
            assert info.text.replace("&", "").rstrip("\u2026") in words
    for heading, gestures in tool_gestures().items():
        assert {heading, *(words_of for _, words_of in gestures)} <= set(words)
    assert all(f"{info.label} ({info.shortcut})" in " ".join(words) for info in TOOLS.values())
    assert sheet.findChild(QtWidgets.QScrollArea).horizontalScrollBar().maximum() == 0
    screen = driver.application.primaryScreen().availableSize()
    assert sheet.height() <= screen.height()
    assert sheet.width() <= screen.width()
    # The same key takes it away, from the window and from the sheet itself.
    driver.press("?")
    driver.until(lambda: not driver.window.findChildren(ShortcutSheet))
    driver.press("?")
    sheet = driver.window.findChild(ShortcutSheet)
    QTest.keyClick(sheet, "?")
    driver.until(lambda: not driver.window.findChildren(ShortcutSheet))


def test_record_and_picture_stay_in_the_narrowest_window(driver):
    bar = driver.window.transport
    for width in (1280, 800, driver.window.minimumWidth()):
        driver.window.resize(width, 600)
        driver.until(lambda width=width: driver.window.width() == width)
        driver.application.processEvents()
        for id_ in ("play", "record", "picture"):
            button = bar.widgetForAction(driver.window.actions_by_id[id_])
            assert button.isVisible()
            assert bar.rect().contains(button.geometry())
        assert driver.window.height() >= driver.window.minimumSizeHint().height()


def entries_of(menu):
    """Those of a menu, and of the menus in it."""
    for action in menu.actions():
        yield from entries_of(action.menu()) if action.menu() is not None else [action]


def test_every_action_is_in_a_menu_and_its_keys_are_its_own(driver):
    listed = list(entries_of(driver.window.menuBar()))
    assert all(listed.count(action) == 1 for action in driver.window.actions_by_id.values())
    keys = [key.toString() for action in driver.window.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    for info in ACTIONS.values():
        tip = driver.window.actions_by_id[info.id].toolTip()
        assert tip
        assert not info.shortcuts or tip.endswith(")")


def test_light_and_dark(driver):
    driver.press("Ctrl+T")
    assert driver.application.palette().window().color().lightness() > 200
    driver.press("Ctrl+T")
    assert driver.application.palette().window().color().lightness() < 60


def test_about_names_the_licences(driver):
    driver.window.actions_by_id["about"].trigger()
    (text,) = driver.dialogs.about
    for word in ("MIT", "GNU General Public License", "Triangle"):
        assert word in text


def test_after_typing_a_number_the_keys_are_the_canvas_s_again(driver):
    field = driver.window.tool_panel.radius
    field.setFocus()
    field.lineEdit().selectAll()
    QTest.keyClicks(field, "0.2")
    QTest.keyClick(field, Qt.Key_Return)
    assert driver.canvas.hasFocus()
    driver.press("]")
    assert field.value == pytest.approx(0.25)
    assert "0.25" in field.text()
