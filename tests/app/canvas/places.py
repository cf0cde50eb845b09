"""Places on a canvas, and what is shown there."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from PyQt5.QtTest import QTest

from tests.app.leftovers import PATIENCE
from wavelab.app.base.qt import QPoint
from wavelab.app.canvas.canvas import Canvas

SIZE = 420


def pixel(canvas: Canvas, x: float, y: float) -> tuple[int, int]:
    """Row and column of the device pixel at a place in the scene."""
    column, row = np.floor(canvas.view.to_pixels((x, y)) * canvas.devicePixelRatioF()).astype(int)
    return int(row), int(column)


def place(canvas: Canvas, x: float, y: float) -> QPoint:
    """The logical pixel at a place in the scene."""
    column, row = np.rint(canvas.view.to_pixels((x, y))).astype(int).tolist()
    return QPoint(column, row)


def until(condition: Callable[[], object]) -> None:
    """Handle events until it holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        QTest.qWait(5)


def show_ramp(canvas: Canvas, square) -> None:
    canvas.set_marks_visible(False)
    canvas.set_discretization(square)
    canvas.set_limit(1.0)
    canvas.set_values((2 * square.x - 1).astype(np.float32))
