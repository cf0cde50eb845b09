"""A report of a problem from the window."""

from __future__ import annotations

from wavelab.app.base.qt import QtGui
from wavelab.app.canvas import screen_facts


def test_the_menu_copies_the_page_of_the_doctor(driver):
    driver.window.actions_by_id["report"].trigger()
    driver.until(lambda: "on the clipboard" in driver.window.message.text, patience=120.0)
    text = QtGui.QGuiApplication.clipboard().text()
    assert text.startswith("wavelab ")
    assert "OpenCL" in text


def test_a_window_that_closes_does_not_wait_for_it(driver):
    driver.window.actions_by_id["report"].trigger()
    driver.close()  # and ``nothing_left`` looks for children


def test_the_screen_is_told_as_the_window_gets_it(application):
    found = screen_facts.screen_facts(application)
    assert found["screens"][0]["width"] >= 640
    assert found["painter"] in ("processor", "graphics card")
