"""Another scene comes while a hand is at something of the one before: what it was at is let go."""

from __future__ import annotations

import itertools
import logging

import pytest

from tests.app.conftest import pick
from wavelab.scene.toml.toml_io import parse_scene

#: Each item is of the same name as one of the other, where that has one, and has more corners.
RICH = """\
title = "Rich"

[domain]
shape = "polygon"
vertices = [[0, 0], [1, 0], [1, 0.5], [1, 1], [0, 1]]

[[holes]]
name = "post"
shape = "polygon"
vertices = [[0.6, 0.6], [0.7, 0.55], [0.8, 0.6], [0.8, 0.8], [0.7, 0.85], [0.6, 0.8]]

[[materials]]
name = "lens"
shape = "lens"
center = [0.3, 0.8]
aperture = 0.2
focal_length = 0.4
epsilon = 2

[[sources]]
name = "patch"
kind = "region"
shape = "polygon"
vertices = [[0.1, 0.4], [0.2, 0.35], [0.3, 0.4], [0.3, 0.5], [0.2, 0.55], [0.1, 0.5]]
amplitude = 1
waveform = { kind = "sine", frequency = 1 }

[[sources]]
name = "beam"
kind = "plane_wave"
edges = ["domain.0"]
direction = 90
amplitude = 1
waveform = { kind = "sine", frequency = 1 }

[[probes]]
name = "ear"
position = [0.5, 0.25]

[[monitors]]
name = "meter"
kind = "energy"
shape = "polygon"
vertices = [[0.7, 0.1], [0.8, 0.05], [0.9, 0.1], [0.9, 0.2], [0.8, 0.25], [0.7, 0.2]]

[solver]
element_size = 0.2
order = 1
"""
POOR = """\
title = "Poor"

[domain]
shape = "ellipse"
center = [0.5, 0.5]
radii = [0.6, 0.6]

[[holes]]
name = "post"
shape = "polygon"
vertices = [[0.6, 0.6], [0.8, 0.6], [0.8, 0.8]]

[[materials]]
name = "lens"
shape = "ellipse"
center = [0.3, 0.8]
radii = [0.1, 0.1]
epsilon = 2

[[monitors]]
name = "meter"
kind = "energy"
shape = "polygon"
vertices = [[0.7, 0.1], [0.9, 0.1], [0.9, 0.2]]

[[sources]]
name = "patch"
kind = "region"
shape = "polygon"
vertices = [[0.1, 0.4], [0.3, 0.4], [0.3, 0.5]]
amplitude = 1
waveform = { kind = "sine", frequency = 1 }

[solver]
element_size = 0.2
order = 1
"""
CORNER, PATCH, METER, EAR, KNOB = (0.6, 0.8), (0.1, 0.5), (0.7, 0.2), (0.5, 0.25), (0.3, 0.66)
#: What a hand may be at: the tool, what is chosen in its page, the item that is chosen, where.
HANDS = [
    ("select", "", ("holes", 0), CORNER),
    ("select", "", ("holes", 0), (0.65, 0.825)),
    ("select", "", ("materials", 0), KNOB),
    ("select", "", ("sources", 0), PATCH),
    ("select", "", ("sources", 1), (0.5, 0.0)),
    ("select", "", ("probes", 0), EAR),
    ("select", "", ("monitors", 0), METER),
    ("source", "point", None, PATCH),
    ("source", "point", None, (0.2, 0.45)),
    ("source", "plane wave", None, (1.0, 0.75)),
    ("source", "guided mode", None, (1.0, 0.75)),
    ("probe", "", None, EAR),
    ("probe", "", ("monitors", 0), METER),
    ("probe", "power through a line", None, (0.4, 0.4)),
    ("wall", "", None, (1.0, 0.75)),
    *((tool, "", None, (0.4, 0.4)) for tool in ("ping", "draw", "rectangle", "insert", "ruler")),
]


@pytest.fixture(scope="module")
def scenes():
    return parse_scene(RICH), parse_scene(POOR)


def test_what_a_hand_is_at_is_let_go_when_another_scene_comes(start, tmp_path, scenes, caplog):
    """Whatever it does next is done to the new scene, or nothing."""
    rich, poor = scenes
    path = tmp_path / "rich.toml"
    path.write_text(RICH)
    driver = start(path)
    driver.press("Space")
    wrong = []
    for hand, (held, key) in itertools.product(HANDS, [(True, ""), (False, ""), (False, "Delete")]):
        driver.bench.editor.open(rich)
        driver.bench.catch_up()
        be_at(driver, hand, held=held)
        driver.bench.editor.open(poor)
        if key:  # before anybody has looked what is under the pointer now
            driver.press(key)
        if held:
            driver.pull(0.5, 0.4)
        driver.bench.catch_up()
        driver.let_go(0.5, 0.4)
        driver.bench.catch_up()
        caplog.records[:] = [r for r in caplog.records if r.levelno >= logging.WARNING]
        if caplog.records or (not key and driver.bench.editor.scene != poor):
            wrong.append((hand, held, key, [r.exc_info[1] for r in caplog.records]))
            caplog.clear()
    assert not wrong, "\n".join(map(str, wrong))


def be_at(driver, hand, *, held: bool) -> None:
    tool, kind, chosen, at = hand
    driver.bench.toolbox.choose(tool)
    page = driver.window.tool_panel
    if kind:
        pick(page.source.kind if tool == "source" else page.probe.measured, kind)
    if chosen:
        driver.bench.selection.present(chosen)
        driver.bench.catch_up()
    driver.hover(*at)
    if held:
        driver.drag(at, (at[0] + 0.05, at[1] - 0.06), release=False)
