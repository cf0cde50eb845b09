"""A canvas in a window, painted by whoever a test asks for."""

from __future__ import annotations

import pytest

from tests.app.canvas.places import SIZE
from tests.sample_meshes import jittered_square, with_named_sides
from wavelab.app.canvas.field import field_choice, raster_field
from wavelab.numerics.fields.discretization import discretize


@pytest.fixture
def graphics_card(monkeypatch):
    """Use OpenGL even where it is software."""
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", ())


@pytest.fixture
def no_graphics_card(monkeypatch):
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", ("",))
    monkeypatch.setattr(raster_field, "MOST_PIXELS", 60_000)


@pytest.fixture(params=["graphics_card", "no_graphics_card"])
def painter(request):
    """Whoever paints the field, one after the other."""
    request.getfixturevalue(request.param)
    return request.param


@pytest.fixture
def canvas(shown_canvas, request):
    request.getfixturevalue("painter" if "painter" in request.fixturenames else "graphics_card")
    return shown_canvas(SIZE, SIZE)


@pytest.fixture(scope="module")
def square():
    """A unit square of 72 triangles, order 3."""
    return discretize(with_named_sides(jittered_square(6)), 3)
