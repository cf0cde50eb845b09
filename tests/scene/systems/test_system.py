"""What all readings of the equations have in common."""

from __future__ import annotations

import pickle

import pytest

from tests.sample_systems import SAMPLES, SCALAR
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.systems import SYSTEMS, System


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_system_goes_to_another_process(system: System):
    """As a part of problems with monitors, which others mesh, compile and advance."""
    assert pickle.loads(pickle.dumps(system)) == system


def test_every_system_of_scalar_waves_has_a_sample_that_tests_begin_with():
    assert set(SAMPLES) == set(SCALAR), "a system without a sample in tests/sample_systems.py"
    for key, sample in SAMPLES.items():
        numbers = SYSTEMS[key].medium.rules
        assert all(f.key in sample.wave for f in (SYSTEMS[key].scalar, SYSTEMS[key].x))
        lossy = {name for name in numbers if numbers[name][0](0.0) and name != "chi"}
        assert set(sample.losses) == lossy


@pytest.mark.parametrize("key", SCALAR)
def test_initial_fields_have_the_signs_with_which_they_are_shown(key: str):
    system = SYSTEMS[key]
    for shown in (system.scalar, system.x, system.y):
        given = system.fields(**{shown.key: Formula.parse("3", ("x", "y"))})
        of_solver = getattr(given, shown.of)
        assert float(of_solver.evaluate(x=0.0, y=0.0)) == 3 * shown.sign


@pytest.mark.parametrize("key", SCALAR)
def test_a_medium_goes_into_the_coefficients_of_the_solver_and_comes_back(key: str):
    """All that stores and loses, where its system has a number for it."""
    kind = SYSTEMS[key].medium
    names = ("epsilon", "mu", "sigma", "magnetic_sigma")
    stands_for = {number.name for number in kind.instead.values()}
    said = [name for name in kind.rules if name not in kind.instead and name != "chi"]
    medium = kind(**{name: 1.25 + 0.5 * number for number, name in enumerate(said)})
    again = kind.of_coefficients(*(medium.coefficient(name) for name in names))
    assert stands_for <= set(said)
    for name in said:
        assert getattr(again, name) == pytest.approx(getattr(medium, name))
    # Of an index waves are as much slower, whatever makes them so.
    slow = kind.of_index(1.5)
    assert slow.coefficient("epsilon") * slow.coefficient("mu") == pytest.approx(1.5**2)
