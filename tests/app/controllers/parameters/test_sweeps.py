"""Values that run to and fro by themselves, until a hand stops them."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import decoded
from tests.app.slider_bench import SCENE, follows, let_go, press, row, running, steps, value
from wavelab.app.base.qt import Qt
from wavelab.scene.toml.toml_io import load_scene


def test_a_sweep_goes_to_and_fro_until_a_hand_stops_it(turned, monkeypatch):
    driver, before = turned, steps(turned)
    clock = [0.0]
    sweeping = driver.bench.parameters.sweeping
    sweeping._clock = lambda: clock[0]
    seen = []
    QTest.mouseClick(row(driver, "f").play, Qt.LeftButton)
    assert row(driver, "f").play.isChecked()
    assert "Stop" in row(driver, "f").play.accessibleName()
    for now, wanted in ((1.0, 3.0), (2.0, 4.0), (3.0, 5.0), (4.0, 4.0), (7.0, 1.0), (8.0, 2.0)):
        clock[0] = now
        follows(driver, "f", wanted)
        seen.append(value(driver, "f"))
    assert seen == pytest.approx([3, 4, 5, 4, 1, 2])
    assert steps(driver) == before
    clock[0] = 9.0
    follows(driver, "f", 3)
    press(driver, "n", 0.25)  # a hand on another one stops it where it is
    let_go(driver, "n", 0.25)
    press(driver, "f", 0.75)
    assert not sweeping.name
    assert not row(driver, "f").play.isChecked()
    clock[0] = 11.0
    let_go(driver, "f", 0.75)
    driver.settled()
    assert value(driver, "f") == pytest.approx(4)
    assert steps(driver) == before + 2
    driver.press("Ctrl+Z")
    follows(driver, "f", 3)
    driver.press("Ctrl+Z")
    follows(driver, "f", 2)


def test_a_sweep_is_stopped_by_its_button_by_escape_and_by_undo(turned):
    driver, before = turned, steps(turned)
    play = row(driver, "f").play
    QTest.mouseClick(play, Qt.LeftButton)
    driver.until(lambda: value(driver, "f") > 2.1)
    QTest.mouseClick(play, Qt.LeftButton)
    driver.settled()
    stopped = value(driver, "f")
    assert stopped > 2.1
    assert steps(driver) == before + 1
    driver.press("Ctrl+Z")
    follows(driver, "f", 2)
    QTest.mouseClick(play, Qt.LeftButton)
    driver.until(lambda: value(driver, "f") > 2.1)
    driver.press("Esc")
    follows(driver, "f", 2)
    assert steps(driver) == before
    assert not driver.bench.parameters.sweeping.name
    QTest.mouseClick(play, Qt.LeftButton)
    driver.until(lambda: value(driver, "f") > 2.1)
    driver.press("Ctrl+Z")
    follows(driver, "f", 2)
    assert steps(driver) == before


def test_a_sweep_of_a_shape_ends_where_no_mesh_can_be(turned):
    driver = turned
    driver.bench.parameters.set_seconds(1.0)
    QTest.mouseClick(row(driver, "s").play, Qt.LeftButton)
    driver.until(lambda: driver.window.message.is_error)
    driver.until(lambda: not driver.bench.parameters.sweeping.name)
    driver.settled()
    assert value(driver, "s") <= 0.2
    assert running(driver).values["s"] == value(driver, "s")


def test_a_sweep_waits_for_what_is_dragged_on_the_canvas(turned):
    driver, before = turned, steps(turned)
    driver.press("S")
    QTest.mouseClick(row(driver, "f").play, Qt.LeftButton)
    driver.until(lambda: value(driver, "f") > 2.1)
    driver.bench.editor.take_back()
    driver.bench.parameters.sweeping._timer.stop()
    driver.settled()
    driver.drag((0.3, 0.5), (0.4, 0.6), release=False)
    driver.until(lambda: running(driver).sources[0].position[0] > 0.35)
    driver.bench.parameters.sweeping._timer.start()
    QTest.qWait(200)
    assert running(driver).sources[0].position[0] > 0.35
    driver.let_go(0.4, 0.6)
    driver.settled()
    assert steps(driver) == before + 1
    driver.until(lambda: value(driver, "f") > 2.1)
    assert driver.session.scene.sources[0].position[0] > 0.35
    driver.press("Esc")
    driver.settled()
    assert value(driver, "f") == 2


def test_a_sweep_ends_with_its_scene(turned, tmp_path):
    driver = turned
    QTest.mouseClick(row(driver, "f").play, Qt.LeftButton)
    driver.until(lambda: value(driver, "f") > 2.1)
    other = tmp_path / "other.toml"
    other.write_text(SCENE.replace("value = 2,", "value = 4,"))
    driver.bench.editor.open(load_scene(other))
    driver.settled()
    assert not driver.bench.parameters.sweeping.name
    assert value(driver, "f") == 4
    follows(driver, "f", 4)


def test_a_sweep_goes_on_in_a_movie(turned, tmp_path):
    driver = turned
    driver.dialogs.path = tmp_path / "sweep.mp4"
    driver.bench.parameters.set_seconds(2.0)
    QTest.mouseClick(row(driver, "f").play, Qt.LeftButton)
    driver.press("F9")
    driver.until(
        lambda: driver.session.solver.recording and driver.session.solver.recording.frames > 10
    )
    first = value(driver, "f")
    driver.until(lambda: abs(value(driver, "f") - first) > 0.5)
    driver.press("F9")
    driver.until(lambda: "Movie saved" in driver.window.message.text)
    assert driver.bench.parameters.sweeping.name == "f"
    assert len(decoded(driver.dialogs.path)) > 10
