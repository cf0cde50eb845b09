"""The height view by OpenGL: the picture of the painter, whatever the field is."""

from __future__ import annotations

import os
import sys
from functools import cache

import numpy as np
import pytest

from tests.app.canvas.places import until
from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.output.palette import surroundings
from wavelab.output.relief import Camera, Relief

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    pytest.skip("a window needs a display", allow_module_level=True)

from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QPoint, Qt, QtCore, QtGui, QtWidgets
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.field import field_choice, opengl_relief, relief_mesh
from wavelab.app.canvas.field.raster_field import RasterField
from wavelab.app.canvas.field.relief_mesh import SURFACE, WALL_BOTTOM, WALL_TOP, ReliefMesh
from wavelab.app.canvas.relief_view import ReliefView
from wavelab.scene.model.scene import Probe, Scene, Solver

SIZE = (330, 260)
CAMERAS = (Camera(), Camera(20.0, 25.0), Camera(140.0, 60.0, 1.7), Camera(-100.0, 90.0))


@pytest.fixture(scope="module")
def square() -> Discretization:
    return discretize(jittered_square(6), 4)


@pytest.fixture(scope="module")
def ring() -> Discretization:
    return discretize(elliptic_disk(hole=0.35), 5)


@pytest.fixture
def canvas(shown_canvas, monkeypatch):
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", ())
    # A processor that imitates a graphics card takes its time.
    monkeypatch.setattr(relief_mesh, "TRIANGLES", 5_000)
    return shown_canvas(*SIZE)


def waves(d: Discretization) -> np.ndarray:
    return np.sin(6 * d.x + 2 * d.y) * np.cos(5 * d.y)


def show(
    canvas: Canvas, d: Discretization, values: np.ndarray, camera: Camera | None
) -> np.ndarray:
    canvas.set_discretization(d)
    canvas.set_limit(1.0)
    canvas.set_values(values)
    canvas.set_camera(camera)
    return canvas.grab_rgb()


@cache
def painter(d: Discretization) -> Relief:
    return Relief(d)


