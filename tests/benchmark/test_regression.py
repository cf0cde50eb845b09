"""Shares of the limit are compared with recorded ones, like with like."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from wavelab.benchmark.regression import compare
from wavelab.benchmark.stages import StageRate, stage_rate
from wavelab.benchmark.work import stage_work
from wavelab.errors import WavelabError
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.device.limits import Limits

SCHEME = SCHEMES["ck54"]
LIMITS = Limits(copy_gbytes_per_s=100.0, fma_gflops=1000.0)


def rate(order: int = 3, seconds: float = 1e-3, variant: str = "aosoa") -> StageRate:
    return stage_rate("card", variant, "single", order, 1000, SCHEME, seconds, LIMITS)


@pytest.fixture
def recorded(tmp_path):
    def write(*rates: StageRate):
        path = tmp_path / "baseline.json"
        path.write_text(json.dumps([r.row() for r in rates]))
        return path

    return write


def test_a_rate_at_the_limit_has_a_share_of_one():
    for order in (1, 9):
        work = stage_work(order, "single", SCHEME)
        seconds = 1000 * max(work.bytes / 100e9, work.flops / 1000e9)
        assert rate(order, seconds).limit_share == pytest.approx(1)
        assert rate(order, 2 * seconds).limit_share == pytest.approx(0.5)


def test_rates_and_unknowns_follow_from_the_time():
    r, work = rate(4, seconds=2e-3), stage_work(4, "single", SCHEME)
    assert r.stage_us == pytest.approx(2000)
    assert r.gflops == pytest.approx(work.flops * 1000 / 2e-3 / 1e9)
    assert r.gbytes_per_s == pytest.approx(work.bytes * 1000 / 2e-3 / 1e9)
    assert r.unknowns_per_s == pytest.approx(3 * 15 * 1000 / (SCHEME.n_stages * 2e-3))


def test_a_share_may_fall_a_little_but_not_more(recorded):
    path = recorded(rate(seconds=1e-3), rate(order=4))
    (same,) = compare([rate(seconds=1.2e-3)], path)
    (slower,) = compare([rate(seconds=1.3e-3)], path)
    assert same.ok
    assert not slower.ok


def test_a_slower_device_with_the_same_share_passes(recorded):
    path = recorded(rate(seconds=1e-3))
    halved = Limits(LIMITS.copy_gbytes_per_s / 2, LIMITS.fma_gflops / 2)
    (found,) = compare([stage_rate("card", "aosoa", "single", 3, 1000, SCHEME, 2e-3, halved)], path)
    assert found.ok


def test_only_like_is_compared_with_like(recorded):
    path = recorded(rate(order=3), rate(order=5))
    found = compare([rate(order=3), rate(order=4), rate(order=5)], path)
    assert [c.rate.order for c in found] == [3, 5]
    for other in (
        rate(4),
        rate(variant="x"),
        replace(rate(), device="y"),
        replace(rate(), elements=9),
    ):
        with pytest.raises(WavelabError, match="nothing measured on this device"):
            compare([other], path)


@pytest.mark.parametrize("text", ["", "{", "[1]", "{}x", '[{"order": 1}]', "null", '"a"'])
def test_other_files_are_refused_with_how_to_make_one(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(WavelabError, match=r"no record(.|\n)*wavelab bench --json"):
        compare([rate()], path)
    with pytest.raises(WavelabError, match="cannot be read"):
        compare([rate()], tmp_path / "missing.json")
