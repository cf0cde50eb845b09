"""The canvas where OpenGL fails or is missing."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.sampling import PixelSampler
from wavelab.output.palette import background, colorize

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    pytest.skip("a window needs a display", allow_module_level=True)

from PyQt5.QtTest import QTest

from tests.app.canvas.places import SIZE, pixel, place, show_ramp, until
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.field import field_choice, opengl_field, raster_field
from wavelab.app.canvas.field.raster_field import RasterField


def test_a_shader_that_does_not_compile_leaves_the_picture_to_the_processor(
    application, square, monkeypatch, graphics_card
):
    monkeypatch.setattr(opengl_field, "FRAGMENT_SHADER", "void main() { no shader }")
    canvas = Canvas()
    problems = []
    canvas.failed.connect(problems.append)
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    until(lambda: problems)
    assert len(problems) == 1
    assert problems[0].startswith("The processor paints the field, because OpenGL cannot draw it: ")
    picture = canvas.grab_rgb()
    low = colorize(np.array([[-0.9]]), "berlin", 1.0, (0, 0, 0))[0, 0].astype(int)
    assert np.abs(picture[pixel(canvas, 0.05, 0.5)] - low).max() <= 6
    canvas.close()
    canvas.deleteLater()


def test_no_opengl_at_all_leaves_the_picture_to_the_processor(application, square, monkeypatch):
    report = field_choice.OpenGLReport("this screen offers no OpenGL")
    monkeypatch.setattr(field_choice, "opengl_report", lambda: report)
    canvas = Canvas()
    problems = []
    canvas.failed.connect(problems.append)
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    until(lambda: problems)
    assert problems == ["The processor paints the field, because this screen offers no OpenGL."]
    assert tuple(canvas.grab_rgb()[pixel(canvas, 0.1, 0.5)]) != background("berlin")
    canvas.close()
    canvas.deleteLater()


def test_the_processor_sharpens_the_picture_by_itself(application, square, no_graphics_card):
    canvas = Canvas()
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    field = canvas.findChild(RasterField)
    for change in (lambda: None, lambda: canvas.zoom(1.5), lambda: show_ramp(canvas, square)):
        change()
        until(lambda: field.sharp)
    canvas.close()
    canvas.deleteLater()


def test_a_new_shape_is_there_before_its_mesh_has_been_sampled(
    application, square, no_graphics_card, monkeypatch
):
    canvas = Canvas()
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    canvas.grab_rgb()

    def color(x: float, y: float) -> np.ndarray:
        """As it is on the screen now."""
        return np.array(canvas.grab().toImage().pixelColor(place(canvas, x, y)).getRgb()[:3])

    field = canvas.findChild(RasterField)
    wave = color(0.2, 0.3)
    may_sample = threading.Event()

    def sample_late(*arguments):
        may_sample.wait(60)
        return PixelSampler(*arguments)

    monkeypatch.setattr(raster_field, "PixelSampler", sample_late)
    half = replace(square.mesh, vertices=square.mesh.vertices * (0.5, 1.0))
    canvas.set_discretization(discretize(half, 3))
    QTest.qWait(100)
    assert not field.sharp
    assert np.abs(color(0.2, 0.3) - wave).max() <= 8
    assert tuple(color(0.8, 0.3)) == field.outside
    may_sample.set()
    until(lambda: field.sharp)
    assert tuple(color(0.2, 0.3)) == background("berlin")
    canvas.close()
    canvas.deleteLater()
