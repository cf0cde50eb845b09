"""Cases are measured, and a wrong solution does not pass."""

import math
from dataclasses import replace

import pytest

from tests.products import only_in_hunt
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas
from wavelab.simulation.verification import CASES, Reading, Row, Where, check, converge, sources

NUMPY = Where("numpy")


@pytest.mark.parametrize("order", [1, 2, 3, 4, *only_in_hunt(5, 6)])
def test_the_cavity_converges_at_the_full_rate(scenes, order):
    result = converge(scenes["cavity"](), order, NUMPY)
    assert result.reading.rate == pytest.approx(order + 1, abs=0.3)
    assert result.reading.required == pytest.approx(order + 0.7)
    sizes = [run.h for run in result.measurements]
    assert sizes[0] / sizes[1] == pytest.approx(2)
    assert sizes[1] / sizes[2] == pytest.approx(2)
    assert [run.rate is None for run in result.measurements] == [True, False, False]


def test_a_wrong_exact_solution_fails(scenes):
    scene = scenes["cavity"]()
    wrong = Formula.parse("sin(pi*x)*sin(pi*y)*cos(1.001*pi*sqrt(2)*t)", ("x", "y", "t"))
    scene = replace(scene, exact=FieldFormulas(ez=wrong))
    reading = converge(scene, 4, NUMPY).reading
    assert reading.rate < 2 < reading.required


@pytest.mark.parametrize(
    ("error", "rate", "required", "ok"),
    [
        (1e-3, 4.8, 4.7, True),
        (1e-9, 4.6, 4.7, False),
        (1e-9, math.nan, 4.7, False),
        (1e-5, None, 1e-4, True),
        (1e-3, None, 1e-4, False),
        (math.nan, None, 1e-4, False),
    ],
)
def test_verdicts(error, rate, required, ok):
    assert Row("case", 4, 0.1, error, rate, required).ok is ok


def test_orders_are_the_cases_own():
    def measure(order, where):
        return Reading(0.1, 10.0**-order, None, {1: 0.2, 2: 0.02, 4: 0.0}[order])

    case = replace(CASES["resonances"], measure=measure, orders=(1, 2, 4), quick=(2,))
    assert [r.order for r in check([case])] == [2]
    assert [r.order for r in check([case], full=True)] == [1, 2, 4]
    rows = list(check([case], orders=(3, 4, 1)))
    assert [(r.order, r.ok) for r in rows] == [(1, True), (4, False)]


def test_nothing_is_computed_before_somebody_asks(monkeypatch):
    """Every command lists the cases, so exact solutions that take long would delay them all."""

    def computed(*_, **__):
        raise AssertionError("an exact solution was computed")

    monkeypatch.setattr(sources, "radiated_pulse", computed)
    makers = (sources.point, sources.moving, sources.array)
    measures = [maker() for maker in makers]
    assert all(callable(measure) for measure in measures)


def test_every_case_has_something_quick():
    for name, case in CASES.items():
        assert case.name == name
        assert case.quick
        assert set(case.quick) <= set(case.orders)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("impedance wall", 3),
        ("current", 2),
        ("round room", 1),
        ("phases at walls", 3),
        ("sound disk", 1),
        ("te brewster", 1),
        ("membrane box", 1),
        ("stepper rkc73", 4),
    ],
)
def test_some_cases(name, order):
    (row,) = check([CASES[name]], orders=[order])
    assert row.ok, row


@pytest.mark.parametrize("name", ["energy ledger", "power monitor"])
def test_some_numbers(name):
    (row,) = check([CASES[name]], orders=[2])
    assert row.ok, row
    assert row.rate is None
    assert row.error > 1e-6
