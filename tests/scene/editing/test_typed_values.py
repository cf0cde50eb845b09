"""Numbers as a person reads and types them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.editing.properties import changed, properties
from wavelab.scene.editing.typed_values import shown_number
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.model.shapes import Polygon

NUMBERS = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-90)


@given(st.decimals(-10000, 10000, places=6))
def test_what_is_typed_is_shown_as_it_was_typed(typed):
    text = f"{typed.normalize():f}" if typed else "0"
    assert float(shown_number(float(text))) == float(text)
    assert len(shown_number(float(text))) <= max(len(text), 6)


@given(NUMBERS)
def test_a_computed_number_is_shown_by_what_is_meaningful(value):
    text = shown_number(value)
    assert math.isclose(float(text), value, rel_tol=5e-6)
    assert len(text.lstrip("-0.").replace(".", "").partition("e")[0]) <= 15
    if text != repr(value) and not value.is_integer():
        assert len(text.lstrip("-").replace(".", "").partition("e")[0].lstrip("0")) <= 6


def test_the_digits_of_the_form():
    assert shown_number(131.42705521383755) == "131.427"
    assert shown_number(1 / 3) == "0.333333"
    assert shown_number(0.1 + 0.2) == "0.3"
    assert shown_number(0.123456789) == "0.123456789"


TRIANGLE = ((0.0, 0.0), (1.0, 1e-3), (math.sqrt(0.5), math.sqrt(0.5)))


@given(NUMBERS, NUMBERS)
def test_what_is_not_touched_keeps_the_digits_that_are_not_shown(x, y):
    scene = Scene("box", Solver(0.1), probes=(Probe("ear", (x, y)),))
    (text,) = (p.text for p in properties(scene, ("probes", 0)) if p.key == ("position",))
    assert changed(scene, ("probes", 0), ("position",), text) == scene
    moved = changed(scene, ("probes", 0), ("position",), f"0.25, {text.split(', ')[1]}")
    assert moved.probes[0].position == pytest.approx((0.25, y), abs=0)


def test_a_corner_more_leaves_the_others_where_they_are():
    scene = replace(Scene("t", Solver(0.1)), outline=Polygon(TRIANGLE))
    (text,) = (p.text for p in properties(scene, ("outline",)) if p.key == ("vertices",))
    assert "0.707107" in text
    new = changed(scene, ("outline",), ("vertices",), f"{text}, [-0.5, 0.3]")
    assert new.outline.vertices == (*TRIANGLE, (-0.5, 0.3))
