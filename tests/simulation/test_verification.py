"""Rates of convergence are measured, and a wrong solution does not pass."""

from dataclasses import replace

import pytest

from wavelab.scene.formula import Formula
from wavelab.scene.scene import FieldFormulas
from wavelab.simulation.verification import verify


def test_the_cavity_converges_at_the_full_rate(scenes):
    results = list(verify([("cavity", scenes["cavity"]())], [1, 3, 5], backend="numpy"))
    assert [result.order for result in results] == [1, 3, 5]
    for result in results:
        assert result.ok
        assert result.rate == pytest.approx(result.order + 1, abs=0.3)
        sizes = [run.h for run in result.measurements]
        assert sizes[0] / sizes[1] == pytest.approx(2)
        assert sizes[1] / sizes[2] == pytest.approx(2)
        assert [run.rate is None for run in result.measurements] == [True, False, False]


def test_a_wrong_exact_solution_fails(scenes):
    scene = scenes["cavity"]()
    wrong = Formula.parse("sin(pi*x)*sin(pi*y)*cos(1.001*pi*sqrt(2)*t)", ("x", "y", "t"))
    scene = replace(scene, exact=FieldFormulas(ez=wrong))
    (result,) = verify([("wrong", scene)], [4], backend="numpy")
    assert not result.ok
    assert result.rate < 2
