"""Both methods reach what is asked of them on small rooms, and say so when they cannot."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.benchmark.versus import galerkin
from wavelab.benchmark.versus.modes import cavity, disk
from wavelab.benchmark.versus.versus import Contest, compete, contests
from wavelab.opencl.yee import YeeConfig, YeeStepper

pytestmark = pytest.mark.usefixtures("hurried")


@pytest.fixture(autouse=True)
def one_shape(monkeypatch):
    monkeypatch.setattr(YeeStepper, "_fastest", lambda self: YeeConfig(True, 4, 8, (1,)))


def test_galerkin_converges_with_its_order_on_straight_walls(device):
    errors = [
        galerkin.run_galerkin(
            cavity(2, 1), 1, 3, resolution, precision="double", device=device, longest=60
        ).error
        for resolution in (4, 8)
    ]
    assert np.log2(errors[0] / errors[1]) > 3.3


def test_elements_that_follow_the_circle_keep_their_order_on_a_disk(device):
    errors = [
        galerkin.run_galerkin(
            disk(), 1, 5, resolution, precision="double", device=device, longest=60
        ).error
        for resolution in (12, 24)
    ]
    assert np.log2(errors[0] / errors[1]) > 5.5


def test_each_method_gets_its_cheapest_run():
    told: list[str] = []
    contest = Contest(cavity(3, 2), 1, staircase=False)
    entries = list(
        compete([contest], targets=(0.05, 0.01), orders=(2, 4), longest=20, notify=told.append)
    )
    assert [(e.target, e.method) for e in entries] == [
        (0.05, "fdtd"), (0.05, "dg"), (0.01, "fdtd"), (0.01, "dg"),
    ]  # fmt: skip
    for entry in entries:
        assert entry.case == "cavity (3,2)"
        assert entry.trial is not None, entry.reason
        assert entry.trial.error <= entry.target
        assert (entry.trial.order in (2, 4)) == (entry.method == "dg")
        assert entry.limit_share > 0
    assert any(line.startswith("fdtd") for line in told)
    assert any(line.startswith("dg, order 4") for line in told)


def test_a_target_beyond_the_limits_is_reported():
    (fdtd, dg) = compete(
        [Contest(cavity(3, 2), 1, staircase=False)], targets=(0.01,), orders=(3,), longest=1e-9
    )
    for entry in (fdtd, dg):
        assert entry.trial is None
        assert "would take" in entry.reason
    assert "order 3" in dg.reason


def test_what_is_run_are_the_square_for_long_and_short_and_the_disk():
    assert [(c.mode.name, c.periods) for c in contests()] == [
        ("cavity (25,10)", 10), ("cavity (25,10)", 100), ("disk (6,2)", 10),
    ]  # fmt: skip