def painted(
    d: Discretization, values: np.ndarray, camera: Camera, shape, palette="berlin", decades=None
) -> np.ndarray:
    relief = painter(d)
    return relief.picture(
        relief.sample(values), camera, (shape[1], shape[0]), palette, 1.0,
        surroundings(palette), decades,
    )  # fmt: skip


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Mean over pixels and colours, of 255."""
    return float(np.abs(one.astype(int) - other).mean())


def there(picture: np.ndarray, palette: str = "berlin") -> np.ndarray:
    """Where the relief is."""
    return (picture != surroundings(palette)).any(axis=2)


def grown(mask: np.ndarray, by: int) -> np.ndarray:
    for _ in range(by):
        padded = np.pad(mask, 1)
        mask = mask | padded[2:, 1:-1] | padded[:-2, 1:-1] | padded[1:-1, 2:] | padded[1:-1, :-2]
    return mask


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("name", ["square", "ring"])
def test_the_picture_is_that_of_the_painter(canvas, request, name, camera):
    d = request.getfixturevalue(name)
    picture = show(canvas, d, 1.2 * waves(d), camera)
    expected = painted(d, 1.2 * waves(d), camera, picture.shape)
    assert canvas.problems == []
    # The edges of the painter are not smooth.
    assert difference(picture, expected) < 1.2
    shifted = np.roll(expected, 4, axis=1)
    assert difference(picture, shifted) > 2 * difference(picture, expected)
    ours, theirs = there(picture), there(expected)
    assert not (ours & ~grown(theirs, 3)).any()
    assert not (theirs & ~grown(ours, 3)).any()


@pytest.mark.parametrize(("palette", "decades"), [("inferno", None), ("vik", 2), ("inferno", 3)])
def test_palettes_and_scales_are_those_of_the_painter(canvas, square, palette, decades):
    canvas.set_palette(palette)
    canvas.set_decades(decades)
    values = 1.2 * waves(square) * 10.0 ** (-2 * square.x)
    picture = show(canvas, square, values, Camera())
    expected = painted(square, values, Camera(), picture.shape, palette, decades)
    assert difference(picture, expected) < 2.0


def test_steps_between_elements_leave_no_gaps(canvas, square):
    canvas.set_palette("vik")
    heights = np.random.default_rng(1).uniform(0.0, 1.2, (square.n_elements, 1))
    values = np.repeat(heights, square.nodes_per_element, axis=1)
    for camera in CAMERAS[:2]:
        picture = show(canvas, square, values, camera)
        expected = painted(square, values, camera, picture.shape, "vik")
        inside = ~grown(~there(expected, "vik"), 3)
        assert inside.sum() > 5000
        assert there(picture, "vik")[inside].all()


def test_what_is_not_finite_leaves_a_gap_and_no_trouble(canvas, square):
    values = np.zeros(square.shape)
    middle = int(np.argmin(np.hypot(square.x - 0.5, square.y - 0.5).mean(axis=1)))
    camera = Camera(0.0, 90.0)
    whole = show(canvas, square, values, camera)
    values[middle] = np.nan
    pierced = show(canvas, square, values, camera)
    share = square.geometry.jacobian[middle] / square.geometry.jacobian.sum()
    hole, changed = there(whole) & ~there(pierced), (whole != pierced).any(axis=2)
    assert 0.6 * changed.sum() < hole.sum() < share * there(whole).sum() < changed.sum()
    values[middle] = np.inf
    show(canvas, square, values, camera)
    for limit in (0.0, 1e-300, 1e300):
        canvas.set_limit(limit)
        canvas.grab_rgb()
    assert canvas.problems == []


def test_a_frame_uploads_values_once(canvas, square, monkeypatch):
    show(canvas, square, waves(square), Camera())
    uploads = []
    for kind in (opengl_relief.gloo.Texture2D, opengl_relief.gloo.VertexBuffer):
        whole = kind.set_data

        def counted(self, data, *rest, whole=whole, **options):
            uploads.append(np.size(data))
            return whole(self, data, *rest, **options)

        monkeypatch.setattr(kind, "set_data", counted)
    for camera in (Camera(), None):
        canvas.set_camera(camera)
        canvas.grab_rgb()
        uploads.clear()
        for _ in range(3):
            canvas.set_values(waves(square))
            canvas.grab_rgb()
        canvas.grab_rgb()
        assert uploads == 3 * [square.x.size]


def test_flat_again_everything_is_as_it_was(canvas, square, ring):
    scene = Scene("square", Solver(0.2), probes=(Probe("P", (0.5, 0.5)),))
    canvas.set_discretization(square, scene)
    canvas.set_limit(1.0)
    canvas.set_values(waves(square))
    flat = canvas.grab_rgb()
    high = show(canvas, square, waves(square), Camera())
    assert high.shape == flat.shape
    canvas.set_scene(None)
    assert np.array_equal(canvas.grab_rgb(), high), "no lines and letters"
    other = show(canvas, ring, waves(ring), Camera())
    assert difference(other, high) > 5
    canvas.set_discretization(square, scene)
    canvas.set_values(waves(square))
    assert np.array_equal(canvas.grab_rgb(), high)
    canvas.set_camera(None)
    assert np.array_equal(canvas.grab_rgb(), flat)
    canvas.set_camera(Camera())
    canvas.set_discretization(None)
    assert not there(canvas.grab_rgb()).any()


def test_the_mouse_turns_it(canvas, square, application):
    show(canvas, square, waves(square), Camera())
    canvas.set_camera(None)
    flat = canvas.grab_rgb()
    view = ReliefView(canvas)
    view.show()
    application.processEvents()
    assert canvas.childAt(100, 100) is view
    before = canvas.grab_rgb()
    turned = []
    view.turned.connect(turned.append)
    QTest.mousePress(view, Qt.LeftButton, pos=QPoint(100, 100))
    to = QtCore.QPointF(150, 90)
    move = QtGui.QMouseEvent(QtCore.QEvent.MouseMove, to, Qt.NoButton, Qt.LeftButton, Qt.NoModifier)
    application.sendEvent(view, move)
    QTest.mouseRelease(view, Qt.LeftButton, pos=QPoint(150, 90))
    assert turned[-1] == view.camera == Camera(-50.0, 36.0)
    shown = canvas.grab().toImage()
    after = canvas.grab_rgb()
    assert difference(after, before) > 2
    row, column = len(after) // 2, after.shape[1] // 2
    on_screen = shown.pixelColor(column, row).getRgb()[:3]
    assert np.abs(np.array(on_screen) - after[row, column]).max() < 12, "nothing lies over it"
    canvas.resize(SIZE[0] + 40, SIZE[1])
    application.processEvents()
    assert view.size() == canvas.size()
    canvas.resize(*SIZE)
    application.processEvents()
    view.hide()
    assert np.array_equal(canvas.grab_rgb(), flat)


def test_without_its_shaders_the_painter_takes_over(canvas, square, monkeypatch):
    monkeypatch.setattr(opengl_relief, "VERTEX_SHADER", "void main() { no shader }")
    canvas.set_discretization(square)
    canvas.set_limit(1.0)
    canvas.set_values(waves(square))
    canvas.set_camera(Camera(30.0, 30.0))
    until(lambda: canvas.problems)
    assert "OpenGL cannot draw it" in canvas.problems[0]
    picture = canvas.grab_rgb()
    expected = painted(square, waves(square), Camera(30.0, 30.0), picture.shape)
    assert difference(picture, expected) < 0.5


def test_without_textures_of_numbers_the_painter_has_the_height_view_alone(
    canvas, square, shown_canvas, monkeypatch
):
    flat, camera = show(canvas, square, waves(square), None), Camera(30.0, 30.0)
    assert field_choice.opengl_report().relief
    monkeypatch.setattr(field_choice, "FLOAT_TEXTURES_SINCE", (99, 0))
    monkeypatch.setattr(field_choice, "FLOAT_TEXTURES", (b"GL_ARB_texture_float", b"GL_no_such"))
    report = field_choice.opengl_report()
    assert not report.problem
    assert not report.relief
    old = shown_canvas(*SIZE)
    assert old.findChild(RasterField) is None
    np.testing.assert_array_equal(show(old, square, waves(square), None), flat)
    old.set_camera(camera)
    picture = old.grab_rgb()
    expected = painted(square, waves(square), camera, picture.shape)
    np.testing.assert_array_equal(picture, expected)
    # What comes meanwhile is there in the flat view, which OpenGL draws again.
    old.set_palette("vik")
    old.set_values(-waves(square))
    old.set_camera(None)
    canvas.set_palette("vik")
    canvas.set_values(-waves(square))
    np.testing.assert_array_equal(old.grab_rgb(), canvas.grab_rgb())
    assert isinstance(old.field.native, QtWidgets.QOpenGLWidget)
    assert old.problems == []


# The triangles


def test_vertices_have_exact_values_and_slopes(ring):
    mesh = ReliefMesh.of(ring)
    # On curved elements, too, the places themselves are polynomials.
    low, high = ring.bounds()
    unit = (high - low).max() / 2
    x, y = (
        (place - middle) / unit
        for place, middle in zip((ring.x, ring.y), (low + high) / 2, strict=True)
    )
    nodal = (2 * x - 3 * y)[mesh.element]
    terms = np.einsum("vn,vnk->vk", nodal, mesh.basis[mesh.point])
    np.testing.assert_allclose(terms[:, 0], mesh.positions @ [2, -3], atol=1e-5)
    r_x, r_y, s_x, s_y = mesh.metric.T
    np.testing.assert_allclose(terms[:, 1] * r_x + terms[:, 2] * s_x, 2, atol=1e-3)
    np.testing.assert_allclose(terms[:, 1] * r_y + terms[:, 2] * s_y, -3, atol=1e-3)


@pytest.mark.parametrize("sides", [(), ((("domain.left",), ("domain.right",)),)])
def test_surface_seams_and_walls(sides):
    d = discretize(jittered_square(4), 2, sides)
    mesh = ReliefMesh.of(d)
    kinds = mesh.kind[mesh.triangles]
    wall = (kinds != SURFACE).any(axis=1)
    assert (kinds[wall] != SURFACE).all()
    (ax, ay), (bx, by) = np.moveaxis(
        mesh.positions[mesh.triangles[:, 1:]] - mesh.positions[mesh.triangles[:, :1]], 0, -1
    )
    areas = (ax * by - ay * bx) / 2
    # Twice the unit is the size of the square; seams and walls stand upright.
    cuts = relief_mesh.cuts_per_side(d.n_elements, d.order)
    n_surface = d.n_elements * cuts**2
    assert (areas[:n_surface] > 0).all()
    assert areas[:n_surface].sum() == pytest.approx(4.0, rel=1e-5)
    assert np.abs(areas[n_surface:]).max() < 1e-6
    # Every face within has a seam; the 16 at the rim, glued to others or not, have a wall.
    n_faces = (3 * d.n_elements - 16) // 2
    assert (~wall).sum() == n_surface + 2 * cuts * n_faces
    assert wall.sum() == 2 * cuts * 16
    assert (mesh.kind == WALL_TOP).sum() == (mesh.kind == WALL_BOTTOM).sum() == 16 * (cuts + 1)
    # The two sides of a seam are at one place.
    spread = np.ptp(mesh.positions[mesh.triangles[n_surface:]], axis=1).max()
    assert spread < 2.1 * 0.4 / cuts * 1.5


def test_large_elements_are_cut_finely_and_small_ones_at_their_nodes():
    assert relief_mesh.cuts_per_side(100, 5) == 24
    assert relief_mesh.cuts_per_side(2_000, 4) == 7
    assert relief_mesh.cuts_per_side(100_000, 4) == 4
    assert relief_mesh.cuts_per_side(10**7, 1) == 1
