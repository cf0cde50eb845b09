"""A row or grid is turned on and off, follows parameters, and is broken into single items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.properties import changed, properties
from wavelab.scene.editing.repeats import broken_up
from wavelab.scene.editing.settings import with_settings
from wavelab.scene.model.shapes import Ellipse, Grid, Repeated, Row
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

TEXT = """
title = "rods"

[parameters]
a = 0.2
n = 3

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 2]

[[holes]]
name = "post"
shape = "rectangle"
lower = [0.1, 1.5]
upper = [0.2, 1.6]

[[materials]]
name = "rods"
epsilon = 9
shape = "ellipse"
center = ["a", 0.2]
radii = [0.05, 0.05]
repeat = { count = ["n", "n + 1"], pitch = ["a", "2*a"], without = [[2, 2]] }

[[walls]]
edges = ["post.left", "domain.left"]
kind = "absorbing"

[solver]
element_size = 0.2
"""
KIND = ("shape", "repeat", "kind")
HOLE, RODS = ("holes", 0), ("materials", 0)


@pytest.fixture
def scene():
    return parse_scene(TEXT)


def values(scene, item):
    return {p.key: p.text for p in properties(scene, item)}


def test_the_form_turns_it_on_changes_it_and_turns_it_off(scene):
    assert values(scene, HOLE)[KIND] == "none"
    row = changed(scene, HOLE, KIND, "row")
    assert isinstance(row.holes[0].shape.repeat, Row)
    assert values(row, HOLE)[("shape", "repeat", "count")] == "2"
    three = changed(row, HOLE, ("shape", "repeat", "count"), "n")
    three = changed(three, HOLE, ("shape", "repeat", "pitch"), "0.3, a/2")
    assert [part.lower for part in three.holes[0].shape.parts()] == [
        (0.1, 1.5), (0.4, 1.6), (0.7, 1.7)
    ]  # fmt: skip
    grid = changed(three, HOLE, KIND, "grid")
    assert grid.holes[0].shape.parts()[:3] == three.holes[0].shape.parts()
    for text in ("0.3, 0.15", "[0.3, 0.15]", "[[0.3, 0], [0, 0.15]]", "[ [0.3, 0], [0, 0.15] ]"):
        flat = changed(grid, HOLE, ("shape", "repeat", "pitch"), text)
        assert flat.holes[0].shape.repeat.pitch == ((0.3, 0.0), (0.0, 0.15))
    gone = changed(flat, HOLE, ("shape", "repeat", "without"), "[2, 1], [3, 2]")
    assert len(gone.holes[0].shape.parts()) == 4
    assert changed(gone, HOLE, KIND, "row").holes[0].shape.repeat.without == (2,)
    assert changed(gone, HOLE, KIND, "none") == scene
    assert changed(gone, HOLE, ("shape", "shape", "upper"), "0.25, 1.6").holes[0].shape.repeat == (
        gone.holes[0].shape.repeat
    )


def test_what_cannot_be_typed_says_why(scene):
    for key, text, words in (
        ("count", "2000, 2000", "There can be 2,500 copies"),
        ("count", "3", "It must be two whole numbers"),
        ("count", "n/2, 2", "whole number"),
        ("pitch", "0.1", "two vectors"),
        ("without", "[9, 9]", r"without copy \[9, 9\]"),
    ):
        with pytest.raises(SceneError, match=words):
            changed(scene, RODS, ("shape", "repeat", key), text)
    with pytest.raises(SceneError, match='kind is "ring"'):
        changed(scene, RODS, KIND, "ring")


def test_parameters_move_the_copies_and_change_how_many_there_are(scene):
    wider = with_parameters(scene, {"a": 0.3, "n": 2})
    centers = [part.center for part in wider.materials[0].shape.parts()]
    expected = [(0.3, 0.2), (0.6, 0.2), (0.3, 0.8), (0.3, 1.4), (0.6, 1.4)]
    assert np.allclose(centers, expected, rtol=0, atol=1e-12)
    with pytest.raises(SceneError, match=r"whole number"):
        with_parameters(scene, {"n": 2.5})
    with pytest.raises(SceneError, match=r"copies of one item at most. It comes of count"):
        with_parameters(scene, {"n": 1e5})


def test_it_is_set_from_outside(scene):
    found = with_settings(
        scene,
        [
            ("materials.rods.repeat.pitch", "[0.3, 0], [0.15, 0.2]"),
            ("materials.rods.radii", "0.02, 0.02"),
            ("holes.post.repeat.kind", "row"),
            ("holes.post.repeat.count", "3"),
        ],
    )
    assert found.materials[0].shape == Repeated(
        Ellipse((0.2, 0.2), (0.02, 0.02)),
        Grid((3, 4), ((0.3, 0.0), (0.15, 0.2)), ((2, 2),)),
    )
    assert len(found.holes[0].shape.parts()) == 3


def test_broken_up_there_is_an_item_for_each_copy_and_its_walls_at_all(scene):
    scene = changed(scene, HOLE, KIND, "row")
    whole, keys = broken_up(scene, [HOLE, RODS])
    assert [hole.name for hole in whole.holes] == ["post 1", "post 2"]
    assert [m.name for m in whole.materials][:5] == [
        "rods 1-1", "rods 2-1", "rods 3-1", "rods 1-2", "rods 3-2"
    ]  # fmt: skip
    assert keys == (*(("holes", i) for i in range(2)), *(("materials", i) for i in range(11)))
    shapes = scene.holes[0].shape.parts() + scene.materials[0].shape.parts()
    assert tuple(item.shape for item in whole.holes + whole.materials) == shapes
    assert whole.walls[0].edges == ("post 1.left", "post 2.left", "domain.left")
    assert parse_scene(dump_scene(whole)) == whole
    with pytest.raises(SceneError, match="nothing that is chosen is repeated"):
        broken_up(whole, [HOLE])


def test_names_that_are_there_are_not_taken(scene):
    rods = scene.materials[0]
    other = replace(rods, name="rods 1-1", shape=Ellipse((1, 1), (0.1, 0.1)))
    long = replace(rods, name="x" * 80, shape=rods.shape.shifted((0.7, 0)))
    whole, _ = broken_up(
        replace(scene, materials=(rods, other, long)), [("materials", 0), ("materials", 2)]
    )
    names = [m.name for m in whole.materials]
    assert len(set(names)) == len(names) == 23
    assert names[11] == "rods 1-1"
