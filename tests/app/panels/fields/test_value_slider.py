"""A slider for real numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QPoint, Qt
from wavelab.app.panels.fields.value_slider import Notches, ValueSlider


@pytest.mark.parametrize(
    ("notches", "values"),
    [
        (Notches(0.0, 1.0, 0.25), [0, 0.25, 0.5, 0.75, 1]),
        (Notches(1.0, 2.0, 0.4), [1, 1.4, 1.8, 2]),  # the end is one of them
        (Notches(0.1, 0.4, 0.1), [0.1, 0.2, 0.3, 0.4]),
        (Notches(1.0, 1.5, 2.0), [1, 1.5]),
    ],
)
def test_steps(notches, values):
    assert [notches.value(i) for i in range(notches.last + 1)] == values
    assert [notches.nearest(v) for v in values] == list(range(notches.last + 1))


def test_without_a_step_numbers_are_short():
    notches = Notches(0.0, 6.0)
    assert notches.last == 600
    assert notches.value(123) == 1.23


ENDS = st.floats(-1e9, 1e9)


@given(ENDS, ENDS, st.none() | st.floats(1e-9, 1e9), st.floats(0, 1))
def test_every_value_is_between_the_ends(low, high, step, part):
    if not low < high or high - low < 1e-9 * max(abs(low), abs(high), 1e-3):
        return
    notches = Notches(low, high, step)
    assert 1 <= notches.last <= 100_000
    value = notches.value(notches.nearest(low + part * (high - low)))
    assert low <= value <= high
    assert notches.value(notches.nearest(value)) == value


@pytest.fixture
def slider(application):
    made = ValueSlider()
    made.resize(212, 20)
    made.show_value(Notches(0.0, 10.0, 1.0), 5.0)
    made.heard = []
    made.slid.connect(lambda value: made.heard.append(("slid", value)))
    made.stepped.connect(lambda value: made.heard.append(("stepped", value)))
    made.let_go.connect(lambda: made.heard.append("let go"))
    made.twice.connect(lambda: made.heard.append("twice"))
    made.show()
    assert QTest.qWaitForWindowExposed(made)
    yield made
    made.deleteLater()
    application.processEvents()


def test_a_press_beside_the_handle_brings_it_there(slider):
    QTest.mousePress(slider, Qt.LeftButton, pos=QPoint(206, 10))
    assert slider.held
    QTest.mouseRelease(slider, Qt.LeftButton, pos=QPoint(206, 10))
    assert slider.heard == [("slid", 10.0), "let go"]


def test_a_press_on_the_handle_moves_nothing(slider):
    at = slider._handle().center()
    QTest.mouseClick(slider, Qt.LeftButton, pos=at)
    QTest.mouseClick(slider, Qt.LeftButton, pos=at + QPoint(4, 0))
    assert slider.heard == ["let go", "let go"]
    QTest.mouseDClick(slider, Qt.LeftButton, pos=at)
    assert slider.heard[-1] == "twice"
    QTest.mouseClick(slider, Qt.RightButton, pos=QPoint(206, 10))
    assert slider.heard[-1] == "twice"


def test_keys_step(slider):
    QTest.keyClick(slider, Qt.Key_Right)
    QTest.keyClick(slider, Qt.Key_Home)
    assert slider.heard == [("stepped", 6.0), ("stepped", 0.0)]


def test_what_is_shown_is_no_news(slider):
    slider.show_value(Notches(0.0, 1.0), 0.5)
    slider.show_value(Notches(0.0, 1.0), 2.0)
    assert slider.heard == []
