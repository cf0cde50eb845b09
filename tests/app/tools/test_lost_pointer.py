"""What a hand is at when the window loses the pointer: nothing of it may be done."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtCore import QEvent, Qt
from PyQt5.QtGui import QFocusEvent

from tests.app.conftest import pick

SCENE = """\
title = "Things to drag"

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]

[[holes]]
name = "post"
shape = "rectangle"
lower = [0.6, 0.6]
upper = [0.8, 0.8]

[[sources]]
name = "antenna"
position = [0.25, 0.5]
radius = 0.05
amplitude = 1
waveform = { kind = "sine", frequency = 1 }

[[probes]]
name = "ear"
position = [0.5, 0.25]

[[monitors]]
name = "meter"
kind = "flux"
vertices = [[0.1, 0.3], [0.5, 0.3]]

[solver]
element_size = 0.2
order = 2
"""


@pytest.fixture
def things(start, tmp_path):
    path = tmp_path / "things.toml"
    path.write_text(SCENE)
    return start(path)


@pytest.mark.parametrize(
    ("key", "kind", "clicked", "begin", "end"),
    [
        ("D", "", None, (0.1, 0.1), (0.4, 0.15)),
        ("R", "", None, (0.1, 0.1), (0.4, 0.4)),
        ("E", "", None, (0.1, 0.1), (0.4, 0.4)),
        ("S", "", None, (0.25, 0.5), (0.4, 0.7)),
        ("S", "line", None, (0.1, 0.1), (0.4, 0.4)),
        ("B", "power through a line", None, (0.1, 0.8), (0.4, 0.8)),
        ("B", "energy in a region", None, (0.1, 0.8), (0.4, 0.9)),
        ("B", "", None, (0.3, 0.3), (0.4, 0.4)),
        ("V", "", (0.7, 0.7), (0.8, 0.8), (0.9, 0.9)),
        ("V", "", (0.25, 0.5), (0.25, 0.5), (0.4, 0.7)),
    ],
    ids=[
        "polygon", "rectangle", "ellipse", "source", "line source", "line", "region", "monitor",
        "handle", "item",
    ],
)  # fmt: skip
def test_what_is_dragged_when_the_window_goes_away_stays(things, key, kind, clicked, begin, end):
    driver = things
    driver.press(key)
    if kind:
        page = driver.window.tool_panel
        pick(page.source.kind if key == "S" else page.probe.measured, kind)
    if clicked is not None:
        driver.click(*clicked)
    before = driver.session.scene
    for lost in (True, False):
        driver.drag(*np.linspace(begin, end, 11).tolist(), release=False)
        if lost:
            gone = QFocusEvent(QEvent.FocusOut, Qt.ActiveWindowFocusReason)
            driver.application.sendEvent(driver.canvas, gone)
        driver.let_go(*end)
        driver.settled()
        same = driver.session.scene == before
        if lost:
            assert same
            assert not driver.session.history.past
        elif key != "D":  # a straight line by free hand is no outline yet
            assert not same, "the drag does something if nothing comes in between"
