"""The canvas in a real window: colours at known places, at every size."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.output.palette import background, colorize
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.walls import AbsorbingWall

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    pytest.skip("a window needs a display", allow_module_level=True)

from vispy import gloo

from tests.app.canvas.places import SIZE, pixel, show_ramp
from wavelab.app.canvas.field import opengl_field
from wavelab.app.canvas.field.raster_field import RasterField


def test_an_empty_canvas_shows_its_background(painter, canvas):
    assert (canvas.findChild(RasterField) is None) == (painter == "graphics_card")
    picture = canvas.grab_rgb()
    assert picture.shape[2] == 3
    assert min(picture.shape[:2]) >= SIZE
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 1
    assert canvas.problems == []


@pytest.mark.parametrize("palette", ["berlin", "vik", "inferno"])
def test_every_place_has_the_colour_of_its_value(painter, canvas, square, palette):
    canvas.set_palette(palette)
    show_ramp(canvas, square)
    picture = canvas.grab_rgb()
    for x in (0.07, 0.31, 0.5, 0.64, 0.93):
        row, column = pixel(canvas, x, 0.4)
        center = (column + 0.5) / canvas.devicePixelRatioF(), 200.0
        value = 2 * canvas.view.to_scene(center)[0] - 1
        expected = colorize(np.array([[value]]), palette, 1.0, (0, 0, 0))[0, 0]
        assert np.abs(picture[row, column].astype(int) - expected).max() <= 5


@pytest.mark.parametrize("palette", ["berlin", "inferno"])
def test_every_place_has_the_colour_of_its_value_on_a_logarithmic_scale(
    painter, canvas, square, palette
):
    canvas.set_palette(palette)
    canvas.set_decades(2)
    show_ramp(canvas, square)
    picture = canvas.grab_rgb()
    found = []
    for x in (0.07, 0.31, 0.47, 0.53, 0.64, 0.93):
        row, column = pixel(canvas, x, 0.4)
        center = (column + 0.5) / canvas.devicePixelRatioF(), 200.0
        value = 2 * canvas.view.to_scene(center)[0] - 1
        expected = colorize(np.array([[value]]), palette, 1.0, (0, 0, 0), 2)[0, 0]
        assert np.abs(picture[row, column].astype(int) - expected).max() <= 9
        found.append(picture[row, column])
    linear = colorize(np.array([[0.06]]), palette, 1.0, (0, 0, 0))[0, 0]
    assert np.abs(found[3].astype(int) - linear).max() > 40


def test_quiet_has_the_colour_of_quiet_and_outside_another(painter, canvas, square):
    canvas.set_marks_visible(False)
    canvas.set_discretization(square)
    picture = canvas.grab_rgb()
    assert tuple(picture[pixel(canvas, 0.5, 0.5)]) == background("berlin")
    assert tuple(picture[2, 2]) != background("berlin")


@pytest.mark.parametrize("factor", [1.0, 1.37, 7.3, 91.0])
def test_no_background_shows_between_the_elements(canvas, square, factor):
    canvas.set_marks_visible(False)
    canvas.set_discretization(square)
    canvas.set_limit(1.0)
    canvas.set_values(np.full(square.shape, 0.7, np.float32))
    canvas.zoom(factor)
    picture = canvas.grab_rgb()
    top, left = pixel(canvas, 0.02, 0.98)
    bottom, right = pixel(canvas, 0.98, 0.02)
    inside = picture[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    assert inside.shape[0] > 300
    assert len(np.unique(inside.reshape(-1, 3), axis=0)) == 1


def test_elements_of_a_few_pixels_are_drawn_by_fewer_triangles(canvas, monkeypatch):
    """The picture is the same, and zoomed in every node is a corner again."""
    d = discretize(jittered_square(60), 4)
    canvas.set_marks_visible(False)
    canvas.set_discretization(d)
    canvas.set_limit(1.0)
    canvas.set_values(np.sin(9 * d.x + 4 * d.y) * np.cos(7 * d.y))
    drawn = []
    original = gloo.Program.draw
    monkeypatch.setattr(
        gloo.Program,
        "draw",
        lambda self, mode, indices: (
            drawn.append(indices.nbytes // 12) or original(self, mode, indices)
        ),
    )
    for factor, triangles in ((0.3, 4), (0.4, 1), (40.0, 16)):
        canvas.zoom(factor)
        picture = canvas.grab_rgb()
        assert drawn[-1] == triangles * d.n_elements
        with monkeypatch.context() as patch:
            patch.setattr(opengl_field, "FINEST", 0.0)
            full = canvas.grab_rgb()
        assert drawn[-1] == 16 * d.n_elements
        assert np.abs(full.astype(int) - picture).mean() < 1
    assert canvas.problems == []


@pytest.mark.parametrize("factor", [0.09, 0.31, 0.77, 1.0])
@pytest.mark.parametrize("order", [3, 4, 6])
def test_no_background_shows_between_small_elements(canvas, order, factor):
    d = discretize(jittered_square(60), order)
    canvas.set_marks_visible(False)
    canvas.set_discretization(d)
    canvas.set_limit(1.0)
    canvas.set_values(np.full(d.shape, 0.7, np.float32))
    canvas.zoom(factor)
    picture = canvas.grab_rgb()
    top, left = pixel(canvas, 0.1, 0.9)
    bottom, right = pixel(canvas, 0.9, 0.1)
    assert len(np.unique(picture[top:bottom, left:right].reshape(-1, 3), axis=0)) == 1


def test_only_values_of_the_right_size_are_taken(painter, canvas, square):
    with pytest.raises(ValueError, match="0 nodes"):
        canvas.set_values(np.zeros(3))
    show_ramp(canvas, square)
    before = canvas.grab_rgb()
    with pytest.raises(ValueError, match="5 values for 720 nodes"):
        canvas.set_values(np.zeros(5))
    assert np.array_equal(canvas.grab_rgb(), before)


def test_a_new_discretization_replaces_the_old_one(painter, canvas, square):
    show_ramp(canvas, square)
    canvas.grab_rgb()
    finer = discretize(square.mesh, 5)
    canvas.set_discretization(finer)
    canvas.set_values(np.ones(finer.shape, np.float32))
    picture = canvas.grab_rgb()
    expected = colorize(np.ones((1, 1)), "berlin", 1.0, (0, 0, 0))[0, 0]
    assert np.array_equal(picture[pixel(canvas, 0.1, 0.5)], expected)
    canvas.set_discretization(None)
    assert len(np.unique(canvas.grab_rgb().reshape(-1, 3), axis=0)) == 1


def test_infinite_and_absurd_values_and_limits_are_drawn_somehow(painter, canvas, square):
    canvas.set_discretization(square)
    for limit in (0.0, -1.0, np.nan, np.inf, 1e-300, 1e300):
        canvas.set_limit(limit)
    values = np.zeros(square.shape, np.float32)
    values[0], values[1], values[2] = np.inf, np.nan, -1e38
    canvas.set_values(values)
    canvas.grab_rgb()
    assert canvas.problems == []


def test_a_domain_of_nanometres_far_from_the_origin_is_drawn(painter, canvas):
    mesh = jittered_square(6)
    tiny = discretize(type(mesh).plain(1e-9 * mesh.vertices + 1e-3, mesh.triangles), 3)
    canvas.set_marks_visible(False)
    canvas.set_discretization(tiny)
    canvas.set_limit(1.0)
    canvas.set_values(np.ones(tiny.shape, np.float32))
    picture = canvas.grab_rgb()
    expected = colorize(np.ones((1, 1)), "berlin", 1.0, (0, 0, 0))[0, 0]
    assert np.array_equal(picture[SIZE // 2, SIZE // 2], expected)


def test_walls_and_probes_are_drawn_over_the_field(painter, canvas, square):
    canvas.set_discretization(square)
    bare = canvas.grab_rgb()
    canvas.set_scene(
        Scene(
            "square",
            Solver(0.2),
            walls=(AbsorbingWall(("domain.left",)),),
            probes=(Probe("P", (0.5, 0.5)),),
        )
    )
    picture = canvas.grab_rgb()
    changed = np.abs(picture.astype(int) - bare).sum(axis=2) > 0
    row, column = pixel(canvas, 0.5, 0.5)
    assert changed[row - 9 : row + 9, column - 9 : column + 40].any()
    assert not changed[row + 30 : row + 60, column - 30 : column + 30].any()
    right = picture[pixel(canvas, 1.0, 0.3)].astype(int).sum()
    left = picture[pixel(canvas, 0.0, 0.3)].astype(int).sum()
    assert right > 2 * left


def test_element_edges_can_be_shown(canvas, square):
    canvas.set_discretization(square)
    bare = canvas.grab_rgb()
    canvas.set_mesh_visible(True)
    assert (canvas.grab_rgb() != bare).any()
    canvas.set_mesh_visible(False)
    assert np.array_equal(canvas.grab_rgb(), bare)


def test_a_window_without_area_comes_back_as_it_was(painter, canvas, square, application):
    show_ramp(canvas, square)
    before = canvas.view
    for width, height in ((0, 0), (1, 300), (SIZE, SIZE)):
        canvas.resize(width, height)
        application.processEvents()
        canvas.grab_rgb()
    assert canvas.view == before
    assert canvas.problems == []


def test_minimised_and_shown_again(painter, canvas, square, application):
    show_ramp(canvas, square)
    canvas.showMinimized()
    application.processEvents()
    canvas.set_values(np.zeros(square.shape, np.float32))
    canvas.showNormal()
    application.processEvents()
    assert tuple(canvas.grab_rgb()[pixel(canvas, 0.9, 0.5)]) == background("berlin")


_SPOT = """
import json, sys
import numpy as np
from PyQt5.QtTest import QTest
from tests.app.canvas.places import until
from tests.sample_meshes import jittered_square
from wavelab.app.canvas.field import field_choice
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.base.qt import QCursor, QPoint, make_application
from wavelab.ctrl_c import leave
from wavelab.numerics.fields.discretization import discretize

