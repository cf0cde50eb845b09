"""A medium by epsilon or by its refractive index, by the depth or the speed of its waves: the same
coefficients, in files, in the form, from the command line and under sliders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_scenes import boxed
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.physics.revision import revised
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.properties import changed, properties
from wavelab.scene.editing.settings import with_settings
from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

#: System -> the number that stands for another, that one, and what else is in it.
PAIRS = {
    "light": ("index", "epsilon", "mu"),
    "te": ("index", "epsilon", "mu"),
    "water": ("speed", "depth", "friction"),
    "membrane": ("speed", "tension", "density"),
}
QUANTITIES = ("epsilon", "mu", "sigma", "magnetic_sigma")
ROD = ("materials", 0)


def scene_of(physics: str, rod: str, head: str = "") -> Scene:
    return parse_scene(
        f'physics = "{physics}"\n'
        + boxed(
            "A rod",
            f"""{head}
[[materials]]
name = "rod"
{rod}
shape = "rectangle"
lower = [0.3, 0.3]
upper = [0.6, 0.7]
[solver]
element_size = 0.3
order = 2
""",
        )
    )


def values(medium: Medium) -> list[float]:
    """Its coefficients at some place and time."""
    found = (medium.coefficient(name) for name in QUANTITIES)
    return [float(v.evaluate(x=0.3, y=0.2, t=0.1)) if isinstance(v, Formula) else v for v in found]


def index_of(medium: Medium) -> float:
    epsilon, mu, *_ = values(medium)
    return float(np.sqrt(epsilon * mu))


def test_every_system_but_sound_which_has_a_speed_says_it_either_way():
    pairs = {key: tuple(system.medium.instead) for key, system in SYSTEMS.items()}
    assert {key for key, new in pairs.items() if new} >= set(PAIRS)
    assert all(pairs[physics] == (new,) for physics, (new, _, _) in PAIRS.items())
    assert not pairs["sound"]


@pytest.mark.parametrize("physics", PAIRS)
@settings(max_examples=15)
@given(value=st.floats(0.01, 100), by=st.floats(0.01, 100))
def test_either_number_is_the_same_medium(physics, value, by):
    new, of, other = PAIRS[physics]
    scene = scene_of(physics, f"{new} = {value!r}\n{other} = {by!r}")
    medium = scene.materials[0].material
    n = value if new == "index" else 1 / value
    assert index_of(medium) == pytest.approx(n, rel=1e-12)
    assert parse_scene(dump_scene(scene)) == scene
    # The switch of the form, there and back again.
    there = changed(scene, ROD, ("material", new, "said_as"), of)
    told = there.materials[0].material
    assert getattr(told, new) is None
    assert values(told) == pytest.approx(values(medium), rel=1e-12)
    assert parse_scene(dump_scene(there)) == there
    back = changed(there, ROD, ("material", new, "said_as"), new)
    assert getattr(back.materials[0].material, new) == pytest.approx(value, rel=1e-12)
    assert values(back.materials[0].material) == pytest.approx(values(medium), rel=1e-12)


@pytest.mark.parametrize("physics", PAIRS)
def test_formulas_and_parameters_are_turned_too(physics):
    new, of, other = PAIRS[physics]
    head = "[parameters]\na = 1.5\n"
    for text in ('"1.5 + 0.1*x"', '"a"', '"a + x*t"', '"a^2"', '"2*a"'):
        for name, others in ((new, "2"), (of, "2"), (new, '"a"'), (of, '"a + x"')):
            scene = scene_of(physics, f"{name} = {text}\n{other} = {others}", head)
            way = of if name == new else new
            there = changed(scene, ROD, ("material", new, "said_as"), way)
            for each in ({}, {"a": 2.25}):
                mediums = [with_parameters(s, each).materials[0].material for s in (scene, there)]
                assert values(mediums[1]) == pytest.approx(values(mediums[0]), rel=1e-12)
            assert parse_scene(dump_scene(there)) == there
    short = scene_of(physics, f'{new} = "a"', head)
    there = changed(short, ROD, ("material", new, "said_as"), of)
    if physics != "membrane":
        assert getattr(there.materials[0].material, of).text == "a^2"
    assert changed(there, ROD, ("material", new, "said_as"), new) == short


@pytest.mark.parametrize("physics", PAIRS)
def test_both_are_refused_in_a_file_also_where_one_is_what_it_is_anyway(physics):
    new, of, _ = PAIRS[physics]
    for value in (1, 2):
        with pytest.raises(SceneError, match=f"has both {of} and {new}") as caught:
            scene_of(physics, f"{of} = {value}\n{new} = 1.5")
        assert f"Give one of them: {of} = {new}^2" in caught.value.remedy
    for wrong, words in ((0, f"{new} of .* is 0"), (-1.5, f"{new} of .* is -1.5"), (1e12, of)):
        with pytest.raises(SceneError, match=words):
            scene_of(physics, f"{new} = {wrong}")


def test_a_crystal_has_no_one_index():
    for physics, axes in (("light", "mu_axes"), ("te", "epsilon_axes")):
        with pytest.raises(SceneError, match=f"has both {axes} and index"):
            scene_of(physics, f"index = 1.5\n{axes} = [2, 3]")


@pytest.mark.parametrize("physics", PAIRS)
def test_of_two_ways_the_last_that_was_set_holds(physics):
    new, of, _ = PAIRS[physics]
    scene = scene_of(physics, f"{of} = 3")
    medium = with_settings(scene, [(f"materials.rod.{new}", "2")]).materials[0].material
    assert getattr(medium, new) == 2
    assert index_of(medium) in (2, 0.5)
    again = with_settings(scene, [(f"materials.rod.{new}", "2"), (f"materials.rod.{of}", "3")])
    assert again == scene
    # Blank: as the other way says it.
    blank = changed(
        with_settings(scene, [(f"materials.rod.{new}", "2")]), ROD, ("material", new), ""
    )
    assert getattr(blank.materials[0].material, of) == 4
    with pytest.raises(ItemError, match="what it is said as"):
        changed(scene, ROD, ("material", new, "said_as"), "density of states")


def test_a_form_shows_the_number_that_is_given_and_the_choice_before_it():
    for rod, shown in (("epsilon = 2", "epsilon"), ("index = 2", "index")):
        found = properties(scene_of("light", rod), ROD)
        used = [p.key[1:] for p in found if p.key[0] == "material" and not p.unused]
        assert used[:3] == [("index", "said_as"), (shown,), ("mu",)]
        assert found[1].choices == ("epsilon", "index")
        assert found[1].text == shown


RODS = {
    "even": ("index = 1.5", "epsilon = 2.25"),
    "graded": ('index = "1.5 + 0.1*x"', 'epsilon = "(1.5 + 0.1*x)^2"'),
}


@pytest.mark.parametrize("rods", RODS.values(), ids=RODS)
def test_the_solver_sees_no_difference_and_a_live_change_is_no_other(rods):
    """The same operator from the start, and after a change that keeps the mesh and the step's
    search; so a slider of the index costs what one of epsilon does."""
    scenes = [scene_of("light", rod) for rod in rods]
    mesh = mesh_scene(scenes[0])
    problems = [discretize_scene(scene, mesh) for scene in scenes]
    later = [
        with_settings(scenes[0], [("materials.rod.index", "2")]),
        with_settings(scenes[1], [("materials.rod.epsilon", "4")]),
    ]
    changed_ones = [revised(p, scene) for p, scene in zip(problems, later, strict=True)]
    for one, other in (problems, changed_ones):
        assert np.allclose(one.operator.epsilon, other.operator.epsilon, rtol=1e-13)
        assert one.dt_max == pytest.approx(other.dt_max, rel=1e-12)
        for a, b in zip(one.operator.media.epsilon, other.operator.media.epsilon, strict=True):
            d = one.discretization
            assert np.allclose(a.at_nodes(d.x, d.y, 0.0), b.at_nodes(d.x, d.y, 0.0), rtol=1e-12)
    assert all(problem.reckoned_from is not None for problem in changed_ones)
    assert all(problem.discretization is p.discretization
               for problem, p in zip(changed_ones, problems, strict=True))  # fmt: skip


def test_what_a_file_could_not_hold_is_refused_of_a_program_too():
    """A number that is the usual one, but follows a parameter, is given."""
    scene = scene_of("light", "index = 2", "[parameters]\na = 1\n")
    rod = scene.materials[0]
    both = replace(rod.material, epsilon=Expression.of("a", {"a": 1.0}))
    with pytest.raises(ItemError, match="has both epsilon and index"):
        check_scene(replace(scene, materials=(replace(rod, material=both),)))
