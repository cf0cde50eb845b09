"""Monitors in the window: drawn, looked at, shown as maps; spectra of traces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import QFontMetricsF, Qt, QtGui, QtWidgets
from wavelab.app.edits.domain_edits import cut_hole, draw_domain
from wavelab.app.edits.monitor_edits import add_monitor_for
from wavelab.app.panels.monitor_panel import numbers_of
from wavelab.app.panels.plots.axes.axis import fitting
from wavelab.app.panels.plots.spectrum import amplitude_spectrum, shown_band
from wavelab.output.scene_drawing import draw_scene
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.messages.frames import Frame

SCENE = boxed(
    "Measured",
    """\
[[sources]]
kind = "point"
name = "antenna"
position = [0.4, 0.5]
radius = 0.1
amplitude = 10
waveform = { kind = "sine", frequency = 1.5 }
[[probes]]
name = "p"
position = [0.7, 0.7]
[[monitors]]
name = "through"
kind = "flux"
vertices = [[0.8, 0.1], [0.8, 0.9]]
frequencies = [1.5]
[[monitors]]
name = "round"
kind = "far_field"
shape = "rectangle"
lower = [0.1, 0.1]
upper = [0.7, 0.9]
frequencies = [1.5, 2]
[[monitors]]
name = "geophones"
kind = "line"
vertices = [[0.1, 0.9], [0.9, 0.9]]
count = 9
[[monitors]]
name = "stored"
kind = "energy"
shape = "rectangle"
lower = [0, 0]
upper = [0.5, 1]
[[monitors]]
name = "map"
kind = "field"
frequencies = [1.5]
[[monitors]]
name = "mean"
kind = "intensity"
[solver]
element_size = 0.2
order = 2
precision = "double"
""",
)


@pytest.fixture
def measured(start, tmp_path):
    path = tmp_path / "measured.toml"
    path.write_text(SCENE)
    return start(path)


def middle_of(widget) -> float:
    """Mean brightness of the middle of a widget."""
    image, (x, y) = widget.grab().toImage(), (widget.width() // 2, widget.height() // 2)
    box = [(x + i, y + j) for i in range(-20, 20) for j in range(-10, 10)]
    return sum(QtGui.qGray(image.pixel(*at)) for at in box) / len(box)


def test_each_monitor_is_drawn():
    found = {
        name: (kind, line) for name, kind, line in draw_scene(parse_scene(SCENE), None).monitors
    }
    assert set(found) == {"through", "round", "geophones", "stored"}
    assert len(found["through"][1]) == 2
    assert np.array_equal(found["round"][1][0], found["round"][1][-1])


def stepped(driver) -> Frame:
    """The frame after a single step."""
    driver.press(".")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    before = driver.bench.presenter.frame.steps
    driver.press(".")
    driver.until(lambda: driver.bench.presenter.frame.steps > before)
    return driver.bench.presenter.frame


def test_the_panel_shows_what_is_looked_at(measured):
    panel = measured.window.monitor_panel
    assert panel.chooser.count() == len(parse_scene(SCENE).monitors)
    measured.until(lambda: panel.watched_number == 0)
    measured.press("O")
    assert panel.watched_number is None
    measured.press("O")
    # Behind the tab of another dock nobody sees them, and nothing is read back for them.
    bars = measured.window.findChildren(QtWidgets.QTabBar)
    bar = next(b for b in bars if "Monitors" in map(b.tabText, range(b.count())))
    tabs = {bar.tabText(i): bar.tabRect(i).center() for i in range(bar.count())}
    QTest.mouseClick(bar, Qt.LeftButton, pos=tabs["Probes"])
    assert panel.watched_number is None
    assert stepped(measured).monitor is None
    QTest.mouseClick(bar, Qt.LeftButton, pos=tabs["Monitors"])
    assert panel.watched_number == 0
    assert stepped(measured).monitor is not None
    measured.press("Space")
    measured.press("U")
    said = {"through": "Mean power at 1.5", "round": "Radiated at 2", "stored": "Energy now"}
    said |= {"geophones": "9 receivers", "map": "|Ez| at 1.5", "mean": "Mean Ez\u00b2"}
    for number, monitor in enumerate(measured.session.scene.monitors):
        panel.chooser.setCurrentIndex(number)
        measured.until(lambda text=said[monitor.name]: text in panel.numbers.text())
        assert panel.map.isHidden() == (monitor.name not in ("map", "mean"))
        blank = panel.plot.grab().toImage()
        if panel.map.isHidden():
            measured.until(lambda b=blank: panel.plot.grab().toImage() != b or b.width() == 0)
        if monitor.name == "geophones":
            # A gather is as light or dark as the canvas, and in its palette.
            for palette in ("vik", "managua", "berlin"):
                wished = measured.bench.views.state.with_palette(palette)
                measured.window.field_panel.wished.emit(wished)
                assert panel.plot.palette == palette
            measured.press("Ctrl+T")
            measured.until(lambda: middle_of(panel.plot) > 150)
            measured.press("Ctrl+T")
            measured.until(lambda: middle_of(panel.plot) < 105)
    panel.choose("round")
    measured.until(lambda: "Radiated" in panel.numbers.text())
    assert not panel.decibels.isHidden()
    panel.decibels.click()
    assert not panel.plot.decibels
    panel.choose("map")
    assert panel.decibels.isHidden()
    panel.map.click()
    assert measured.bench.views.state.quantity == "amplitude"
    measured.until(lambda: measured.bench.presenter.frame.quantity == "amplitude")
    measured.until(lambda: measured.bench.presenter.frame.values.max() > 0)


def test_the_data_of_the_monitor_looked_at_are_saved(measured, tmp_path):
    panel, actions = measured.window.monitor_panel, measured.window.actions_by_id
    # Long enough that several moments were recorded.
    measured.until(lambda: measured.bench.presenter.frame.time > 0.5)
    measured.press("Space")
    for name, columns in (("through", "time,power"), ("round", "frequency,angle_deg,")):
        panel.choose(name)
        measured.dialogs.path = tmp_path / f"{name}.csv"
        measured.until(lambda: panel.numbers.text() != "")
        actions["monitor_data"].trigger()
        said = f"saved as {measured.dialogs.path}"
        measured.until(lambda said=said: said in measured.window.message.text)
        header, *rows = (tmp_path / f"{name}.csv").read_text().splitlines()
        assert header.startswith(columns)
        assert len(rows) > 1
    assert f"and {tmp_path / 'round_power.csv'}" in measured.window.message.text
    assert (tmp_path / "through_spectrum.csv").read_text().startswith("frequency,mean_power")


def test_maps_and_spectra_of_elastic_waves_have_their_words(start, tmp_path):
    """The velocity vy is what is looked at first."""
    path = tmp_path / "hammer.toml"
    path.write_text(
        """\
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[sources]]
name = "hammer"
kind = "force"
position = [0.4, 0.5]
direction = 90
radius = 0.1
amplitude = 10
[sources.waveform]
kind = "sine"
frequency = 2
[[monitors]]
name = "map"
kind = "field"
frequencies = [2]
[[monitors]]
name = "out"
kind = "flux"
closed = true
vertices = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]
frequencies = [2]
[solver]
element_size = 0.2
order = 3
"""
    )
    driver = start(path)
    panel, bench = driver.window.monitor_panel, driver.bench
    driver.press("U")
    panel.choose("out")
    driver.until(lambda: "Mean power at 2" in panel.numbers.text())
    panel.choose("map")
    driver.until(lambda: "|vy| at 2" in panel.numbers.text())
    panel.map.click()
    driver.until(lambda: bench.presenter.frame.quantity == "amplitude")
    driver.until(lambda: bench.presenter.frame.values.max() > 0.05)
    assert driver.window.field_panel.quantity.currentText() == "Amplitude of vy"
    assert not driver.dialogs.errors


def test_the_map_chosen_is_the_map_shown(start, tmp_path):
    path = tmp_path / "maps.toml"
    path.write_text(
        SCENE.replace(
            "[solver]",
            """\