application = make_application()
field_choice.SOFTWARE_RENDERERS = () if sys.argv[1] == "opengl" else ("",)
canvas = Canvas()
canvas.resize(403, 301)
canvas.move(37, 21)
canvas.show()
QTest.qWaitForWindowExposed(canvas)
d = discretize(jittered_square(40), 4)
canvas.set_palette("inferno")
canvas.set_marks_visible(False)
canvas.set_discretization(d)
canvas.set_limit(1.0)
spot = np.array([0.7, 0.2])
canvas.set_values(np.exp(-((d.x - spot[0]) ** 2 + (d.y - spot[1]) ** 2) / (2 * 0.02**2)))
bright = canvas.grab_rgb().astype(float).sum(axis=2)
bright = np.clip(bright - bright.max() / 2, 0, None)
rows, columns = np.indices(bright.shape)
ratio = canvas.devicePixelRatioF()
expected = canvas.view.to_pixels(spot) * ratio
# The wall round it is bright too.
bright[np.hypot(columns + 0.5 - expected[0], rows + 0.5 - expected[1]) > 40 * ratio] = 0
found = [(columns + 0.5) * bright, (rows + 0.5) * bright]
error = np.array([f.sum() / bright.sum() for f in found]) - expected
hovered = []
canvas.hovered.connect(lambda x, y: hovered.append((x, y)))
aim = np.rint(canvas.view.to_pixels(spot)).astype(int)
# Moving the system's own cursor sends the event all the way through the window system.
QCursor.setPos(canvas.mapToGlobal(QPoint(5, 5)))
until(lambda: hovered)
QCursor.setPos(canvas.mapToGlobal(QPoint(*aim.tolist())))
miss = lambda: (np.array(hovered[-1]) - canvas.view.to_scene(aim)) * canvas.view.scale
until(lambda: np.abs(miss()).max() < 30)
print(json.dumps({
    "ratio": ratio,
    "size": canvas.grab_rgb().shape[:2],
    "error": error.tolist(),
    "miss": miss().tolist(),
}))
leave(0)
"""


@pytest.mark.parametrize(
    ("scale", "painter"),
    [("1", "opengl"), ("1.25", "opengl"), ("1.5", "processor"), ("2", "opengl")],
)
def test_picture_and_pointer_agree_within_a_pixel_at_every_scaling(scale, painter):
    environment = {**os.environ, "QT_SCALE_FACTOR": scale}
    run = subprocess.run(
        [sys.executable, "-c", _SPOT, painter],
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout.splitlines()[-1])
    assert told["ratio"] >= float(scale) * 0.99
    assert told["size"] == pytest.approx([301 * told["ratio"], 403 * told["ratio"]], abs=1)
    assert np.abs(told["error"]).max() < 1.0
    assert told["miss"] is not None, "the pointer never arrived"
    assert np.abs(told["miss"]).max() <= 1.0
