"""Convergence and the time step doctor in the window, by clicks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt, QtGui, QtWidgets
from wavelab.errors import DeviceError
from wavelab.simulation.studies import study_runs
from wavelab.simulation.studies.modes import mode_solver

STANDING = boxed(
    "Standing",
    """\
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[solver]
element_size = 0.4
order = 2
""",
)

NICKED = """\
title = "Nicked"
[domain]
shape = "polygon"
vertices = [[0, 0], [1, 0], [1, 0.5], [1.0005, 0.5005], [1, 1], [0, 1]]
[[sources]]
kind = "point"
name = "antenna"
position = [0.5, 0.5]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 0.8 }
[solver]
element_size = 0.2
order = 2
"""


STUDIES = (
    "bands", "compare", "convergence", "doctor", "reference", "resonances", "scattering",
)  # fmt: skip


def shared_pixels() -> float:
    """How many this process has in memory that it shares with the X server."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 / 4 * next(int(line.split()[1]) for line in lines if line.startswith("RssShmem"))


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


@pytest.fixture
def standing(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(STANDING)
    return start(path)


@pytest.fixture
def nicked(start, tmp_path):
    path = tmp_path / "nicked.toml"
    path.write_text(NICKED)
    driver = start(path)
    driver.press("Ctrl+Shift+D")
    driver.until(lambda: driver.bench.studies["doctor"].dialog.buttons)
    return driver


def test_convergence_is_measured_plotted_and_copied(standing):
    standing.press("Ctrl+K")
    dialog = standing.bench.studies["convergence"].dialog
    assert dialog.until.value > 0
    dialog.until.set_value(0.2)
    dialog.resize(dialog.minimumSizeHint())
    click(dialog.start)
    assert not dialog.start.isEnabled()
    assert not dialog.table.horizontalHeader().isVisible()
    standing.until(lambda: dialog.sentence.text())
    assert "off by about" in dialog.sentence.text()
    assert dialog.table.rowCount() == 5
    assert dialog.table.horizontalHeader().isVisible()
    # However long the sentences have become, nothing lies over the labels of the plot.
    assert dialog.plot.geometry().bottom() < dialog.table.geometry().top()
    click(dialog.copy)
    copied = QtGui.QGuiApplication.clipboard().text()
    assert copied.startswith(dialog.sentence.text())
    assert len(copied.splitlines()) == 7
    assert dialog.start.isEnabled()


def test_a_study_can_be_cancelled_and_closing_ends_it(standing):
    standing.press("Ctrl+K")
    dialog = standing.bench.studies["convergence"].dialog
    dialog.until.set_value(1000.0)
    click(dialog.start)
    click(dialog.cancel)
    standing.until(lambda: dialog.start.isEnabled())
    assert not dialog.sentence.text()
    click(dialog.start)
    standing.next_frame()
    standing.window.close()


@pytest.mark.parametrize("study", ["Ctrl+K", "Ctrl+Shift+R"])
def test_studies_run_where_the_wave_runs(start, tmp_path, monkeypatch, study):
    path = tmp_path / "standing.toml"
    path.write_text(STANDING)
    asked = []

    def make(*arguments, backend, device, **more):
        asked.append((backend, device))
        raise DeviceError("seen")

    monkeypatch.setattr(study_runs, "stepper_of", make)
    monkeypatch.setattr(mode_solver, "_MOST_BYTES", 0)  # else nothing has to run
    driver = start(path, backend="numpy")
    driver.press(study)
    dialog = driver.bench.studies["convergence" if study == "Ctrl+K" else "resonances"].dialog
    click(dialog.start)
    driver.until(lambda: asked)
    assert asked[0] == ("numpy", None)


def test_a_scene_of_rest_is_refused_with_the_reason(driver):
    driver.press("Ctrl+K")
    dialog = driver.bench.studies["convergence"].dialog
    dialog.until.set_value(0.1)
    click(dialog.start)
    driver.until(lambda: dialog.start.isEnabled())
    labels = [label.text() for label in dialog.findChildren(QtWidgets.QLabel)]
    assert any("pings made by hand" in text for text in labels)


def test_the_doctor_circles_explains_and_cures_and_undo_takes_it_back(nicked):
    dialog = nicked.bench.studies["doctor"].dialog
    assert 'Edge "domain.2" is only' in dialog.troubles.item(0).text()
    assert nicked.canvas.marks
    button = dialog.buttons["Merge close vertices"]
    assert not button.isEnabled()  # its gain is not known yet
    nicked.until(button.isEnabled)
    dt = nicked.session.loaded.dt
    click(button)
    assert len(nicked.session.scene.outline.vertices) == 5
    nicked.settled()
    assert nicked.session.loaded.dt > 3 * dt
    # It looks again at what runs now.
    nicked.until(lambda: "No element stands out" in dialog.sentence.text())
    assert not nicked.canvas.marks
    nicked.press("Ctrl+Z")
    assert len(nicked.session.scene.outline.vertices) == 6
    nicked.settled()


def test_the_doctor_lets_small_elements_step_by_themselves(nicked):
    dialog = nicked.bench.studies["doctor"].dialog
    button = dialog.buttons["Step locally"]
    nicked.until(button.isEnabled)
    effect = dialog.effects["Step locally"].text()
    assert "\u00d7 less work" in effect
    dt = nicked.session.loaded.dt
    click(button)
    nicked.settled()
    assert nicked.session.scene.solver.stepper == "local"
    assert nicked.session.loaded.dt > 3 * dt
    assert len(nicked.session.loaded.clusters) > 2
    ticks = 2 ** (len(nicked.session.loaded.clusters) - 1)
    assert nicked.window.status.text("device").endswith(f"steps down to dt/{ticks}")
    assert nicked.window.mesh_panel.stepper.currentText() == "local"
    nicked.until(lambda: "times fewer updates" in dialog.sentence.text())
    nicked.press("Ctrl+Z")
    nicked.settled()
    assert nicked.session.scene.solver.stepper == "auto"


def test_pointing_at_a_trouble_moves_the_view_there_and_closing_takes_the_circles(nicked):
    dialog = nicked.bench.studies["doctor"].dialog
    row = dialog.troubles.visualItemRect(dialog.troubles.item(0)).center()
    QTest.mouseClick(dialog.troubles.viewport(), Qt.LeftButton, pos=row)
    dialog.troubles.setCurrentRow(-1)
    dialog.troubles.setCurrentRow(0)
    middle = nicked.canvas.view.to_pixels((1.0, 0.5))
    assert middle == pytest.approx((nicked.canvas.width() / 2, nicked.canvas.height() / 2), abs=20)
    nicked.application.setActiveWindow(dialog)
    QTest.keyClick(dialog, Qt.Key_Escape)
    nicked.until(lambda: not dialog.isVisible(), 5)
    assert not nicked.canvas.marks


def test_the_inspector_judges_the_resolution(nicked, driver):
    label = nicked.window.mesh_panel.resolution
    assert label.text().endswith("points per wavelength: good")
    assert '"antenna"' in label.toolTip()
    assert "Good for periods" in driver.window.mesh_panel.resolution.text()


def test_a_narrow_window_puts_the_ledger_behind_the_traces(driver):
    window = driver.window
    window.resize(1100, 700)
    driver.application.processEvents()
    assert window.ledger_dock not in window.tabifiedDockWidgets(window.probe_dock)
    window.resize(760, 600)
    driver.application.processEvents()
    assert window.ledger_dock in window.tabifiedDockWidgets(window.probe_dock)
    window.resize(1500, 700)
    driver.application.processEvents()
    assert window.ledger_dock not in window.tabifiedDockWidgets(window.probe_dock)
    assert window.ledger_dock.isVisible()
    driver.until(lambda: window.ledger_dock.width() > 0.5 * window.probe_dock.width())


def test_the_error_is_shown_on_its_own_scale(driver):
    driver.press("6")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "error")
    panel = driver.window.field_panel
    assert panel.bar.labels() == ("10\u207b\u2076", "10\u207b\u00b3", "1")
    assert not panel.automatic.isEnabled()
    assert driver.bench.presenter.limit == 6.0
    values = driver.bench.presenter.frame.values
    assert (values == values[:, :1]).all()
    driver.press("1")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "ez")
    assert panel.automatic.isEnabled()


