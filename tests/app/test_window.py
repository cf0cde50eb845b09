"""A person at the window: real mouse and key events, and what is seen and saved afterwards."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import av
import h5py
import meshio
import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.actions import ACTIONS, MENUS
from wavelab.app.canvas import field_choice
from wavelab.app.dialogs import with_suffix_of_filter
from wavelab.app.domain_edits import cut_hole, draw_domain
from wavelab.app.edits import Edit
from wavelab.app.panels.shortcut_sheet import ShortcutSheet
from wavelab.app.presenter import ping_height
from wavelab.app.qt import Qt, QtCore, QtWidgets
from wavelab.app.toolbox import PING_SIZE
from wavelab.app.tools import TOOLS, tool_gestures
from wavelab.app.tools.tool import HOLD_INTERVAL
from wavelab.output.palette import background, colorize, surroundings
from wavelab.output.relief import Camera
from wavelab.scene.scene import PointSource, Probe, Ricker, Sine, View
from wavelab.scene.shapes import Polygon, Rectangle
from wavelab.scene.toml_io import load_scene

ALT = boxed(
    "Standing",
    """\
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[solver]
element_size = 0.2
order = 2
""",
)


def decoded(path) -> list[np.ndarray]:
    """All pictures of a PNG or a movie, (height, width, 3) uint8."""
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def strength(driver) -> float:
    """Largest |value| of the newest frame."""
    return float(np.abs(driver.bench.presenter.frame.values).max())


def test_it_starts_running_and_says_what_to_do(driver):
    assert driver.session.solver.playing
    assert "Click to ring" in driver.window.message.text
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert driver.window.status.text("time").startswith("t 0.")
    assert "order 2" in driver.window.status.text("mesh")
    assert "double precision" in driver.window.status.text("device")


def test_a_click_rings_the_field_where_it_points(driver):
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    assert strength(driver) == 0.0
    driver.canvas.set_overlays_visible(False)
    before = driver.canvas.grab_rgb().astype(int)
    # Connected before: a paused wave is drawn once, perhaps as soon as it is there.
    drawn = []
    driver.canvas.drawn.connect(lambda: drawn.append(strength(driver)))
    driver.click(0.3, 0.7)
    driver.until(lambda: max(drawn, default=0.0) > 0.5)
    changed = np.abs(driver.canvas.grab_rgb().astype(int) - before).sum(axis=2) > 30
    rows, columns = np.nonzero(changed)
    ratio = driver.canvas.devicePixelRatioF()
    x, y = driver.canvas.view.to_scene((columns.mean() / ratio, rows.mean() / ratio))
    assert (x, y) == pytest.approx((0.3, 0.7), abs=0.03)


def test_shift_and_x_turn_the_sign(driver):
    driver.press("Space")
    driver.click(0.5, 0.5, modifier=Qt.ShiftModifier)
    driver.until(lambda: driver.bench.presenter.frame.values.min() < -0.5)
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) == 0.0)
    driver.press("X")
    assert driver.window.tool_panel.minus.isChecked()
    driver.click(0.5, 0.5)
    driver.until(lambda: driver.bench.presenter.frame.values.min() < -0.5)


def test_a_ping_is_as_high_as_the_range_on_show_and_goes_on_while_held(driver):
    driver.bench.views.show(driver.bench.view.with_limit(4.0))
    driver.next_frame()
    place = driver.place(0.5, 0.5)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=place)
    driver.until(lambda: len(driver.pings()) >= 3)
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=place)
    given = driver.pings()
    assert {ping.amplitude for ping in given} == {4.0}
    later = time.monotonic() + 3 * HOLD_INTERVAL
    driver.until(lambda: time.monotonic() > later)
    assert driver.pings() == given


@pytest.mark.parametrize(
    ("quantity", "limit", "height"),
    [
        ("ez", 3.0, 3.0),
        ("ez", 1e-3, 1.0),
        ("h", 2.0, 2.0),
        ("energy", 8.0, 4.0),
        ("error", 6.0, 1.0),
    ],
)
def test_a_ping_reaches_full_colour_and_never_less_than_one(quantity, limit, height):
    assert ping_height(quantity, limit) == pytest.approx(height)


def test_the_ping_radius_goes_with_the_domain_until_it_is_chosen(driver):
    radius = driver.window.tool_panel.radius
    # In the small box the nodes are what it must reach, in a large one it is to be seen.
    mesh = driver.session.running.mesh
    assert radius.value == pytest.approx(mesh.mean_edge() / 2, rel=0.05)
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (8, 8))))
    driver.settled()
    assert radius.value == pytest.approx(PING_SIZE * math.hypot(8, 8), rel=0.05)
    driver.press("]")
    chosen = radius.value
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (1, 1))))
    driver.settled()
    assert radius.value == chosen


def test_a_source_rings_on_the_present_mesh_and_is_moved_removed_and_undone(driver):
    driver.next_frame()
    mesh, time = driver.session.running.mesh, driver.bench.presenter.frame.time
    driver.press("S")
    driver.click(0.5, 0.5)
    driver.settled()
    (source,) = driver.session.scene.sources
    assert source.position == pytest.approx((0.5, 0.5), abs=0.01)
    assert driver.session.running.mesh is mesh
    assert driver.bench.presenter.frame.time >= time > 0
    driver.until(lambda: strength(driver) > 0.0)
    drag(driver, (0.5, 0.5), (0.7, 0.4))
    assert driver.session.scene.sources[0].position == pytest.approx((0.7, 0.4), abs=0.01)
    driver.click(0.7, 0.4)
    driver.settled()
    assert driver.session.scene.sources == ()
    for _ in range(2):
        driver.press("Ctrl+Z")
        driver.settled()
    assert driver.session.scene.sources == (source,)


def test_the_settings_of_a_source_are_those_of_the_inspector(driver):
    driver.press("S")
    page = driver.window.tool_panel.source
    assert page.frequency.value == pytest.approx(1 / (6 * 0.2), rel=0.3)
    choose(page.wave, "pulse")
    page.frequency.stepBy(1)
    driver.click(0.5, 0.5)
    driver.settled()
    (source,) = driver.session.scene.sources
    assert isinstance(source.waveform, Ricker)
    assert source.waveform.frequency == page.frequency.value


def test_an_array_is_dragged_and_steered_from_the_inspector(driver):
    driver.press("S")
    page = driver.window.tool_panel.source
    assert page.count.isHidden()
    choose(page.kind, "array")
    page.count.setValue(4)
    page.direction.setValue(-40)
    drag(driver, (0.3, 0.3), (0.3, 0.7))
    driver.settled()
    (source,) = driver.session.scene.sources
    assert (source.count, source.direction) == (4, -40)
    assert source.start == pytest.approx((0.3, 0.3), abs=0.01)
    assert source.end == pytest.approx((0.3, 0.7), abs=0.01)
    driver.until(lambda: strength(driver) > 0.0)


def choose(box, text: str) -> None:
    """As a user does it."""
    box.setCurrentText(text)
    box.activated.emit(box.currentIndex())


def test_drawing_a_polygon_gives_a_running_wave_in_it(driver):
    driver.click(0.4, 0.4)
    driver.until(lambda: strength(driver) > 0.0)
    driver.press("D")
    driver.window.tool_panel.purposes["domain"].click()
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.6), (0.5, 0.9), (0.1, 0.6))
    for corner in corners:
        driver.click(*corner)
    time = driver.bench.presenter.frame.time
    driver.press("Return")
    assert isinstance(driver.session.scene.outline, Polygon)
    driver.settled()
    drawn = np.array(driver.session.scene.outline.vertices)
    assert drawn == pytest.approx(np.array(corners), abs=0.02)
    d = driver.session.running.problem.discretization
    assert d.mesh.signed_areas().sum() == pytest.approx(0.52, abs=0.03)
    # Time went on and the field came along.
    assert driver.bench.presenter.frame.time >= time
    assert strength(driver) > 1e-3
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert driver.bench.toolbox.key == "ping"


def test_a_hole_is_cut_and_undone_and_cut_again(driver):
    driver.press("Shift+D")
    for corner in ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6), (0.4, 0.4)):
        driver.click(*corner)
    driver.settled()

    def area():
        return driver.session.running.mesh.signed_areas().sum()

    assert len(driver.session.scene.holes) == 1
    assert area() == pytest.approx(0.96, abs=0.01)
    assert driver.window.actions_by_id["undo"].text() == "&Undo add obstacle"
    driver.press("Ctrl+Z")
    driver.settled()
    assert area() == pytest.approx(1.0)
    driver.press("Ctrl+Shift+Z")
    driver.settled()
    assert area() == pytest.approx(0.96, abs=0.01)


def drag(driver, start, end, *, meanwhile=lambda: None) -> None:
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=driver.place(*start))
    QTest.mouseMove(driver.canvas, driver.place(*end))
    meanwhile()
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=driver.place(*end))
    driver.settled()


def test_a_rectangle_dragged_inside_is_an_obstacle(driver):
    driver.press("R")
    drag(driver, (0.2, 0.2), (0.8, 0.6))
    (hole,) = driver.session.scene.holes
    assert isinstance(hole.shape, Rectangle)
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.76, abs=0.02)
    assert driver.bench.toolbox.key == "rectangle"


def test_a_rectangle_dragged_beyond_the_walls_is_a_domain(driver):
    driver.press("-")
    driver.press("-")
    driver.press("R")
    drag(driver, (0.2, 0.2), (0.8, 1.1))
    assert driver.session.scene.holes == ()
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.54, abs=0.03)
    assert driver.bench.toolbox.key == "ping"


def test_tab_makes_a_domain_of_what_would_be_an_obstacle(driver):
    driver.press("R")

    def switch():
        assert "becomes an obstacle" in driver.canvas.tool.hint
        # As a key event, without taking the focus first: Tab must not leave the canvas.
        QTest.keyClick(driver.canvas, Qt.Key_Tab)
        assert driver.canvas.hasFocus()
        assert driver.window.tool_panel.purposes["domain"].isChecked()

    drag(driver, (0.2, 0.2), (0.8, 0.6), meanwhile=switch)
    assert isinstance(driver.session.scene.outline, Rectangle)
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.24, abs=0.02)
    driver.press("D")
    assert driver.bench.toolbox.purpose.wish == "automatic"
    assert driver.window.tool_panel.purposes["automatic"].isChecked()


def test_order_and_element_size(driver):
    elements = driver.session.loaded.elements
    driver.window.mesh_panel.order.setValue(5)
    driver.settled()
    assert driver.session.loaded.order == 5
    assert driver.session.loaded.elements == elements
    assert driver.bench.presenter.frame.values.shape == (elements, 21)
    field = driver.window.mesh_panel.size
    field.setFocus()
    field.lineEdit().selectAll()
    QTest.keyClicks(field, "0.1")
    QTest.keyClick(field, Qt.Key_Return)
    driver.settled()
    assert driver.session.loaded.elements > 2 * elements
    assert "order 5" in driver.window.status.text("mesh")


def test_the_stepper_can_be_chosen(driver):
    box, dt = driver.window.mesh_panel.stepper, driver.session.loaded.dt
    assert box.currentText() == "auto"
    box.setCurrentText("ndb144")
    box.textActivated.emit("ndb144")
    driver.settled()
    assert driver.session.loaded.dt > 1.5 * dt
    driver.session.undo()
    driver.settled()
    assert box.currentText() == "auto"
    assert driver.session.loaded.dt == dt


def test_an_impossible_size_is_refused_and_the_wave_goes_on(driver):
    driver.window.mesh_panel.size.changed.emit(1e-9)
    driver.until(lambda: driver.window.message.is_error)
    driver.settled()
    assert driver.session.scene.solver.element_size == 0.2
    assert driver.window.mesh_panel.size.value == 0.2
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    driver.press("Escape")
    assert not driver.window.message.text


def test_pause_step_and_reset(driver):
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    steps = driver.bench.presenter.frame.steps
    driver.press(".")
    driver.until(lambda: driver.bench.presenter.frame.steps == steps + 1)
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    driver.press("Space")
    driver.until(lambda: driver.bench.presenter.frame.steps > 0)


def test_speed_is_simulated_time_per_second(driver):
    speed = driver.window.transport.speed
    before = driver.session.solver.speed
    driver.press("Ctrl+Right")
    assert driver.session.solver.speed == pytest.approx(before * 10**0.1)
    driver.press("U")
    assert driver.session.solver.speed is None
    assert not speed.slider.isEnabled()
    driver.press("U")
    assert driver.session.solver.speed == pytest.approx(before * 10**0.1)


def test_what_is_shown(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(ALT)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.press("4")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "h")
    assert driver.bench.presenter.frame.values.min() >= 0
    driver.press("5")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "energy")
    assert driver.bench.view.palette == "inferno"
    assert driver.window.field_panel.quantity.currentData() == "energy"
    driver.press("1")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "ez")
    assert strength(driver) == pytest.approx(1.0, abs=0.02)
    panel = driver.window.field_panel
    QTest.mouseClick(panel.automatic, Qt.LeftButton, pos=QtCore.QPoint(8, 8))
    assert driver.bench.view.limit == pytest.approx(1.0, abs=0.03)
    panel.limit.changed.emit(4.0)
    assert driver.bench.presenter.limit == 4.0


def test_probes_record_and_are_saved(driver, tmp_path):
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.click(0.25, 0.75)
    assert [probe.name for probe in driver.session.scene.probes] == ["probe 1", "probe 2"]
    assert driver.session.scene.probes[0].position == pytest.approx((0.5, 0.5), abs=0.005)
    driver.until(lambda: len(driver.bench.traces.times) > 3 and driver.bench.traces.names)
    driver.press("P")
    driver.click(0.5, 0.5)
    driver.until(lambda: np.abs(driver.bench.traces.values).max() > 0.01)
    driver.dialogs.path = tmp_path / "traces.csv"
    driver.window.actions_by_id["traces"].trigger()
    lines = driver.dialogs.path.read_text().splitlines()
    assert any("probe 1" in line and "probe 2" in line for line in lines[:5])
    driver.press("B")
    driver.click(0.25, 0.75)
    assert [probe.name for probe in driver.session.scene.probes] == ["probe 1"]
    driver.window.actions_by_id["remove_probes"].trigger()
    driver.until(lambda: driver.bench.traces.names == ())


def test_the_value_under_the_pointer_is_told(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(ALT)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    QTest.mouseMove(driver.canvas, driver.place(0.5, 0.5))
    driver.until(lambda: "Ez 1.0" in driver.window.transport.readout.text())
    QTest.mouseMove(driver.canvas, driver.place(0.5, -0.05))
    driver.until(lambda: driver.window.transport.readout.text().strip().startswith("at"))


def test_the_picture_of_the_canvas_is_what_is_seen(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(ALT)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) > 0.9)
    driver.dialogs.path = tmp_path / "canvas.png"
    driver.press("Ctrl+E")
    (picture,) = decoded(driver.dialogs.path)
    assert np.array_equal(picture, driver.canvas.grab_rgb())
    row, column = picture.shape[0] // 2, picture.shape[1] // 2
    assert picture[row, column].astype(int).sum() > picture[4, 4].astype(int).sum() + 100
    assert "canvas.png" in driver.window.message.text


def test_a_logarithmic_scale(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(ALT + "[view]\nlimit = 1.0\ndecades = 5\n")
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
    assert driver.bench.view.decades == 6
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
    expected = colorize(values[worst, :1], driver.bench.view.palette, 1.0, (0, 0, 0))[0]
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
    path.write_text(ALT + "[view]\nlimit = 1.0\nrelief = [20, 35]\n")
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
    QTest.mouseMove(relief, end)
    QTest.mouseRelease(relief, Qt.LeftButton, pos=end)
    assert relief.camera.azimuth == pytest.approx(20 - 40)
    assert relief.camera.elevation == pytest.approx(35 + 20)
    assert driver.bench.view.relief == pytest.approx((-20, 55))
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
    path.write_text(ALT)
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
    driver.dialogs.path = tmp_path / "field.png"
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
    driver.bench.views.wish(driver.bench.view.with_arrows("mean_power"))
    assert "No monitor measures the mean energy flow" in driver.window.message.text
    assert driver.window.field_panel.arrows.currentData() == "none"
    driver.press("1")
    assert "No monitor" not in driver.window.message.text
    driver.press("F")
    driver.press("J")
    assert "flat view" in driver.window.message.text


def test_the_picture_of_the_field_has_any_size(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(ALT)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) > 0.9)
    driver.dialogs.path = tmp_path / "field.png"
    driver.press("Ctrl+Shift+E")
    driver.until(lambda: "saved as" in driver.window.message.text)
    (picture,) = decoded(driver.dialogs.path)
    assert picture.shape == (64, 96, 3)
    middle, corner = picture[32, 48].astype(int), picture[0, 0].astype(int)
    assert middle.sum() > corner.sum() + 100
    # What is outside is not taken for a field of zero.
    palette = driver.bench.view.palette
    assert tuple(picture[0, 0]) == tuple(surroundings(palette)) != tuple(background(palette))


def test_what_is_said_of_an_edit_is_withdrawn_with_it(driver):
    message = driver.window.message
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.settled()
    hole = cut_hole(driver.session.scene, Rectangle((0.4, 0.4), (0.6, 0.6)))
    driver.bench.editor.apply(hole)
    assert "probe" in message.text
    assert "undoes it" in message.text
    driver.settled()
    driver.press("Ctrl+Z")
    driver.settled()
    assert "undoes it" not in message.text
    driver.bench.editor.apply(hole)
    message.inform("Saved.")
    driver.bench.editor.apply(cut_hole(driver.session.scene, Rectangle((0.1, 0.1), (0.2, 0.2))))
    assert "undoes it" not in message.text
    assert "Saved." in message.text


def test_what_is_said_of_a_mesh_is_withdrawn_with_it(driver):
    message, scene = driver.window.message, driver.session.scene
    fast = PointSource("fast", (0.5, 0.5), 0.05, 1.0, Sine(40.0))
    driver.bench.editor.apply(Edit("Add source", replace(scene, sources=(fast,))))
    driver.settled()
    driver.until(lambda: "points per wavelength" in message.text)
    driver.press("Ctrl+Z")
    driver.settled()
    assert "points per wavelength" not in message.text


def test_a_long_message_has_the_width_of_its_bar_in_a_narrow_window(driver):
    message = driver.window.message
    for width in (1000, 820, 760, 720):
        driver.window.resize(width, 700)
        message.inform("Add obstacle: left out what is not inside (source, probe). " * 2)
        driver.application.processEvents()
        label = message.findChild(QtWidgets.QLabel)
        assert label.width() > 0.7 * message.width()


@pytest.mark.parametrize("name", ["field.vtu", "field.h5"])
def test_all_fields_are_saved_at_the_moment_that_was_asked_for(start, tmp_path, name):
    path = tmp_path / "standing.toml"
    path.write_text(ALT)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) > 0.9)
    driver.dialogs.path = tmp_path / name
    driver.press("Ctrl+Shift+F")
    driver.until(lambda: "saved as" in driver.window.message.text)
    assert f"Fields at t = 0 saved as {tmp_path / name}" in driver.window.message.text
    if name.endswith(".vtu"):
        ez = meshio.read(tmp_path / name).point_data["Ez"]
    else:
        with h5py.File(tmp_path / name) as file:
            ez = file["ez"][()]
    assert ez.size == driver.bench.presenter.frame.values.size
    assert np.abs(ez).max() == pytest.approx(1, abs=0.02)
    driver.dialogs.path = tmp_path / "field.txt"
    driver.press("Ctrl+Shift+F")
    driver.until(lambda: driver.window.message.is_error)
    assert ".vtu" in driver.window.message.text
    driver.dialogs.path = None
    driver.window.message.clear()
    driver.press("Ctrl+Shift+F")
    driver.press(".")
    driver.until(lambda: driver.bench.presenter.frame.steps == 1)
    assert not driver.window.message.text


def test_a_movie_is_recorded_while_the_wave_runs(driver, tmp_path):
    driver.click(0.5, 0.5)
    driver.dialogs.path = tmp_path / "wave.mp4"
    driver.press("U")
    driver.press("F9")
    driver.until(lambda: (r := driver.session.solver.recording) is not None and r.frames >= 5)
    assert "frames" in driver.window.transport.recording.text()
    assert driver.window.actions_by_id["record"].isChecked()
    driver.press("F9")
    driver.until(lambda: driver.session.solver.recording is None)
    driver.until(lambda: "wave.mp4" in driver.window.message.text)
    pictures = decoded(driver.dialogs.path)
    assert f"({len(pictures)} frames)" in driver.window.message.text
    assert len(pictures) >= 5
    assert np.abs(pictures[0].astype(int) - pictures[-1].astype(int)).max() > 30
    assert not driver.window.transport.recording.text()


def test_a_movie_that_cannot_be_written_is_said(driver, tmp_path):
    driver.dialogs.path = tmp_path / "nowhere" / "wave.mp4"
    driver.press("F9")
    driver.until(lambda: driver.window.message.is_error)
    assert "nowhere" in driver.window.message.text
    assert driver.session.solver.recording is None
    driver.dialogs.path = tmp_path / "wave.txt"
    driver.press("F9")
    driver.until(lambda: ".mp4" in driver.window.message.text)
    driver.until(lambda: driver.session.solver.recording is None)


def test_a_scene_is_saved_and_opened_again(driver, tmp_path):
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.until(driver.window.isWindowModified)
    driver.dialogs.path = tmp_path / "mine.toml"
    driver.press("Ctrl+Shift+S")
    driver.until(lambda: not driver.window.isWindowModified())
    saved = load_scene(driver.dialogs.path)
    assert [probe.name for probe in saved.probes] == ["probe 1"]
    driver.press("Ctrl+Z")
    assert driver.session.scene.probes == ()
    driver.press("Ctrl+O")
    driver.settled()
    assert [type(probe) for probe in driver.session.scene.probes] == [Probe]
    assert driver.window.gallery.item_for(driver.dialogs.path) is not None
    assert [a.text() for a in driver.window.recent_menu.actions()] == ["mine.toml"]


def test_the_gallery_opens_what_is_clicked(driver):
    from wavelab.paths import SCENES

    gallery = driver.window.gallery
    item = gallery.item_for(SCENES / "disk.toml")
    gallery.scrollToItem(item)
    center = gallery.visualItemRect(item).center()
    QTest.mouseClick(gallery.viewport(), Qt.LeftButton, pos=center)
    driver.settled()
    assert driver.session.scene.path == SCENES / "disk.toml"
    assert gallery.currentItem() is item


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.toml", "title = 3 = 4"),
        ("wrong.toml", 'title = "x"\n[domain]\nshape = "cube"\n[solver]\nelement_size = 0.1'),
        ("mesh.msh", "this is no mesh"),
        ("missing.toml", None),
    ],
)
def test_a_bad_file_is_told_and_the_old_wave_goes_on(driver, tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_text(content)
    driver.drop(tmp_path / name)
    driver.until(lambda: driver.window.message.is_error)
    assert name in driver.window.message.text
    driver.settled()
    assert driver.session.scene.title == "Small box"
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert driver.dialogs.errors == []


def test_a_scene_that_is_dropped_runs(driver, tmp_path):
    (tmp_path / "standing.toml").write_text(ALT)
    driver.drop(tmp_path / "standing.toml")
    driver.settled()
    assert driver.session.scene.title == "Standing"
    assert driver.window.windowTitle().startswith("Standing")
    driver.until(lambda: strength(driver) > 0.01)


def test_a_mesh_file_that_is_dropped_is_a_domain(driver, tmp_path):
    from wavelab.meshing.formats import write_mesh

    mesh = driver.session.running.mesh
    write_mesh(mesh, tmp_path / "box.msh")
    driver.drop(tmp_path / "box.msh")
    driver.settled()
    assert driver.session.scene.mesh_file == (tmp_path / "box.msh").resolve()
    assert driver.session.running.mesh.n_elements == mesh.n_elements
    assert not driver.window.mesh_panel.size.isEnabled()


def test_h_hides_everything_but_the_wave(driver):
    others = [
        driver.window.menuBar(),
        driver.window.transport,
        driver.window.tool_bar,
        driver.window.status,
        driver.window.hint,
        driver.window.side_dock,
        driver.window.trace_dock,
    ]
    driver.press("T")
    assert driver.window.trace_dock.isHidden()
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


def test_every_action_is_in_a_menu_and_its_keys_are_its_own(driver):
    listed = [id_ for ids in MENUS.values() for id_ in ids if id_ in ACTIONS]
    assert sorted(listed) == sorted(ACTIONS)
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


def test_news_do_not_push_each_other_away_but_old_ones_go(driver, monkeypatch):
    bar = driver.window.message
    bar.clear()
    bar.inform("first")
    bar.inform("second")
    assert bar.text == "First\nSecond"
    assert bar.height() >= bar.layout().heightForWidth(bar.width())
    # A question is not news, and stands where all of it can be read, above long answers.
    answers = {f"an answer that takes some room, number {i}": lambda: None for i in range(3)}
    bar.inform("a question " * 20, buttons=answers)
    assert "Second" not in bar.text
    driver.application.processEvents()
    (label,) = (x for x in bar.findChildren(QtWidgets.QLabel) if x.text().startswith("A question"))
    assert label.height() >= label.heightForWidth(label.width())
    assert label.width() >= 320
    assert all(bar.rect().contains(bar.button(text).geometry()) for text in answers)
    bar.clear()
    monkeypatch.setattr("wavelab.app.panels.message_bar.TOGETHER", 0.0)
    bar.inform("third")
    assert bar.text == "Third"
    bar.complain("wrong", "right")
    assert bar.text == "wrong\nright"
    assert bar.is_error


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


@pytest.mark.parametrize("typed", ["", "abc", "-3", "0", "nan", "inf", "1e999"])
def test_what_is_no_positive_number_is_put_back(driver, typed):
    field = driver.window.mesh_panel.size
    field.setFocus()
    field.lineEdit().setText(typed)
    QTest.keyClick(field, Qt.Key_Return)
    assert (field.value, field.text()) == (0.2, "0.2")
    assert driver.session.scene.solver.element_size == 0.2


def test_a_drawn_domain_frees_a_fixed_range(driver):
    driver.bench.views.show(driver.bench.view.with_limit(3.0))
    driver.session.mark_saved(replace(driver.session.scene, view=View(limit=3.0)))
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (0.5, 0.5))))
    assert driver.bench.view.limit is None
    assert driver.window.field_panel.automatic.isChecked()
    driver.settled()
    driver.press("Ctrl+Z")
    assert driver.bench.view.limit == 3.0
    driver.settled()
    driver.press("Ctrl+Shift+Z")
    assert driver.bench.view.limit is None


def test_a_field_that_blows_up_is_told_where_and_goes_on_from_before(
    driver, small_scene, monkeypatch
):
    driver.dialogs.path = small_scene
    simulation = driver.program.runner.run.simulation
    monkeypatch.setattr(simulation.stepper, "advance", spoiled(simulation.stepper))
    driver.until(lambda: driver.window.message.is_error)
    assert "element 3" in driver.window.message.text
    assert "paused" in driver.window.message.text
    assert not driver.session.solver.playing
    monkeypatch.undo()
    driver.press("Space")
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    driver.window.message.clear()
    monkeypatch.setattr(simulation.stepper, "advance", spoiled(simulation.stepper))
    driver.until(lambda: driver.window.message.is_error)
    driver.press("Ctrl+O")  # answered with the scene itself: from its initial fields
    driver.settled()
    driver.until(lambda: driver.bench.presenter.frame.playing)


def spoiled(stepper):
    """``advance`` of a stepper that computes nonsense in element 3."""
    whole = stepper.advance

    def advance(n_steps):
        values = whole(n_steps)
        nodes = np.arange(3 * 6, 4 * 6)
        stepper.add_to_ez(nodes, np.full(6, np.nan))
        return values

    return advance


def test_a_name_without_suffix_gets_the_one_of_the_filter():
    assert with_suffix_of_filter(Path("a/b"), "WebM movie (*.webm)") == Path("a/b.webm")
    assert with_suffix_of_filter(Path("a/b.c"), "WebM movie (*.webm)") == Path("a/b.c")
    assert with_suffix_of_filter(Path("b"), "Scenes and meshes (*.toml *.msh)") == Path("b.toml")
    assert with_suffix_of_filter(Path("b"), "All files (*)") == Path("b")
