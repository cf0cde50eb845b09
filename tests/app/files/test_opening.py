"""What is opened: from the gallery, and files that are dropped."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import STANDING_SCENE, strength
from wavelab.app.base.qt import Qt


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
    (tmp_path / "standing.toml").write_text(STANDING_SCENE)
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


def test_a_recording_that_is_dropped_is_played_by_the_source_that_is_chosen(start, tmp_path):
    t = np.arange(400) / 100
    rows = np.column_stack([t, np.sin(2 * np.pi * 5 * t) * np.sin(np.pi * t / 4) ** 2])
    np.savetxt(tmp_path / "tone.csv", rows, delimiter=",")
    source = """
[[sources]]
name = "{}"
position = [0.5, 0.5]
radius = 0.1
amplitude = 1
waveform = {{ kind = "sine", frequency = 2 }}
"""
    (tmp_path / "two.toml").write_text(STANDING_SCENE + source.format("a") + source.format("b"))
    driver = start(tmp_path / "two.toml")
    driver.bench.selection.choose(("sources", 1))
    driver.drop(tmp_path / "tone.csv")
    assert 'source "b" plays tone.csv' in driver.window.message.text
    first, second = driver.session.scene.sources
    assert first.waveform.frequency == 2
    assert second.waveform.path == tmp_path / "tone.csv"
    assert second.waveform.lowest_frequency == pytest.approx(2, rel=0.25)
    assert second.waveform.highest_frequency == pytest.approx(2, rel=0.05)
    driver.settled()
    (tmp_path / "bad.csv").write_text("a,b\n")
    driver.dialogs.path = tmp_path / "bad.csv"
    driver.press("Ctrl+Shift+P")
    assert '"bad.csv" has no rows of numbers' in driver.window.message.text
    driver.press("Ctrl+Z")
    driver.until(lambda: driver.session.scene.sources[1].waveform == first.waveform)
