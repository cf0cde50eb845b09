"""What is shown of the program follows it, and nobody is asked while nothing happens."""

from __future__ import annotations

import time

import pytest

from tests.app.conftest import pick
from tests.app.leftovers import PATIENCE
from wavelab.app.edits import edits


def count(monkeypatch, owner, name: str) -> list[None]:
    calls, method = [], getattr(owner, name)

    def counted(*arguments):
        calls.append(None)
        return method(*arguments)

    monkeypatch.setattr(owner, name, counted)
    return calls


def test_a_running_wave_asks_nobody_what_has_happened(driver, monkeypatch):
    driver.settled()
    driver.next_frame()
    looks = count(monkeypatch, driver.bench, "_look")
    monkeypatch.setattr(driver.bench._watch, "_look", driver.bench._look)
    news = count(monkeypatch, driver.session, "hear")
    for _ in range(5):
        driver.next_frame()
    assert (looks, news) == ([], [])
    driver.press("Space")
    driver.until(lambda: looks)
    assert "Play" in driver.window.actions_by_id["play"].text()


def test_news_come_before_their_frame(driver):
    """The first frame of a new problem is shown although nothing was heard of it before."""
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    program, mailbox = driver.program, driver.program.runner.mailbox
    program.pump.stop()
    session = driver.session
    driver.bench.editor.apply(edits.set_order(session.scene, 3))
    driver.until(lambda: session.preparing is None)
    generation = session.generation
    end = time.monotonic() + PATIENCE
    while program.runner.run.generation != generation:  # without a look at any event
        assert time.monotonic() < end
        time.sleep(0.002)
    mailbox.request()
    while mailbox._frame is None or mailbox._frame.generation != generation:
        assert time.monotonic() < end
        time.sleep(0.002)
    program.pump.turn()
    assert driver.bench.presenter.frame.generation == generation
    assert session.running.generation == generation


def test_the_hint_follows_the_settings_of_the_tool(driver):
    driver.press("S")
    hint = driver.window.hint
    driver.application.processEvents()
    before = hint.text()
    pick(driver.window.tool_panel.source.kind, "line")
    driver.until(lambda: hint.text() != before)


@pytest.mark.parametrize("keys", [("D", "Shift+D"), ("S", "Shift+D"), ("Shift+D", "D")])
def test_the_hint_follows_what_a_drawn_shape_becomes(driver, keys):
    for key in keys:
        driver.press(key)
        driver.until(lambda: driver.window.hint.text() == driver.canvas.tool.hint)
    assert ("it becomes an obstacle" in driver.window.hint.text()) == (keys[-1] == "Shift+D")


def test_what_is_written_in_the_notes_is_saved_by_who_saves(driver, tmp_path):
    driver.window.notes_dock.show()
    panel = driver.window.notes_panel
    panel.write.setChecked(True)
    panel.title.setText("Slits")
    driver.dialogs.path = tmp_path / "slits.toml"
    driver.bench.files.save_as()  # by nobody's action
    assert 'title = "Slits"' in driver.dialogs.path.read_text()
