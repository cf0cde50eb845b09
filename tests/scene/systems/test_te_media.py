"""Light of the other polarization, TE: what acts on E in the plane, losses, poles and axes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.media.library import light_medium, named_entry
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, Scene, Solver
from wavelab.scene.poles import Debye, Drude
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems.te_light import FieldsTE, MaterialTE
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import AbsorbingWall

POLES = (Drude(0.7, 0.1), Debye(0.5, 0.2))
GRADED = Formula.parse("1 + x*y", SPACE_AND_TIME)


def scene_of(material: Medium, **more) -> Scene:
    te = isinstance(material, MaterialTE)
    kinds = {"physics": "te", "initial": FieldsTE()} if te else {}
    return Scene("s", Solver(0.3, 3), background=material, **kinds, **more)


def problem_of(material: Medium) -> Problem:
    return discretize_scene(check_scene(scene_of(material)), jittered_square(3))


@pytest.mark.parametrize(
    ("te", "dual"),
    [
        (
            MaterialTE(2.0, 1.5, sigma=0.3, poles=POLES),
            Material(1.5, 2.0, magnetic_sigma=0.3, magnetic_poles=POLES),
        ),
        (
            MaterialTE(mu=1.5, sigma=GRADED, epsilon_axes=(1.0, 3.0), epsilon_angle=20.0),
            Material(1.5, mu_axes=(1.0, 3.0), mu_angle=20.0, magnetic_sigma=GRADED),
        ),
    ],
)
def test_it_is_the_dual_of_what_acts_on_h(te, dual):
    one, other = problem_of(te), problem_of(dual)
    for name in ("epsilon", "mu", "sigma"):
        np.testing.assert_array_equal(
            getattr(one.operator, name), getattr(other.operator, name), err_msg=name
        )
    for mine, yours in zip(one.operator.media.parts, other.operator.media.parts, strict=True):
        np.testing.assert_array_equal(mine.elements, yours.elements)
    for mine, yours in zip(one.auxiliary_equations, other.auxiliary_equations, strict=True):
        assert mine.rates == yours.rates


def test_a_file_says_all_of_it():
    crystal = MaterialTE(mu=1.5, sigma=GRADED, epsilon_axes=(1.0, 3.0), epsilon_angle=20.0)
    for material in (crystal, MaterialTE(2.0, sigma=0.3, poles=POLES)):
        scene = check_scene(scene_of(material))
        assert parse_scene(dump_scene(scene)) == scene


@pytest.mark.parametrize(
    ("material", "item"),
    [
        (MaterialTE(sigma=-1.0), "sigma"),
        (MaterialTE(epsilon_angle=3.0), "epsilon_angle"),
        (MaterialTE(epsilon=2.0, epsilon_axes=(1.0, 2.0)), "epsilon_axes"),
        (MaterialTE(epsilon_axes=(1.0, 0.0)), "epsilon_axes"),
        (MaterialTE(poles=(Drude(0.0),)), "poles"),
    ],
)
def test_what_cannot_be_is_named_in_its_own_words(material, item):
    with pytest.raises(ItemError, match=item.partition("_")[0].removesuffix("s")) as caught:
        check_scene(scene_of(material))
    assert caught.value.item[:2] == ("background", item)


def test_an_absorbing_wall_tells_of_its_sigma_and_epsilon():
    scene = scene_of(MaterialTE(sigma=0.3), walls=(AbsorbingWall(("domain.top",)),))
    (notice,) = discretize_scene(scene, jittered_square(3)).notices
    assert "about sigma / (8 pi f epsilon)" in notice


def test_a_metal_stays_the_same_in_the_other_polarization():
    metal = Material(2.0, 1.5, 0.3, POLES)
    scene, notes = switched(scene_of(metal), "te")
    assert scene.background == MaterialTE(2.0, 1.5, 0.3, POLES)
    assert not any("loses" in note for note in notes)
    assert switched(scene, "light")[0].background == metal


def test_a_metal_of_the_library_is_the_same_for_both_kinds_of_light():
    tm, te = (light_medium(p, named_entry(p, "gold"), 0.8) for p in ("light", "te"))
    assert te.vector_poles == tm.scalar_poles
    assert len(te.vector_poles) > 1


def test_what_another_physics_does_not_have_is_told():
    crystal = Material(mu_axes=(1.0, 2.0), magnetic_sigma=0.3, magnetic_poles=POLES)
    for physics in ("sound", "membrane"):
        _, notes = switched(scene_of(crystal), physics)
        lost = {f"the background loses its {each}" for each in ("losses", "poles", "axes")}
        assert lost <= set(notes)
    _, notes = switched(scene_of(crystal), "te")
    for name in ("mu_axes", "magnetic_sigma", "magnetic_poles"):
        assert f"the background loses its {name}" in notes
