"""A scene with units is shown in them, everywhere and at once, and the wave does not notice."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.panels.messages.resolution_text import resolution_of

C = 299_792_458
MORE = """
[[probes]]
name = "ear"
position = [0.25, 0.5]

[[sources]]
name = "lamp"
position = [0.5, 0.5]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 2 }

[[monitors]]
name = "gate"
kind = "flux"
vertices = [[0.2, 0.2], [0.2, 0.8]]
frequencies = [2]
"""
MICROMETRES = '\n[units]\nlength = "um"\n'
#: Femtoseconds in a unit of time.
FS = 1e9 / C


@pytest.fixture
def measured(at_rest):
    """The standing wave in micrometres, at its beginning."""
    driver = at_rest(MORE + MICROMETRES)
    driver.until(lambda: driver.window.status.text("time") == "t 0.0000 fs")
    return driver


def choose_units(driver, length: str) -> None:
    """By the menu, and the form that it brings up."""
    driver.window.actions_by_id["units"].trigger()
    form = driver.window.property_panel
    driver.until(lambda: ("length",) in form.controls and ("speed",) in form.controls)
    box = form.controls["length",]
    box.activated.emit(box.findData(length))
    driver.until(lambda: driver.session.scene.units.length == length)
    driver.until(lambda: getattr(measures.scale(), "length", "none") == length)


def step(driver, key: str = ".") -> None:
    before = driver.bench.presenter.frame.steps
    driver.press(key)
    driver.until(lambda: driver.bench.presenter.frame.steps != before)


def label(driver) -> str:
    return driver.window.transport.speed._label.text()


def test_all_that_the_window_says_of_the_run_is_in_units(measured):
    driver, status = measured, measured.window.status
    dt = driver.session.loaded.dt
    assert status.text("dt") == f"dt {three_figures(dt * FS * 1000)} as"
    step(driver)
    driver.until(lambda: status.text("time") == f"t {dt * FS:.4f} fs")
    assert label(driver).endswith("s per second")
    speed = driver.window.transport.speed.speed
    assert label(driver) == f"{measures.time(speed)} per second"
    step(driver, ",")
    driver.until(lambda: driver.window.time_bar.text == f"t 0.000 fs of {dt * FS:.3f} fs")


def test_places_lengths_and_measures_are_in_units(measured):
    driver = measured
    driver.point(0.5, 0.25)
    read = driver.window.transport.readout.text
    driver.until(lambda: re.search(r"at  0.50\d,  0.25\d \u00b5m$", read()))
    driver.press("K")
    driver.drag((0.2, 0.2), (0.7, 0.2))
    (ruler,) = driver.bench.toolbox.ruler.tool.measures
    told = driver.canvas.overlay.labels[0].text
    # At the frequency of the lamp half a unit of length is one wavelength.
    assert told == f"0.500 \u00b5m, 0.0\u00b0, 1.00 \u03bb, t {0.5 * FS:.2f} fs"
    words = ruler.words(driver.bench.toolbox.ruler.tool._survey)
    assert f"frequency {2e-9 * C * 1e3:.0f} THz" in words
    assert driver.window.tool_panel.ruler.frequency._mark.text() == f"{2e-9 * C * 1e3:.4g} THz"


def test_the_bar_on_the_canvas_is_in_units(measured, monkeypatch):
    painted: list[str] = []
    monkeypatch.setattr(
        "wavelab.app.canvas.overlay.scale_bar.paint_label",
        lambda painter, text, at, ink: painted.append(text),
    )
    measured.canvas.refresh_lines()
    measured.canvas.grab_rgb()  # a picture of the canvas too
    assert painted
    assert all(text.endswith(" \u00b5m") for text in painted)
    choose_units(measured, "nm")
    measured.canvas.grab_rgb()
    assert painted[-1].endswith(" nm")
    choose_units(measured, "none")
    measured.canvas.grab_rgb()
    assert float(painted[-1]) > 0


def test_plots_are_in_units(measured):
    driver, window = measured, measured.window
    driver.press("U")  # as fast as can be: fewer frames are painted
    driver.press("Space")
    driver.until(lambda: len(driver.bench.probe_series.times) > 200)
    driver.press("Space")
    plot = window.probe_panel.plot
    window.probe_dock.show()
    window.probe_dock.raise_()
    driver.until(plot.isVisible)
    plot.refresh()
    plot.grab()
    assert plot.across.text in ("time t (fs)", "time t (ps)")
    names, (times, *_) = plot.table()
    factor = FS if names[0].endswith("(fs)") else FS / 1000
    assert times == pytest.approx(driver.bench.probe_series.times * factor, rel=1e-12)
    labels = dict(zip(plot.across._labels.values(), plot.across._labels, strict=True))
    number, at = next((float(n), at) for n, at in labels.items() if float(n) > 0)
    assert at * factor == pytest.approx(number)
    window.probe_panel.spectrum.click()
    assert plot.across.text == "frequency f (THz)" or plot.across.text == "frequency f (PHz)"
    window.monitor_dock.show()
    window.monitor_dock.raise_()
    numbers = window.monitor_panel.numbers.text
    driver.until(lambda: f"Mean power at {2e-9 * C * 1e3:.6g} THz" in numbers())


def test_units_are_chosen_in_the_form_and_taken_back(at_rest):
    driver = at_rest(MORE)
    driver.until(lambda: driver.window.status.text("time") == "t 0.0000")
    dt, speed = driver.window.status.text("dt"), label(driver)
    resolution = driver.window.mesh_panel.resolution.toolTip()
    problem, generation = driver.session.running.problem, driver.session.generation
    choose_units(driver, "mm")
    assert driver.window.status.text("time") == "t 0.0000 ps"
    assert driver.window.status.text("dt").endswith("s")
    assert label(driver).endswith("s per second")
    assert "GHz" in driver.window.mesh_panel.resolution.toolTip()
    assert driver.session.running.problem is problem
    assert driver.session.generation == generation
    assert driver.session.modified
    driver.press("Ctrl+Z")
    driver.until(lambda: driver.window.status.text("time") == "t 0.0000")
    assert (driver.window.status.text("dt"), label(driver)) == (dt, speed)
    assert driver.window.mesh_panel.resolution.toolTip() == resolution
    driver.press("Ctrl+Shift+Z")
    driver.until(lambda: driver.window.status.text("time") == "t 0.0000 ps")


def test_a_wave_that_runs_goes_on_bit_by_bit(at_rest):
    driver = at_rest(MORE)
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    for _ in range(3):
        step(driver)
    alone = driver.bench.presenter.frame.values.copy()
    step(driver, "Ctrl+R")
    step(driver)
    choose_units(driver, "nm")
    for _ in range(2):
        step(driver)
    assert driver.bench.presenter.frame.steps == 3
    assert np.array_equal(driver.bench.presenter.frame.values, alone)


def test_numbers_are_typed_with_units(measured):
    driver, form = measured, measured.window.property_panel
    driver.bench.selection.present(("sources", 0))
    frequency = ("waveform", "frequency")
    driver.until(lambda: frequency in form.controls)
    assert form.marks[frequency].text() == f"{2e-9 * C * 1e3:.4g} THz"
    assert form.marks["position",].text() == "\u00b5m"
    assert form.marks["waveform", "delay"].text() == f"\u00d7 {FS:.4g} fs"
    assert ("amplitude",) not in form.marks

    def typed(key, text: str) -> None:
        line = form.controls[key]
        line.setFocus()
        line.setText(text)
        line.setModified(True)
        line.editingFinished.emit()

    typed(frequency, "193 THz")
    driver.until(lambda: form.marks[frequency].text() == "193 THz")
    assert driver.session.scene.sources[0].waveform.frequency == pytest.approx(193e12 * 1e-6 / C)
    typed(("radius",), "150 nm")
    driver.until(lambda: driver.session.scene.sources[0].radius == 0.15)
    typed(("radius",), "3 ps")
    assert "ps is no unit for this" in form.notes["radius",].text()
    assert driver.session.scene.sources[0].radius == 0.15
    size = driver.window.mesh_panel.size
    size.setFocus()
    size.lineEdit().setText("250 nm")
    size.editingFinished.emit()
    assert driver.session.scene.solver.element_size == 0.25
    assert size.lineEdit().text() == "0.25"


def test_the_stable_step_has_the_unit_of_a_time_on_its_scale(measured):
    """Which follows the units at once, though no frame brings new numbers."""
    driver = measured
    bar = driver.window.inspector.field_panel.bar
    before = bar.labels()
    assert not any(text.endswith("s") for text in before)
    driver.press("Ctrl+G")
    driver.until(lambda: re.search(r"^[\d.]+ [af]s$", bar.labels()[2]))
    number, unit = bar.labels()[2].split()
    told = float(number) * {"fs": 1.0, "as": 1e-3}[unit]
    assert told == pytest.approx(bar._limit * FS, rel=5e-3)
    choose_units(driver, "none")
    driver.until(lambda: not any(text.endswith("s") for text in bar.labels()))


def test_another_scene_has_other_units(measured, tmp_path):
    driver = measured
    path = tmp_path / "room.toml"
    path.write_text(
        'physics = "sound"\n[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [4, 3]\n'
        '[units]\nlength = "m"\n[solver]\nelement_size = 1\norder = 2\n',
        encoding="utf-8",
    )
    driver.bench.files.open_path(path)
    driver.settled()
    dt = driver.session.loaded.dt / 343
    assert driver.window.status.text("dt") == f"dt {three_figures(1000 * dt)} ms"
    text = resolution_of(driver.session.running.problem).text
    assert text.endswith(" ms")
    assert math.isclose(measures.scale().seconds, 1 / 343)


def test_no_units_stay_behind_a_window(measured):
    assert measures.scale() is not None
    measured.close()
    assert measures.scale() is None
    assert measures.length(3.0) == "3.00"
