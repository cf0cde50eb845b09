"""A hand that drags what follows a parameter turns the parameter."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.paths import SCENES
from wavelab.scene.editing.following import followed
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import load_scene, parse_scene

SNELL = load_scene(SCENES / "snell.toml")
SLITS = load_scene(SCENES / "double_slit.toml")


def with_lamp(x: float, y: float) -> Scene:
    labels = (replace(s, position=(x, y)) if s.name == "lamp" else s for s in SNELL.labels)
    return replace(SNELL, labels=tuple(labels))


@given(st.floats(3, 57), st.floats(0.5, 2))
def test_it_takes_the_value_that_comes_nearest_by_its_step(angle, away):
    x, y = -away * math.sin(math.radians(angle)), away * math.cos(math.radians(angle))
    turned = followed(SNELL, with_lamp(x, y))
    assert turned.values["a"] == pytest.approx(angle, abs=0.51)
    assert turned.values["a"] % 1 == 0
    # All else follows too, and nothing is a plain number now.
    assert turned == with_parameters(SNELL, {"a": turned.values["a"]})


def test_it_keeps_to_its_range():
    assert followed(SNELL, with_lamp(-1.4, 0.1)).values["a"] == 60
    assert followed(SNELL, with_lamp(0.5, 1.3)).values["a"] == 0


def test_a_number_that_follows_is_turned_and_others_stay():
    (screen,) = SLITS.holes
    wider = replace(screen, shape=replace(screen.shape, width=0.241, center=(1.1, 0.0)))
    turned = followed(SLITS, replace(SLITS, holes=(wider,)))
    assert (turned.values["width"], turned.values["d"]) == (0.24, 0.8)
    assert turned.holes[0].shape.width.text == "width"
    assert turned.holes[0].shape.center == (1.1, 0.0)


TWO = """\
title = "two"
[parameters]
a = 1
b = 0.5
c = "a + b"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [4, 4]
[[probes]]
name = "p"
position = [{position}]
[solver]
element_size = "1.6 - a/2"
"""


@pytest.mark.parametrize("position", ['"a", "b"', '"a + b", 1', '"c", 1', '"a - a + 1", 1'])
def test_where_it_cannot_be_told_which_one_the_number_is_plain(position):
    scene = parse_scene(TWO.format(position=position))
    moved = replace(scene, probes=(replace(scene.probes[0], position=(2.0, 3.0)),))
    assert followed(scene, moved) == moved


def test_what_breaks_a_rule_with_that_value_is_told():
    scene = parse_scene(TWO.format(position='"a", 1'))
    moved = replace(scene, probes=(replace(scene.probes[0], position=(3.6, 1.0)),))
    with pytest.raises(ItemError, match="element_size"):
        followed(scene, moved)
