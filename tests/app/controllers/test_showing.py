"""How the field is shown: quantity, range, scale, arrows, heights, the value under the pointer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import STANDING_SCENE, decoded, pick, strength
from tests.app.pointer import move_to
from wavelab.app.base.qt import Qt, QtCore
from wavelab.app.base.settings import load_preferences, preferences_path
from wavelab.app.canvas.field import field_choice
from wavelab.app.edits.domain_edits import draw_domain
from wavelab.app.session.automatic_range import AutomaticRange
from wavelab.output.palette import colorize
from wavelab.output.relief import Camera
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.toml.toml_io import load_scene


def test_what_is_shown(at_rest):
    driver = at_rest()
    driver.press("4")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "h")
    assert driver.bench.presenter.frame.values.min() >= 0
    driver.press("5")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "energy")
    assert driver.bench.views.state.palette == "inferno"
    assert driver.window.field_panel.quantity.currentData() == "energy"
    driver.press("1")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "ez")
    assert strength(driver) == pytest.approx(1.0, abs=0.02)
    panel = driver.window.field_panel
    assert panel.follows.isVisible()
    pick(panel.follows, "brightest spot")
    # At once, though the wave is at rest.
    brightest = AutomaticRange(robust=False).update(driver.bench.presenter.frame.values, 0.0)
    assert driver.bench.presenter.limit == brightest
    QTest.mouseClick(panel.automatic, Qt.LeftButton, pos=QtCore.QPoint(8, 8))
    assert not panel.follows.isVisible()
    assert driver.bench.views.state.limit == pytest.approx(1.0, abs=0.03)
    # What was chosen is kept for the next scene and the next start.
    driver.press("Ctrl+N")
    driver.settled()
    assert panel.follows.isVisible()
    assert panel.follows.currentText() == "brightest spot"
    assert not load_preferences(preferences_path()).robust
    driver.press("Ctrl+Z")
    driver.settled()
    panel.limit.changed.emit(4.0)
    assert driver.bench.presenter.limit == 4.0


def test_the_value_under_the_pointer_is_told(at_rest):
    driver = at_rest()
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)

    def told(x: float, y: float) -> str:
        driver.point(x, y)  # aimed anew each time: the canvas may still be given its size
        return driver.window.transport.readout.text().strip()

    driver.until(lambda: "Ez 1.0" in told(0.5, 0.5))
    driver.until(lambda: told(0.5, -0.05).startswith("at"))


def test_a_logarithmic_scale(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(STANDING_SCENE + "[view]\nlimit = 1.0\ndecades = 5\n")
    driver = start(path)
    panel, bar = driver.window.field_panel, driver.window.field_panel.bar
    action = driver.window.actions_by_id["logarithmic"]
    assert panel.scale.currentText() == "Logarithmic, 5 decades"
    assert bar.labels() == ("\u22121.00", "\u00b11.00\u00d710\u207b\u2075", "+1.00")
    assert bar.ticks() == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert action.isChecked()
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) == pytest.approx(1.0, abs=0.02))
    driver.application.processEvents()
    place = driver.canvas.devicePixelRatioF() * driver.canvas.view.to_pixels((0.02, 0.5))
    column, row = place.astype(int)

    def near_the_wall():
        driver.application.processEvents()
        return driver.canvas.grab_rgb()[row, column].astype(int)

    weak = near_the_wall()  # Ez = 0.06
    driver.press("Ctrl+L")
    assert bar.labels() == ("\u22121.00", "0", "+1.00")
    assert bar.ticks() == []
    assert weak.sum() > near_the_wall().sum() + 100
    driver.press("5")
    driver.press("Ctrl+L")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "energy")
    assert driver.bench.views.state.decades == 6
    assert bar.ticks() == pytest.approx(np.arange(7) / 6)
    assert bar.labels()[0].endswith("10\u207b\u2077")  # 10^-6 of the limit 0.5
    driver.press("6")
    assert bar.ticks() == []
    assert not panel.scale.isEnabled()
    assert not action.isEnabled()
    driver.dialogs.path = tmp_path / "saved.toml"
    driver.press("Ctrl+Shift+S")
    assert load_scene(driver.dialogs.path).view.decades == 6


def test_the_mesh_in_the_colours_of_its_elements(driver):
    driver.press("Shift+G")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "quality")
    panel = driver.window.field_panel
    assert panel.bar.labels() == ("0", "", "1.00")
    assert not panel.automatic.isEnabled()
    assert not panel.scale.isEnabled()
    mesh = driver.session.running.mesh
    values = driver.bench.presenter.frame.values
    assert sorted(values[:, 0]) == pytest.approx(sorted(mesh.qualities()))
    driver.until(lambda: driver.canvas.grab_rgb().size > 0)
    worst = values[:, 0].argmin()
    d = driver.session.running.problem.discretization
    middle = d.x[worst].mean(), d.y[worst].mean()
    driver.application.processEvents()
    place = driver.canvas.devicePixelRatioF() * driver.canvas.view.to_pixels(middle)
    column, row = place.astype(int)
    expected = colorize(values[worst, :1], driver.bench.views.state.palette, 1.0, (0, 0, 0))[0]
    plain = driver.canvas.grab_rgb().astype(int)
    assert np.abs(plain[row, column] - expected).max() < 12
    driver.press("G")
    brighter = (driver.canvas.grab_rgb().astype(int) - plain).sum(axis=2)
    assert (brighter < -30).sum() > 500  # dark edges on bright elements
    assert not (brighter > 30).any()
    driver.press("Ctrl+G")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "step")
    frame = driver.bench.presenter.frame
    assert frame.values.min() == pytest.approx(frame.dt)
    assert panel.automatic.isEnabled()


@pytest.mark.parametrize("software", [("",), ()], ids=["processor", "opengl"])
def test_the_height_view(start, tmp_path, monkeypatch, software):
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", software)
    path = tmp_path / "standing.toml"
    path.write_text(STANDING_SCENE + "[view]\nlimit = 1.0\nrelief = [20, 35]\n")
    driver = start(path)
    relief, window = driver.window.relief, driver.window
    assert relief.isVisible()
    assert window.actions_by_id["relief"].isChecked()
    assert relief.camera == Camera(20.0, 35.0)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) == pytest.approx(1.0, abs=0.02))
    hill = driver.canvas.grab_rgb().astype(int)
    assert hill.shape[:2] == window.canvas_size()[::-1]
    middle = hill[: len(hill) // 2, hill.shape[1] // 2]
    assert (middle[:, 0] > 150).any()  # red, high above the ground
    # A drag turns and tilts it, and no tool hears of it.
    start_at, end = QtCore.QPoint(200, 150), QtCore.QPoint(300, 200)
    QTest.mousePress(relief, Qt.LeftButton, pos=start_at)
    move_to(relief, end)
    QTest.mouseRelease(relief, Qt.LeftButton, pos=end)
    assert relief.camera.azimuth == pytest.approx(20 - 40)
    assert relief.camera.elevation == pytest.approx(35 + 20)
    assert driver.bench.views.state.relief == pytest.approx((-20, 55))
    assert (np.abs(driver.canvas.grab_rgb().astype(int) - hill) > 40).any(axis=2).mean() > 0.05
    driver.press("+")
    assert relief.camera.zoom == pytest.approx(1.25)
    driver.press("0")
    assert relief.camera.zoom == pytest.approx(1.0)
    driver.until(lambda: "flat view" in window.hint.text())
    QTest.mouseClick(relief, Qt.LeftButton, pos=start_at)
    assert "Tools work in the flat view" in window.message.text
    assert not driver.pings()
    driver.dialogs.path = tmp_path / "field.png"
    driver.press("Ctrl+Shift+E")
    driver.until(lambda: driver.dialogs.path.exists())
    (picture,) = decoded(driver.dialogs.path)
    assert picture.shape == (64, 96, 3)
    driver.dialogs.path = tmp_path / "saved.toml"
    driver.press("Ctrl+Shift+S")
    assert load_scene(driver.dialogs.path).view.relief == pytest.approx((-20, 55))
    # Another mesh: the relief of it comes.
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (2, 1))))
    driver.settled()
    assert (driver.canvas.grab_rgb().astype(int) != hill).any()
    QTest.mouseClick(relief, Qt.LeftButton, pos=start_at)
    window.message.button("Flat view").click()
    assert relief.isHidden()
    assert not window.message.text
    assert not window.actions_by_id["relief"].isChecked()
    driver.click(1.0, 0.5)
    driver.until(lambda: driver.bench.presenter.frame.ledger.pings != 0)


def test_arrows_of_the_energy_flow(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(STANDING_SCENE)
    driver = start(path)
    driver.until(lambda: driver.bench.presenter.frame.time > 0.2)
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    assert driver.bench.presenter.frame.arrows is None
    bare = driver.canvas.grab_rgb()
    driver.press("F")
    driver.until(lambda: driver.bench.presenter.frame.arrows is not None)
    arrows, longest = driver.bench.presenter.arrows
    sizes = arrows.sizes()
    assert longest <= sizes.max()
    place = driver.canvas.view.to_pixels(arrows.positions[sizes.argmax()])
    column, row = (driver.canvas.devicePixelRatioF() * place).astype(int)
    middle = np.s_[row - 1 : row + 2, column - 1 : column + 2]
    # White, where the wave is red or blue or black.
    assert driver.canvas.grab_rgb()[middle].min(axis=2).max() > 180 > bare[middle].min(axis=2).max()
    assert driver.window.field_panel.arrows.currentData() == "power"
    driver.dialogs.path, driver.dialogs.room = tmp_path / "field.png", False
    driver.press("Ctrl+Shift+E")
    driver.until(lambda: driver.dialogs.path.exists())
    (picture,) = decoded(driver.dialogs.path)
    assert (picture.min(axis=2) > 200).any()
    driver.canvas.zoom(2.0)
    driver.until(
        lambda: driver.bench.presenter.frame.arrows.spacing == pytest.approx(arrows.spacing / 2)
    )
    driver.dialogs.path = tmp_path / "saved.toml"
    driver.press("Ctrl+Shift+S")
    assert load_scene(driver.dialogs.path).view.arrows == "power"
    driver.press("F")
    driver.until(lambda: driver.bench.presenter.frame.arrows is None)
    driver.canvas.fit()
    driver.application.processEvents()
    assert driver.canvas.grab_rgb()[middle].min(axis=2).max() < 180
    driver.bench.views.wish(replace(driver.bench.views.state, arrows="mean_power"))
    assert "No monitor measures the mean energy flow" in driver.window.message.text
    assert driver.window.field_panel.arrows.currentData() == "none"
    driver.press("1")
    assert "No monitor" not in driver.window.message.text
    driver.press("F")
    driver.press("J")
    assert "flat view" in driver.window.message.text
