"""Materials and regions that cover no element are named; all others are not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.notices.region_notices import empty_regions, unfit_lenses
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Lens, Rectangle, Repeated, Row

NAMES = ("air", "glass", "gold", "oil")


def region(name: str, shape: Rectangle | None = None) -> MaterialRegion:
    return MaterialRegion(name, Material(2.0), shape)


@given(st.lists(st.integers(0, 3), min_size=18, max_size=18), st.sets(st.sampled_from(NAMES)))
def test_a_mesh_file_is_told_of_by_its_elements(regions, materials):
    mesh = replace(
        jittered_square(3), regions=np.array(regions, dtype=np.int32), region_names=NAMES
    )
    scene = Scene(
        "file",
        Solver(),
        outline=None,
        mesh_file=Path("a.msh"),
        materials=tuple(map(region, sorted(materials))),
    )
    told = empty_regions(scene, mesh)
    for number, name in enumerate(NAMES):
        about = [text for text in told if f'"{name}"' in text]
        assert len(about) == (number not in regions)
        assert all(text.startswith("material") == (name in materials) for text in about)


def test_the_problem_tells_it():
    mesh = replace(jittered_square(3), region_names=("background", "glass"))
    scene = Scene(
        "file", Solver(order=1), outline=None, mesh_file=Path("a.msh"), materials=(region("glass"),)
    )
    (told,) = discretize_scene(scene, mesh).notices
    assert 'material "glass" covers no element' in told
    with pytest.raises(SceneError, match='"glas" names no region'):
        discretize_scene(replace(scene, materials=(region("glas"),)), mesh)


SQUARE = Rectangle((0, 0), (1, 1))
LOW, HIGH = Rectangle((0, 0), (1, 0.5)), Rectangle((0, 0.5), (1, 1))


@pytest.mark.parametrize(
    ("materials", "holes", "empty"),
    [
        ((region("a", LOW), region("b", HIGH)), (), []),  # the background is covered, as is meant
        ((region("a", LOW), region("b", SQUARE)), (), ["a"]),
        ((region("a", Rectangle((0.4, 0.4), (0.6, 0.6))),), (Hole("h", HIGH),), []),
        (
            (region("a", Rectangle((0.4, 0.6), (0.6, 0.8))),),
            (Hole("h", Rectangle((0.3, 0.5), (0.7, 0.9))),),
            ["a"],
        ),
    ],
)
def test_a_drawing(materials, holes, empty):
    scene = Scene("drawn", Solver(0.5, order=1), SQUARE, materials=materials, holes=holes)
    told = empty_regions(scene, mesh_scene(scene))
    assert [text.split('"')[1] for text in told] == empty


@pytest.mark.parametrize(
    ("index", "around", "told"),
    [
        (1.5, 1.0, None),
        (3.0, 4.0, None),
        (2.0, 1.0, "about 1, and not 2; .* epsilon to 2.25"),
        (1.0, 1.0, "infinite"),
    ],
)
def test_a_lens_of_another_glass_than_it_is_ground_for_is_told_of(index, around, told):
    alone = Lens((0.5, 0.5), 2.0, 0.5)
    for shape in (alone, Repeated(alone, Row(3, (0.0, 0.6)))):
        lens = MaterialRegion("lens", Material(index**2), shape)
        scene = Scene("", Solver(), background=Material(around), materials=(lens,))
        found = unfit_lenses(scene)
        assert [bool(re.search(told or "", text)) for text in found] == [True] * bool(told)
