"""The search finds a cheap run that is accurate enough, and stops where there is none."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.benchmark.versus.search import cheapest
from wavelab.benchmark.versus.trial import NotRun, Trial

LONGEST = 1e3


def method(constant: float, rate: float, seconds: float = 1e-6, bent: float = 0.0):
    """Runs with an error constant * resolution^-rate, wavering by a share ``bent``; counts them."""
    asked = []

    def run(resolution: float, longest: float) -> Trial | NotRun:
        asked.append(resolution)
        error = constant * resolution**-rate * (1 + bent * math.sin(40 * math.log(resolution)))
        time = seconds * resolution**3
        if time > longest:
            return NotRun(f"would take {time:.3g} s")
        cells = round(resolution**2)
        return Trial(resolution, 3, cells, 3 * cells, round(resolution) + 1, error, time, 1.0, 1.0)

    return run, asked


@given(
    rate=st.floats(1, 9),
    expected=st.floats(1, 9),
    needed=st.floats(4, 40),
    target=st.sampled_from([0.01, 0.001]),
    bent=st.sampled_from([0.0, 0.1]),
)
def test_a_method_that_converges_is_run_near_its_cheapest(rate, expected, needed, target, bent):
    run, asked = method(target * needed**rate, rate, bent=bent)
    found = cheapest(run, 4.0, expected, target, LONGEST, [])
    if isinstance(found, NotRun):
        # A wrong idea of the rate may cost all tries, never give an answer that is too good.
        assert abs(math.log(rate / expected)) > math.log(2)
        return
    assert found.error <= target
    assert len(asked) <= 9


def test_the_right_rate_leads_there_in_three_runs():
    run, asked = method(0.01 * 60**4, 4)
    found = cheapest(run, 20.0, 4, 0.01, LONGEST, [])
    assert 60 <= found.resolution < 64
    assert len(asked) <= 4


def test_the_next_target_goes_on_from_the_runs_before():
    run, asked = method(0.01 * 30**4, 4)
    trials: list[Trial] = []
    cheapest(run, 10.0, 4, 0.01, LONGEST, trials)
    before = len(asked)
    finer = cheapest(run, 10.0, 4, 0.001, LONGEST, trials)
    assert finer.error <= 0.001
    assert min(asked[before:]) > 30


def test_a_rival_ends_a_search_but_not_its_first_run():
    run, _ = method(0.01 * 30**4, 4)
    slow = cheapest(run, 40.0, 4, 0.01, LONGEST, [], rival=0.03)
    assert 30 <= slow.resolution < 32  # 40 takes 0.064 s, and shows that less is enough
    assert isinstance(cheapest(run, 20.0, 4, 0.01, LONGEST, [], rival=0.02), NotRun)


def test_no_run_is_made_that_is_out_of_reach():
    run, asked = method(1e4, 2)
    found = cheapest(run, 200.0, 2, 1e-3, 9.0, [])
    assert isinstance(found, NotRun)
    assert "would take about" in found.reason
    assert "unknowns" in found.reason
    assert max(asked) < math.sqrt(1e4 / 1e-3)


def test_what_takes_too_long_is_given_up():
    run, _ = method(1e4, 2, seconds=1.0)
    assert cheapest(run, 200.0, 2, 1e-3, 9.0, []) == NotRun("would take 8e+06 s")


@pytest.mark.parametrize("error", [math.nan, math.inf, 1.0])
def test_an_error_that_never_falls_ends_the_search(error):
    def run(resolution: float, longest: float) -> Trial:
        return Trial(resolution, 3, 1, 3, 1, error, 1e-9, 1.0, 1.0)

    assert isinstance(cheapest(run, 4.0, 2, 0.01, LONGEST, []), NotRun)
