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


SOLID = """
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.4
order = 3
[background]
density = {density}
p_speed = {p_speed}
s_speed = 0.5
p_quality = {p_quality}
s_quality = 10
"""


def solid(*, density="2", p_speed="1", p_quality="20") -> Problem:
    text = SOLID.format(density=density, p_speed=p_speed, p_quality=p_quality)
    scene = parse_scene(text)
    return discretize_scene(scene, mesh_scene(scene))


def stored(problem: Problem, variables) -> float:
    """Energy of what is remembered, as nodal values."""
    return sum(
        float((e.energy[name] * values**2).sum())
        for e, of in zip(problem.auxiliary_equations, variables, strict=True)
        for name, values in zip(e.variables, of, strict=True)
    )


def test_what_a_solid_remembers_is_the_same_whether_it_is_a_number_or_a_formula():
    number, formula = solid(density="2"), solid(density='"2 + 1e-9*x"')
    assert formula.operator.media
    values = random_variables(number)
    there = carried(number, values, formula)
    assert stored(formula, there) == pytest.approx(stored(number, values), rel=1e-6)


def test_a_graded_solid_remembers_its_stress():
    """Where a modulus is p times as large the same stress has stored less by that."""
    number, formula = solid(p_speed="1"), solid(p_speed='"1 + x"')
    values = random_variables(number)
    back = carried(formula, carried(number, values, formula), number)
    for kept, value in zip(back, values, strict=True):
        np.testing.assert_allclose(kept, value, rtol=1e-9)
    (e,) = number.auxiliary_equations
    (graded,) = formula.auxiliary_equations
    there = dict(zip(graded.variables, carried(number, values, formula)[0], strict=True))
    mean = dict(zip(e.variables, values[0], strict=True))["mmean"]
    d = number.discretization
    # lambda + mu = density (p_speed^2 - s_speed^2), and a part b (1 - b) of it relaxes.
    softer = 0.75 / ((1 + d.x) ** 2 - 0.25)
    of = [each.coefficients for each in (e, graded)]
    parts = [1 - each["ks"] / each["kr"] for each in of]
    expected = e.energy["mmean"] * mean**2 * softer
    expected *= (parts[0] * (1 - parts[0])) / (parts[1] * (1 - parts[1]))
    np.testing.assert_allclose(
        graded.energy["mmean"] * there["mmean"] ** 2, expected, rtol=0.05, atol=1e-12
    )


def test_shear_is_remembered_where_p_waves_begin_to_lose():
    without, both = solid(p_quality="0"), solid(p_quality="20")
    values = random_variables(without)
    (there,) = carried(without, values, both)
    named = dict(zip(both.auxiliary_equations[0].variables, there, strict=True))
    for name, value in zip(without.auxiliary_equations[0].variables, values[0], strict=True):
        np.testing.assert_allclose(named[name], value, rtol=1e-9)
    assert not named["mmean"].any()
