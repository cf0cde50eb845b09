"""What is saved from the window, read back."""

from __future__ import annotations

from pathlib import Path

import h5py
import meshio
import numpy as np
import pytest

from tests.app.conftest import decoded, strength
from wavelab.app.window.dialogs import with_suffix_of_filter
from wavelab.output.palette import background, surroundings
from wavelab.scene.model.scene import Probe
from wavelab.scene.toml.toml_io import load_scene


def test_probes_record_and_are_saved(driver, tmp_path):
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.click(0.25, 0.75)
    assert [probe.name for probe in driver.session.scene.probes] == ["probe 1", "probe 2"]
    assert driver.session.scene.probes[0].position == pytest.approx((0.5, 0.5), abs=0.005)
    driver.until(
        lambda: len(driver.bench.probe_series.times) > 3 and driver.bench.probe_series.names
    )
    driver.press("P")
    driver.click(0.5, 0.5)
    driver.until(lambda: np.abs(driver.bench.probe_series.values).max() > 0.01)
    driver.dialogs.path = tmp_path / "traces.csv"
    driver.window.actions_by_id["probe_series"].trigger()
    lines = driver.dialogs.path.read_text().splitlines()
    assert any("probe 1" in line and "probe 2" in line for line in lines[:5])
    driver.press("B")
    driver.point(0.25, 0.75)
    driver.press("Del")
    assert [probe.name for probe in driver.session.scene.probes] == ["probe 1"]
    driver.window.actions_by_id["remove_probes"].trigger()
    driver.until(lambda: driver.bench.probe_series.names == ())


def test_the_picture_of_the_canvas_is_what_is_seen(at_rest, tmp_path):
    driver = at_rest()
    driver.until(lambda: strength(driver) > 0.9)
    driver.dialogs.path = tmp_path / "canvas.png"
    driver.press("Ctrl+E")
    (picture,) = decoded(driver.dialogs.path)
    assert np.array_equal(picture, driver.canvas.grab_rgb())
    row, column = picture.shape[0] // 2, picture.shape[1] // 2
    assert picture[row, column].astype(int).sum() > picture[4, 4].astype(int).sum() + 100
    assert "canvas.png" in driver.window.message.text


def test_the_picture_of_the_field_has_any_size(at_rest, tmp_path):
    driver = at_rest()
    driver.until(lambda: strength(driver) > 0.9)
    driver.dialogs.path = tmp_path / "field.png"
    driver.press("Ctrl+Shift+E")
    driver.until(lambda: "saved as" in driver.window.message.text)
    (picture,) = decoded(driver.dialogs.path)
    assert picture.shape == (64, 96, 3)
    middle, corner = picture[32, 48].astype(int), picture[0, 0].astype(int)
    assert middle.sum() > corner.sum() + 100
    # What is outside is not taken for a field of zero.
    palette = driver.bench.views.state.palette
    assert tuple(picture[0, 0]) == tuple(surroundings(palette)) != tuple(background(palette))


def test_the_picture_of_the_field_has_its_walls_unless_they_are_not_wanted(at_rest, tmp_path):
    driver = at_rest()
    driver.settled()
    driver.press("V")  # whose marks are on no picture
    driver.canvas.fit()
    found = []
    for driver.dialogs.room in (True, False):
        driver.dialogs.path = tmp_path / f"{driver.dialogs.room}.png"
        driver.dialogs.size = (480, 320)
        driver.press("Ctrl+Shift+E")
        driver.until(lambda: driver.dialogs.path.exists())
        driver.until(lambda: "saved as" in driver.window.message.text)
        found += decoded(driver.dialogs.path)
    walls, alone = (picture.astype(int) for picture in found)
    view = driver.canvas.view
    factor = min(480 / view.width, 320 / view.height)
    differs = np.abs(walls - alone).max(axis=2) > 30
    # A line round the square, in its place, and nothing within or outside of it.
    side = factor * view.scale
    rows, columns = np.nonzero(differs)
    assert np.ptp(columns) == pytest.approx(side, abs=4)
    assert np.ptp(rows) == pytest.approx(side, abs=4)
    middle = np.s_[160 - round(0.4 * side) : 160 + round(0.4 * side)]
    assert not differs[middle, 240 - round(0.4 * side) : 240 + round(0.4 * side)].any()
    assert differs[160].any()


@pytest.mark.parametrize("name", ["field.vtu", "field.h5"])
def test_all_fields_are_saved_at_the_moment_that_was_asked_for(at_rest, tmp_path, name):
    driver = at_rest()
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


def test_a_name_without_suffix_gets_the_one_of_the_filter():
    assert with_suffix_of_filter(Path("a/b"), "WebM movie (*.webm)") == Path("a/b.webm")
    assert with_suffix_of_filter(Path("a/b.c"), "WebM movie (*.webm)") == Path("a/b.c")
    assert with_suffix_of_filter(Path("b"), "Scenes and meshes (*.toml *.msh)") == Path("b.toml")
    assert with_suffix_of_filter(Path("b"), "All files (*)") == Path("b")
