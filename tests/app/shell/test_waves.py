"""What the waves are, in the window: a new scene asks, and all parts speak in the words of it."""

from __future__ import annotations

import pytest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.panels.levels import levels
from wavelab.app.panels.plots.spectrum import amplitude_spectrum
from wavelab.app.tools.wall import WallTool
from wavelab.app.window.dialogs import WavesDialog
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.systems.sound import RigidWall, SoftWall

REST = """\
[[materials]]
name = "block"
{medium}
shape = "rectangle"
lower = [0.6, 0.6]
upper = [0.8, 0.8]
[initial]
{field} = "exp(-60*((x - 0.4)^2 + (y - 0.4)^2))"
[[probes]]
name = "ear"
position = [0.3, 0.3]
[solver]
element_size = 0.2
order = 2
"""
LIGHT = boxed("Lit", REST.format(medium="epsilon = 4", field="ez"))
SOUND = 'physics = "sound"\n' + boxed("Loud", REST.format(medium="speed = 2", field="pressure"))
#: What some parts say: the list of quantities, legend and axis of the probe, the form.
WORDS = {
    "light": ("Electric field Ez", "Magnetic field Hx", "Ez", "Epsilon"),
    "sound": ("Pressure p", "Velocity vx", "p", "Speed"),
}


def check_words(driver, physics: str) -> None:
    """All parts are of these waves, after a moment."""
    window, bench = driver.window, driver.bench
    scalar, component, symbol, number = WORDS[physics]
    driver.until(lambda: window.field_panel.quantity.itemText(0) == scalar)
    assert window.field_panel.quantity.itemText(1) == component
    assert window.actions_by_id["show.ez"].text().replace("&", "") == scalar
    assert window.legend._quantity.text() == symbol
    assert symbol in window.probe_panel.plot.up.text
    kinds = window.tool_panel.wall.kind
    assert [kinds.itemText(i) for i in range(kinds.count())] == [
        kind.label for kind in SYSTEMS[physics].walls.values()
    ]
    driver.press("V")
    driver.click(0.7, 0.7)
    driver.until(lambda: bench.selection.chosen == (("materials", 0),))
    labels = {label.text() for label in window.property_panel.findChildren(QtWidgets.QLabel)}
    assert number in labels
    driver.point(0.35, 0.35)
    driver.until(lambda: window.transport.readout.text().startswith(f"{symbol} "))


def test_a_scene_of_sound_speaks_of_sound_and_light_again_after_a_switch(start, tmp_path):
    path = tmp_path / "loud.toml"
    path.write_text(SOUND)
    driver = start(path)
    driver.settled()
    check_words(driver, "sound")
    before = driver.session.scene
    driver.dialogs.waves = "light"
    driver.window.actions_by_id["waves"].trigger()  # as its entry in the menu does
    driver.until(lambda: driver.session.scene.physics == "light")
    driver.settled()
    assert driver.session.scene.materials[0].material.coefficient("epsilon") == 0.25
    check_words(driver, "light")
    driver.press("Ctrl+Z")
    driver.until(lambda: driver.session.scene == before)
    driver.settled()
    check_words(driver, "sound")


def test_walls_of_sound_are_chosen_in_their_panel(start, tmp_path):
    from tests.app.conftest import pick

    path = tmp_path / "loud.toml"
    path.write_text(SOUND)
    driver = start(path)
    driver.press("W")
    driver.click(1.0, 0.5)
    panel = driver.window.tool_panel.wall
    driver.until(lambda: isinstance(driver.canvas.tool, WallTool) and driver.canvas.tool.all_picked)
    assert panel.kind.currentText() == RigidWall.label
    pick(panel.kind, SoftWall.label)
    driver.until(lambda: [type(wall) for wall in driver.session.scene.walls] == [SoftWall])


def test_a_new_scene_asks_what_its_waves_are(start, tmp_path):
    path = tmp_path / "lit.toml"
    path.write_text(LIGHT)
    driver = start(path)
    check_words(driver, "light")
    for physics in [key for key in SYSTEMS if key != "light"]:
        driver.dialogs.waves = physics
        driver.press("Ctrl+N")
        driver.until(lambda physics=physics: driver.session.scene.physics == physics)
        driver.settled()
        scene = driver.session.scene
        assert type(scene.background) is SYSTEMS[physics].medium
        box, label = driver.window.field_panel.quantity, SYSTEMS[physics].scalar.label
        driver.until(lambda box=box, label=label: box.itemText(0) == label)


