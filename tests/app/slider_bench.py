"""A scene with sliders, and a hand that moves them."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import QApplication, QEvent, QPoint, QPointF, Qt, QtGui

SCENE = boxed(
    "Turned",
    """\
[parameters]
f = { value = 2, range = [1, 5], label = "Frequency", unit = "1/s" }
n = { value = 1.5, range = [1, 3], step = 0.25 }
w = { value = 0.2, range = [0.1, 0.9], step = 0.1, label = "Width of the wall" }
g = { value = 0.4 }
s = { value = 0.1, range = [0, 0.4], step = 0.05 }
wavelength = "1/f"

[[holes]]
name = "wall"
shape = "rectangle"
lower = [0.6, "0.5 - w"]
upper = [0.7, "0.5 + w"]

[[holes]]
name = "kite"
shape = "polygon"
vertices = [[0.8, 0.1], [0.9, 0.1], [0.9, 0.3], ["0.7 + s", 0.2]]

[[materials]]
name = "glass"
epsilon = "n^2"
shape = "rectangle"
lower = [0.05, 0.05]
upper = [0.2, 0.2]

[[sources]]
name = "lamp"
position = [0.3, "0.4*wavelength/0.5 + 0.1"]
radius = 0.05
amplitude = "g"
waveform = { kind = "sine", frequency = "f" }

[solver]
element_size = 0.2
order = 2
""",
)


def row(driver, name: str):
    return driver.bench.parameters.panel.rows[name]


def x_of(slider, part: float) -> QPoint:
    """The pixel of the handle's middle at a part of the way."""
    width = slider._handle().width()
    return QPoint(round(width / 2 + part * (slider.width() - width)), slider.height() // 2)


def press(driver, name: str, part: float) -> None:
    slider = row(driver, name).slider
    QTest.mousePress(slider, Qt.LeftButton, pos=x_of(slider, part))


def pull(driver, name: str, part: float) -> None:
    slider = row(driver, name).slider
    at = QPointF(x_of(slider, part))
    move = QtGui.QMouseEvent(
        QEvent.MouseMove, at, Qt.NoButton, Qt.LeftButton, Qt.KeyboardModifiers(0)
    )
    QApplication.sendEvent(slider, move)


def let_go(driver, name: str, part: float) -> None:
    slider = row(driver, name).slider
    QTest.mouseRelease(slider, Qt.LeftButton, pos=x_of(slider, part))


def running(driver):
    """The scene of the solver's problem."""
    return driver.program.runner.run.simulation.problem.scene


def value(driver, name: str) -> float:
    return driver.session.scene.values[name]


def steps(driver) -> int:
    return len(driver.session.history.past)


def follows(driver, name: str, wanted: float) -> None:
    driver.until(lambda: running(driver).values[name] == pytest.approx(wanted, abs=0.03))
