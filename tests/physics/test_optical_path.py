"""Wavelengths and travel times along lines, against what can be worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.interpolation import Locator
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.optical_path import Surveyor
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, Scene, Solver
from wavelab.scene.poles import Drude, Lorentz


def surveyed(mesh: Mesh, background: Material, order: int = 2) -> Surveyor:
    problem = discretize_scene(Scene("s", Solver(0.3, order), background=background), mesh)
    return Surveyor(problem, Locator(problem.discretization))


def test_a_line_through_two_media_counts_the_part_in_each():
    mesh = jittered_square(4, jitter=0.0)
    problem = discretize_scene(Scene("s", Solver(0.3, 2)), mesh)
    d = problem.discretization
    middle = d.x.mean(axis=1)
    split = float(np.median(np.unique(d.mesh.vertices[:, 0])))
    operator = replace(problem.operator, epsilon=np.where(middle > split, 9.0, 1.0))
    surveyor = Surveyor(replace(problem, operator=operator), Locator(d))
    y = float(d.y.mean()) + 0.01
    path = surveyor.path((split - 0.3, y), (split + 0.2, y), 10.0)
    # 0.3 of vacuum and 0.2 of index 3; the border is known to 1 / 4000 of the line.
    assert path.time == pytest.approx(0.9, abs=2 * 0.5 / 4000)
    assert path.wavelengths == pytest.approx(10 * path.time, rel=1e-9)
    # Three wavelengths fit into the vacuum; six shorter ones follow, the last at the very end.
    assert path.marks[:3] * 0.5 == pytest.approx([0.1, 0.2, 0.3], abs=3e-4)
    assert np.diff(path.marks[3:]) * 0.5 == pytest.approx(1 / 30, abs=3e-4)


def test_a_graded_medium_is_integrated_and_a_changing_one_looked_at_in_time():
    formula = Formula.parse("(1 + x)^2*(1 + t)^2", SPACE_AND_TIME)
    surveyor = surveyed(jittered_square(3), Material(epsilon=formula))
    # int (1 + x) dx over a line that rises with slope 1
    (x0, y0), (x1, y1) = (0.1, 0.15), (0.7, 0.75)
    expected = math.sqrt(2) * ((x1 - x0) + (x1**2 - x0**2) / 2)
    for time in (0.0, 0.5):
        path = surveyor.path((x0, y0), (x1, y1), 2.0, time)
        assert path.time == pytest.approx((1 + time) * expected, rel=1e-6)
    assert surveyor.spot(0.4, 0.2, 2.0).index == pytest.approx(1.4)
    assert surveyor.spot(0.4, 0.2, 2.0).wavelength == pytest.approx(1 / 2.8)


@pytest.mark.parametrize("magnetic", [False, True])
def test_what_poles_add_is_beside_a_formula_and_not_a_part_of_it(magnetic):
    formula = Formula.parse("1 + 3*x", SPACE_AND_TIME)
    of, poles = ("mu", "magnetic_poles") if magnetic else ("epsilon", "poles")
    medium = Material(**{of: formula, poles: (Lorentz(2.0, 1.5),)})
    surveyor, added = surveyed(jittered_square(2), medium), 1.5 / (1 - (0.5 / 2) ** 2)
    for x, y in ((0.1, 0.2), (0.3, 0.7), (0.9, 0.85)):
        exact = math.sqrt(1 + 3 * x + added)
        assert surveyor.spot(x, y, 0.5).index == pytest.approx(exact, rel=1e-9)
    # The integral of the root is 2/9 of its cube.
    ends = [(1 + 3 * x + added) ** 1.5 * 2 / 9 for x in (0.1, 0.9)]
    path = surveyor.path((0.1, 0.5), (0.9, 0.5), 0.5)
    assert path.wavelengths == pytest.approx(0.5 * (ends[1] - ends[0]), rel=1e-6)


def test_a_kerr_medium_has_the_index_of_weak_waves():
    surveyor = surveyed(jittered_square(3), Material(epsilon=4.0, chi=0.5))
    assert surveyor.path((0.1, 0.15), (0.7, 0.15), 2.0).time == pytest.approx(2 * 0.6)
    assert surveyor.spot(0.4, 0.2, 2.0).index == pytest.approx(2.0)


def test_a_crystal_has_an_index_for_each_direction():
    """That of the fronts which are across the line; a spot tells the largest."""
    crystal = Material(2.0, mu_axes=(1.0, 4.0), mu_angle=90.0)
    surveyor = surveyed(jittered_square(3), crystal)
    # Along x run waves whose H is along y, the first axis.
    for end, index in (((0.7, 0.3), math.sqrt(2)), ((0.3, 0.7), math.sqrt(8))):
        path = surveyor.path((0.3, 0.3), end, 5.0)
        assert path.time == pytest.approx(0.4 * index)
        assert path.wavelengths == pytest.approx(2.0 * index)
    diagonal = surveyor.path((0.3, 0.3), (0.6, 0.6), 5.0)
    assert diagonal.time == pytest.approx(0.3 * math.sqrt(2) * math.sqrt(2 * 1.6))
    assert surveyor.spot(0.4, 0.2, 2.0).index == pytest.approx(math.sqrt(8))


def test_poles_of_mu_count_as_those_of_epsilon():
    ends = (0.2, 0.5), (0.7, 0.5)
    electric, magnetic = (
        surveyed(jittered_square(3), medium).path(*ends, 1.0)
        for medium in (Material(poles=(Drude(0.6),)), Material(magnetic_poles=(Drude(0.6),)))
    )
    assert magnetic.wavelengths == pytest.approx(electric.wavelengths)
    assert magnetic.time == pytest.approx(electric.time)


def test_a_plasma_has_longer_waves_and_slower_pulses():
    surveyor = surveyed(jittered_square(3), Material(poles=(Drude(0.6),)))
    path = surveyor.path((0.2, 0.5), (0.7, 0.5), 1.0)
    # n = sqrt(1 - (0.6 / f)^2) = 0.8 at f = 1; the group velocity is n.
    assert path.wavelengths == pytest.approx(0.4, rel=1e-6)
    assert path.time == pytest.approx(0.5 / 0.8, rel=1e-6)
    below = surveyor.spot(0.5, 0.5, 0.5)
    assert below.index == pytest.approx(0.0, abs=1e-12)
    assert below.wavelength > 1e6


def test_a_spot_names_its_element_and_what_is_outside_is_none():
    mesh = jittered_square(4)
    problem = discretize_scene(Scene("s", Solver(0.3, 3)), mesh)
    d = problem.discretization
    surveyor = Surveyor(problem, Locator(d))
    worst = points_per_wavelength(problem.operator, 2.0)
    at = (float(d.x[worst.element].mean()), float(d.y[worst.element].mean()))
    spot = surveyor.spot(*at, 2.0)
    assert spot.element == worst.element
    assert spot.points_per_wavelength == pytest.approx(worst.points)
    assert spot.points_per_wavelength == pytest.approx(4 * 0.5 / spot.size)
    assert spot.order == 3
    assert surveyor.spot(9.0, 0.5, 2.0) is None
    assert surveyor.path(at, (9.0, 0.5), 2.0) is None


def test_curved_elements_are_part_of_the_way():
    surveyor = surveyed(elliptic_disk(), Material(4.0), order=4)
    assert surveyor.path((-0.5, 0.0), (0.5, 0.0), 1.0).time == pytest.approx(2.0)


@pytest.mark.parametrize("frequency", [1e5, 1e7, 1e9, 1e300, 1e307])
@pytest.mark.parametrize("medium", [Material(4.0), Material(4.0, poles=(Drude(0.6),))])
def test_waves_too_short_to_be_marked_are_counted(medium, frequency):
    surveyor = surveyed(jittered_square(3), medium)
    path = surveyor.path((0.2, 0.5), (0.7, 0.5), frequency)
    assert path.wavelengths == pytest.approx(frequency)
    assert path.time == pytest.approx(1.0)
    assert len(path.marks) == 0
    # Beyond any number there is nothing to mark either; as many as can be told apart are marked.
    assert len(surveyor.path((0.2, 0.5), (0.7, 0.5), 1.79e308).marks) == 0
    assert len(surveyor.path((0.2, 0.5), (0.7, 0.5), 1999.5).marks) == 1999