def test_closing_while_the_doctor_measures_leaves_nothing_behind(nicked):
    """The fixture ``nothing_left``, a part of ``start``, looks for threads and children."""
    nicked.window.close()
    assert not nicked.bench.studies["doctor"].dialog.isVisible()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the kernel of Linux")
def test_a_closed_study_keeps_no_picture_and_opens_as_it_was(standing):
    before = shared_pixels()
    dialogs = [standing.bench.studies[key].dialog for key in STUDIES]
    for key in STUDIES:
        standing.bench.studies[key].open()
    standing.until(lambda: all(dialog.windowHandle().isExposed() for dialog in dialogs))
    for _ in range(20):
        standing.next_frame()
    pixels = [dialog.width() * dialog.height() for dialog in dialogs]
    shown = shared_pixels() - before
    if shown < sum(pixels) / 2:
        pytest.skip("pictures of windows are not in shared memory")
    places = [dialog.pos() for dialog in dialogs]
    for dialog in dialogs:
        dialog.close()
    standing.until(lambda: not any(dialog.windowHandle() for dialog in dialogs))
    standing.next_frame()
    assert shared_pixels() - before < min(pixels)
    for key in STUDIES:
        standing.bench.studies[key].open()
    standing.until(lambda: all(dialog.windowHandle().isExposed() for dialog in dialogs))
    assert [dialog.pos() for dialog in dialogs] == places
    click(dialogs[2].start)
    standing.until(lambda: dialogs[2].table.rowCount() > 0)
    for dialog in dialogs:
        dialog.close()
