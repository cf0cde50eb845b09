"""The map between scene and screen, and what navigation makes of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.canvas.navigation import Navigation
from wavelab.app.canvas.view_transform import LARGEST_ZOOM, SMALLEST_ZOOM, ViewTransform

sizes = st.floats(2, 8000)
pixels = st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))


@st.composite
def views(draw) -> ViewTransform:
    unit = 10 ** draw(st.floats(-9, 9))
    center = draw(st.tuples(st.floats(-10, 10), st.floats(-10, 10)))
    scale = draw(st.floats(10, 1000)) / unit
    x, y = center[0] * unit, center[1] * unit
    return ViewTransform(draw(sizes), draw(sizes), (x, y), scale, scale)


@given(views(), pixels)
def test_a_pixel_comes_back_from_the_scene(view, pixel):
    assert np.allclose(view.to_pixels(view.to_scene(pixel)), pixel, rtol=0, atol=1e-4)


@given(views(), pixels, pixels)
def test_distances_are_the_same_in_every_direction(view, a, b):
    in_scene = math.dist(view.to_scene(a), view.to_scene(b))
    assert in_scene == pytest.approx(math.dist(a, b) * view.pixel, rel=1e-6, abs=1e-4 * view.pixel)


@given(views(), pixels, st.floats(0.01, 100))
def test_zooming_keeps_the_point_under_the_pointer(view, pixel, factor):
    zoomed = view.zoomed(factor, pixel)
    assert np.allclose(zoomed.to_pixels(view.to_scene(pixel)), pixel, rtol=0, atol=1e-3)


@given(views(), pixels, pixels)
def test_panning_takes_the_scene_along(view, start, end):
    panned = view.panned(end[0] - start[0], end[1] - start[1])
    assert np.allclose(panned.to_pixels(view.to_scene(start)), end, rtol=0, atol=1e-3)


@given(views(), sizes, sizes)
def test_resizing_keeps_the_middle_and_the_scale(view, width, height):
    resized = view.resized(width, height)
    assert np.allclose(resized.to_scene((width / 2, height / 2)), view.center)
    assert resized.scale == view.scale


@given(views(), st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_clip_coordinates_are_those_of_the_pixels(view, part):
    pixel = np.array(part) * (view.width, view.height)
    origin, unit = view.center, 100 * view.pixel
    (fx, fy), (sx, sy) = view.clip_transform(origin, unit)
    x, y = (view.to_scene(pixel) - origin) / unit
    expected = (2 * pixel[0] / view.width - 1, 1 - 2 * pixel[1] / view.height)
    assert np.allclose((fx * x + sx, fy * y + sy), expected, atol=1e-6)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), sizes, sizes)
def test_fitting_shows_everything(x, y, extent, width, height):
    bounds = (x, y, x + extent, y + 0.3 * extent)
    x0, y0, x1, y1 = ViewTransform.fitted(bounds, width, height).visible()
    slack = 1e-9 * (abs(x) + abs(y) + extent)
    assert x0 - slack <= bounds[0] <= bounds[2] <= x1 + slack
    assert y0 - slack <= bounds[1] <= bounds[3] <= y1 + slack


@pytest.mark.parametrize("bounds", [(0, 0, 0, 0), (1, 1, 1, 5), (0, 0, math.nan, 1)])
def test_fitting_nothing_gives_a_finite_view(bounds):
    assert math.isfinite(ViewTransform.fitted(bounds, 100, 100).scale)


def test_zoom_stops():
    view = ViewTransform.fitted((0, 0, 1, 1), 800, 600)
    for _ in range(200):
        view = view.zoomed(2.0)
    assert view.scale == pytest.approx(LARGEST_ZOOM * view.fitted_scale)
    for _ in range(200):
        view = view.zoomed(0.5)
    assert view.scale == pytest.approx(SMALLEST_ZOOM * view.fitted_scale)
    assert view.zoomed(math.nan) is view


def navigation(width: float = 800, height: float = 600) -> Navigation:
    result = Navigation()
    result.resize(width, height)
    result.set_bounds((0, 0, 2, 1))
    return result


def test_an_untouched_view_is_refitted_to_the_window():
    moving = navigation()
    moving.resize(400, 900)
    assert moving.view == ViewTransform.fitted((0, 0, 2, 1), 400, 900)


def test_a_view_that_was_moved_keeps_its_middle():
    moving = navigation()
    moving.wheel(120, (100, 100))
    center, scale = moving.view.center, moving.view.scale
    moving.resize(400, 900)
    assert (moving.view.center, moving.view.scale) == (center, scale)


def test_a_window_without_area_changes_nothing():
    moving = navigation()
    before = moving.view
    moving.resize(0, 0)
    moving.resize(800, 0)
    assert moving.view == before


def test_a_new_domain_out_of_sight_is_fitted_and_one_in_sight_is_not():
    moving = navigation()
    moving.zoom(2.0)
    before = moving.view
    moving.set_bounds((0, 0, 1.5, 1))
    assert moving.view == before
    moving.set_bounds((50, 50, 51, 51))
    assert moving.view.center == (50.5, 50.5)


def test_dragging_moves_the_scene_with_the_pointer():
    moving = navigation()
    grabbed = moving.view.to_scene((300, 200))
    moving.start_pan((300, 200))
    moving.pan_to((350, 180))
    moving.pan_to((420, 260))
    moving.end_pan()
    assert np.allclose(moving.view.to_pixels(grabbed), (420, 260))
    moving.pan_to((0, 0))
    assert np.allclose(moving.view.to_pixels(grabbed), (420, 260))
