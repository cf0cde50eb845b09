"""What layers and media remember goes on when their equations are made anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.carried_variables import gathered, spread
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import parse_scene

TEXT = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.12
order = 3
[[walls]]
edges = ["domain"]
kind = "open"
thickness = {thickness}
[[materials]]
name = "metal"
shape = "ellipse"
center = [0.5, 0.5]
radii = [0.15, 0.15]
epsilon = 2
poles = [{{ kind = "drude", frequency = 1.0, damping = 0.1 }},
         {{ kind = "drude", frequency = 0.3, damping = 0.2 }}]
"""


@pytest.fixture(scope="module")
def problem() -> Problem:
    scene = parse_scene(TEXT.format(thickness=0.2))
    return discretize_scene(scene, mesh_scene(scene))


def with_thickness(problem: Problem, thickness: float) -> Problem:
    (wall,) = problem.scene.walls
    return revised(problem, replace(problem.scene, walls=(replace(wall, thickness=thickness),)))


def random_variables(problem: Problem) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(7)
    return tuple(rng.standard_normal(e.shape) for e in problem.auxiliary_equations)


def carried(before: Problem, values, after: Problem):
    there = spread(before.auxiliary_equations, values, before.discretization.n_elements)
    return gathered(there, after.auxiliary_equations)


def test_the_same_equations_keep_all(problem):
    values = random_variables(problem)
    assert {e.kind for e in problem.auxiliary_equations} == {"open", "medium"}
    for kept, value in zip(carried(problem, values, problem), values, strict=True):
        np.testing.assert_allclose(kept, value, atol=1e-14)


def test_without_variables_all_begin_at_rest(problem):
    assert not any(each.any() for each in carried(problem, (), problem))


def test_where_a_layer_was_before_it_goes_on(problem):
    """Through a layer that is thicker, and in which other elements lie in a corner, and back."""
    thicker = with_thickness(problem, 0.29)
    sets = [[e.elements.tolist() for e in p.auxiliary_equations] for p in (problem, thicker)]
    assert sets[0] != sets[1]
    values = random_variables(problem)
    back = carried(thicker, carried(problem, values, thicker), problem)
    for of, kept, value in zip(problem.auxiliary_equations, back, values, strict=True):
        named = of.variables.index("r") if "r" in of.variables else None
        for i, (one, other) in enumerate(zip(kept, value, strict=True)):
            if i != named:  # which is there in corners alone
                np.testing.assert_allclose(one, other, atol=1e-13)


def test_media_go_on_each_for_itself(problem):
    """Of the same variables in the same elements: by their order, whatever else there is."""
    (metal,) = (e for e in problem.auxiliary_equations if e.kind == "medium")
    other = replace(metal, elements=metal.elements + 1)
    n = problem.discretization.n_elements
    values = [np.full(metal.shape, 1.0), np.full(metal.shape, 2.0)]
    first, second = gathered(spread([metal, metal], values, n), [metal, metal])
    assert (first == 1).all()
    assert (second == 2).all()
    (alone,) = gathered(spread([metal, metal], values, n), [other])
    kept = np.isin(other.elements, metal.elements)
    assert (alone[:, kept] == 1).all()
    assert not alone[:, ~kept].any()


@pytest.mark.parametrize("physics", SYSTEMS)
def test_layers_of_all_waves_may_be_made_thicker(physics):
    scene = parse_scene(f'physics = "{physics}"' + TEXT.format(thickness=0.2).split("[[mat")[0])
    before = discretize_scene(scene, mesh_scene(scene))
    after = with_thickness(before, 0.29)
    values = random_variables(before)
    back = carried(after, carried(before, values, after), before)
    for of, kept, value in zip(before.auxiliary_equations, back, values, strict=True):
        others = [i for i, name in enumerate(of.variables) if name != "r"]
        np.testing.assert_allclose(kept[others], value[others], atol=1e-13)
