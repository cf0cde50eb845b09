"""What a teacher prepares and saves, a pupil opens: the same part of it, the same words."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.controllers.test_labels import write
from wavelab.app.base.qt import Qt
from wavelab.scene.toml.toml_io import load_scene


def test_a_pupil_sees_what_the_teacher_saved(start, small_scene, tmp_path):
    teacher = start(small_scene)
    teacher.press("+")
    teacher.press("+")
    teacher.canvas.look_at((0.3, 0.4))
    teacher.press("4")
    teacher.press("Ctrl+L")
    write(teacher, 0.3, 0.4, "look here")
    teacher.press("N")
    QTest.mouseClick(teacher.window.notes_panel.write, Qt.LeftButton)
    QTest.keyClicks(teacher.window.notes_panel.notes, "Why?")
    teacher.dialogs.path = tmp_path / "lesson.toml"
    teacher.window.actions_by_id["save_as"].trigger()
    teacher.close()

    pupil = start(teacher.dialogs.path)
    part = load_scene(teacher.dialogs.path).view.part
    assert np.ravel(part) == pytest.approx(teacher.canvas.view.visible(), abs=2e-3)
    pupil.until(pupil.window.notes_dock.isVisible)
    for width in (900, 1200):
        # Whatever room there is, all that the teacher saw is in view, and no more than need be.
        pupil.window.resize(width, 700)
        pupil.until(lambda width=width: pupil.window.width() == width)
        pupil.application.processEvents()
        view = pupil.canvas.view
        corners = view.to_pixels(part)
        low, high = corners.min(axis=0), corners.max(axis=0)
        assert (low > -1).all()
        assert (high < np.array((view.width, view.height)) + 1).all()
        assert ((high - low) / (view.width, view.height)).max() == pytest.approx(1, abs=0.01)
    assert pupil.canvas.part == part
    assert "Why?" in pupil.window.notes_panel.page.toPlainText()
    assert pupil.bench.views.state == teacher.bench.views.state
    assert pupil.session.scene.labels == teacher.session.scene.labels
    assert not pupil.window.isWindowModified()
    # Fitted again, nothing of that stays in the file.
    pupil.press("0")
    pupil.press("Ctrl+S")
    assert load_scene(teacher.dialogs.path).view.part == ()


def test_a_part_is_shown_in_the_middle_of_any_canvas(shown_canvas):
    canvas = shown_canvas(300, 200)
    canvas.show_part(((1.0, 2.0), (2.0, 2.5)))
    assert canvas.view.center == (1.5, 2.25)
    assert canvas.view.scale == 300
    canvas.zoom(1.0)
    # From then on it is what is seen that counts.
    corners = np.array(canvas.part)
    assert corners[:, 0] == pytest.approx([1, 2], abs=1e-3)
    assert corners[:, 1] == pytest.approx([2.25 - 1 / 3, 2.25 + 1 / 3], abs=1e-3)
    canvas.fit()
    assert canvas.part == ()