def test_the_dialog_of_waves_is_answered_by_keys(start, tmp_path):
    from PyQt5.QtTest import QTest

    path = tmp_path / "lit.toml"
    path.write_text(LIGHT)
    driver = start(path)
    dialog = WavesDialog(driver.window, "Waves", "te")
    dialog.show()
    driver.application.setActiveWindow(dialog)
    dialog.buttons["te"].setFocus()
    assert dialog.physics == "te"
    QTest.keyClick(dialog.buttons["te"], Qt.Key_Down)
    assert dialog.physics == list(SYSTEMS)[list(SYSTEMS).index("te") + 1]
    QTest.mouseClick(dialog.buttons["membrane"], Qt.LeftButton)
    assert dialog.physics == "membrane"
    QTest.keyClick(dialog, Qt.Key_Return)
    assert dialog.result() == dialog.Accepted
    dialog.deleteLater()


def test_levels_of_sound_are_in_decibels_and_those_of_light_in_decades(start, tmp_path):
    path = tmp_path / "loud.toml"
    path.write_text(SOUND + "[view]\nlimit = 2.0\ndecades = 3\n")
    driver = start(path)
    panel, views = driver.window.field_panel, driver.bench.views
    driver.until(lambda: panel.scale.currentText() == "Logarithmic, 60 dB")
    assert panel.bar.labels() == ("\u22122.00", "\u221260 dB", "+2.00")
    assert panel.bar.toolTip() == "Logarithmic: a tick every 20 dB below full colour"
    views.show_quantity("energy")
    driver.until(lambda: panel.scale.currentText() == "Logarithmic, 30 dB")
    views.show_quantity("quality")
    driver.until(lambda: panel.scale.currentText() == "Linear")
    views.show_quantity("ez")
    driver.dialogs.waves = "light"
    driver.window.actions_by_id["waves"].trigger()
    driver.until(lambda: panel.scale.currentText() == "Logarithmic, 3 decades")


def test_a_spectrum_of_sound_is_of_levels_below_its_strongest_tone(start, tmp_path):
    path = tmp_path / "loud.toml"
    path.write_text(SOUND)
    driver = start(path)
    plot = driver.window.probe_panel.plot
    driver.until(lambda: len(plot.probe_series.times) > 50)
    plot.show_spectra(True)
    driver.until(lambda: plot.refresh() or plot.up.text == "Level (dB)")
    times, values = plot.probe_series.times, driver.bench.probe_series.values
    _, amplitudes = amplitude_spectrum(times, values)
    drawn = levels(amplitudes, float(amplitudes.max()))
    assert drawn.max() == 0
    assert drawn.min() >= -80
    loud = amplitudes > 1e-3 * amplitudes.max()
    assert 10 ** (drawn[loud] / 20) == pytest.approx(amplitudes[loud] / amplitudes.max())


def test_waves_that_run_become_elastic_ones_at_rest_and_back(start, tmp_path):
    """A velocity and a stress are no other names of the fields that were there."""
    path = tmp_path / "room.toml"
    path.write_text(LIGHT)
    driver = start(path)
    driver.settled()
    for physics, shown in (("elastic", "index"), ("sound", "sxy"), ("elastic", "hy")):
        driver.window.actions_by_id[f"show.{shown}"].trigger()  # what the next waves have not
        driver.next_frame()
        driver.dialogs.waves = physics
        driver.window.actions_by_id["waves"].trigger()
        driver.settled()
        assert driver.session.running.scene.physics == physics
        driver.until(lambda: driver.bench.presenter.frame.quantity == "ez")
        assert driver.bench.views.state.quantity == "ez"
        assert "went wrong" not in driver.window.message.text
        assert not driver.dialogs.errors
        if physics == "elastic":
            assert not driver.bench.presenter.frame.values.any()
    page = driver.window.tool_panel.probe.measured
    offered = [page.itemData(i) for i in range(page.count())]
    assert "flux" in offered
    assert "far_field" not in offered
    arrows = driver.window.field_panel.arrows
    assert [arrows.itemData(i) for i in range(arrows.count())] == ["none", "power", "mean_power"]
    for physics in ("sound", "elastic", "light"):
        driver.press("Ctrl+Z")
        driver.settled()
        assert driver.session.running.scene.physics == physics
    driver.until(lambda: driver.bench.presenter.frame.values.any())
    assert "far_field" in [page.itemData(i) for i in range(page.count())]