[[monitors]]
name = "corner"
kind = "field"
frequencies = [1.5, 4]
shape = "rectangle"
lower = [0, 0]
upper = [0.5, 0.5]
[solver]""",
        )
    )
    driver = start(path)
    panel, bench = driver.window.monitor_panel, driver.bench
    driver.press("U")
    panel.choose("corner")
    driver.until(lambda: "Ez| at 4" in panel.numbers.text())
    driver.until(lambda: bench.presenter.frame.time > 1)
    driver.press("Space")
    sizes = []
    for number in (0, 1):
        panel.frequency.setCurrentIndex(number)
        panel.frequency.activated.emit(number)
        shown = bench.presenter.frame
        driver.until(lambda shown=shown: bench.presenter.frame is not shown)
        driver.until(lambda: bench.presenter.frame.quantity == "amplitude")
        x = driver.session.running.problem.discretization.x
        assert not bench.presenter.frame.values[(x > 0.75).all(axis=1)].any()
        sizes.append(bench.presenter.frame.values.max())
    assert sizes[0] > 1.5 * sizes[1] > 0
    panel.choose("map")
    panel.map.click()
    driver.until(lambda: bench.presenter.frame.values[(x > 0.75).all(axis=1)].any())


def test_a_map_without_its_monitor_is_offered(driver):
    driver.bench.views.show_quantity("intensity")
    assert driver.bench.views.state.quantity == "ez"
    driver.window.message.button("Measure it").click()
    assert driver.bench.views.state.quantity == "intensity"
    driver.settled()
    driver.click(0.5, 0.5)
    driver.until(lambda: driver.bench.presenter.frame.quantity == "intensity")
    driver.until(lambda: driver.bench.presenter.frame.values.max() > 0)
    driver.press("Ctrl+Z")
    driver.settled()
    assert not driver.session.scene.monitors
    driver.until(lambda: driver.bench.views.state.quantity == "ez")


def test_a_map_is_measured_in_the_scene_as_it_has_become(driver):
    """Whatever was drawn since it was offered stays."""
    driver.bench.views.show_quantity("intensity")
    button = driver.window.message.button("Measure it")
    hole = Rectangle((0.6, 0.15), (0.9, 0.3))
    driver.bench.editor.apply(cut_hole(driver.session.scene, hole))
    driver.settled()
    button.click()
    driver.settled()
    assert driver.session.scene.monitors
    assert [hole.shape for hole in driver.session.scene.holes] == [hole]


def test_a_map_is_measured_at_the_frequency_of_the_source():
    scene = replace(parse_scene(SCENE), monitors=())
    (monitor,) = add_monitor_for(scene, "amplitude").scene.monitors
    assert monitor.frequencies == (1.5,)
    assert add_monitor_for(replace(scene, sources=()), "amplitude") is None


def test_a_map_without_its_monitor_is_explained(driver):
    driver.bench.views.show_quantity("amplitude")
    assert "no monitor measures" in driver.window.message.text.lower()
    assert driver.bench.views.state.quantity == "ez"
    assert "No monitors" in driver.window.monitor_panel.plot.empty_text
    # There is nothing to be saved, which the buttons say without a word.
    save = driver.window.actions_by_id["monitor_data"]
    assert not save.isEnabled()
    buttons = [w for w in save.associatedWidgets() if isinstance(w, QtWidgets.QToolButton)]
    assert not any(button.isEnabled() for button in buttons)
    driver.bench.views.show_quantity("intensity")
    driver.window.message.button("Measure it").click()
    driver.until(save.isEnabled)


def test_a_scene_without_monitors_shows_its_traces(measured, small_scene):
    window = measured.window

    def in_front(dock) -> bool:
        return not dock.visibleRegion().isEmpty()

    measured.until(lambda: in_front(window.monitor_dock))
    assert not in_front(window.probe_dock)
    measured.press("H")
    measured.until(lambda: window.monitor_dock.isHidden())
    measured.press("H")
    measured.until(lambda: in_front(window.monitor_dock))
    assert not in_front(window.probe_dock)
    measured.dialogs.path = small_scene
    measured.press("Ctrl+O")
    measured.until(lambda: in_front(window.probe_dock))
    assert not in_front(window.monitor_dock)
    assert not window.monitor_panel.chooser.isVisible()


def test_a_label_that_does_not_fit_loses_its_unit(application):
    metrics = QFontMetricsF(application.font())
    width = metrics.horizontalAdvance("time t (length units / c)")
    assert fitting(metrics, "time t (length units / c)", width) == "time t (length units / c)"
    assert fitting(metrics, "time t (length units / c)", width - 1) == "time t"


def test_a_spectrum_is_drawn_in_place_of_the_traces(measured):
    measured.press("U")
    measured.until(lambda: len(measured.bench.probe_series.times) > 200)
    panel = measured.window.probe_panel
    panel.spectrum.click()
    assert panel.plot.spectral
    assert panel.plot.grab().toImage() is not None


def test_the_spectrum_of_a_sine():
    times = np.arange(4000) * 0.01
    values = np.column_stack([3 * np.sin(2 * np.pi * 2 * times), 0 * times])
    frequencies, amplitudes = amplitude_spectrum(times, values)
    peak = int(np.argmax(amplitudes[:, 0]))
    assert frequencies[peak] == pytest.approx(2, abs=0.02)
    assert amplitudes[peak, 0] == pytest.approx(3, rel=1e-2)
    assert not amplitudes[:, 1].any()
    assert 2 < shown_band(frequencies, amplitudes) < 3
    assert len(amplitude_spectrum(times[:10], values[:10])[0]) == 0


def test_edits_leave_out_monitors_that_no_longer_fit():
    scene = replace(parse_scene(SCENE), probes=())
    holed = cut_hole(scene, Rectangle((0.2, 0.85), (0.4, 0.95)))
    assert [m.name for m in scene.monitors if m not in holed.scene.monitors] == [
        "round", "geophones",
    ]  # fmt: skip
    assert "monitor geophones" in " ".join(holed.notes)
    drawn = draw_domain(scene, Rectangle((0.0, 0.0), (0.75, 0.95)))
    left = {m.name for m in drawn.scene.monitors}
    assert left == {"round", "stored", "map", "mean"}


def test_numbers_of_a_monitor_that_has_seen_nothing():
    from wavelab.scene.model.measuring.findings import MonitorResult

    empty = {"time": np.zeros(0), "power": np.zeros(0)}
    assert numbers_of(MonitorResult("m", "flux", {"energy": 0.0}, empty)) == "Energy so far: 0"
