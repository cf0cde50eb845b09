"""``wavelab bench`` as typed."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest

from wavelab import paths
from wavelab.benchmark import steppers
from wavelab.benchmark.meshes import square_mesh
from wavelab.benchmark.stages import conducting_room
from wavelab.benchmark.versus import versus
from wavelab.benchmark.versus.modes import cavity
from wavelab.cli import main
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants import tuned
from wavelab.opencl.variants.tuned import best_config
from wavelab.opencl.yee import YeeConfig, YeeStepper

pytestmark = pytest.mark.usefixtures("hurried")
SMALL = ("--orders", "1-2", "--elements", "50")
KEYS = {
    "device", "design", "precision", "order", "elements", "stepper", "n_stages", "stage_us",
    "gflops", "gbytes_per_s", "limit_share", "copy_gbytes_per_s", "fma_gflops",
}  # fmt: skip


@pytest.fixture
def bench(capsys):
    def call(*words: object) -> tuple[int, str, str]:
        status = main(["bench", *map(str, words)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


@pytest.fixture
def tiny_contest(monkeypatch):
    monkeypatch.setattr(YeeStepper, "_fastest", lambda self: YeeConfig(True, 4, 8, (1,)))
    monkeypatch.setattr(
        versus, "contests", lambda: [versus.Contest(cavity(2, 1), 1, staircase=False)]
    )


@pytest.mark.parametrize("precision", ["single", "double"])
def test_json_is_a_list_with_a_row_for_each_order(bench, precision):
    status, out, _ = bench(*SMALL, "--precision", precision, "--json")
    assert status == 0
    rows = json.loads(out)
    assert {row["order"] for row in rows} == {1, 2}
    for row in rows:
        assert set(row) == KEYS
        assert row["precision"] == precision
        assert row["elements"] == 50
        assert row["stage_us"] > 0


def test_a_table_for_people(bench):
    status, out, _ = bench(*SMALL, "--designs", "interleaved")
    assert status == 0
    head, limits, names, *rows = out.splitlines()
    assert "50 elements" in head
    assert "GB/s moved" in limits
    assert names.split()[:2] == ["variant", "order"]
    assert [row.split()[:2] for row in rows] == [["aosoa", "1"], ["aosoa", "2"]]


def test_a_share_that_fell_gives_status_1(bench, tmp_path):
    rows = json.loads(bench(*SMALL, "--json")[1])
    path = tmp_path / "baseline.json"
    for factor, expected in ((1e-6, 0), (1e6, 1)):
        path.write_text(
            json.dumps([row | {"limit_share": row["limit_share"] * factor} for row in rows])
        )
        status, _, err = bench(*SMALL, "--check", path)
        assert status == expected
        assert ("slower: aosoa, order 2" in err) == bool(expected)


def test_tuning_is_remembered(bench, monkeypatch, tmp_path, device):
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)
    configs = [KernelConfig(8, 8, rows=1, tile=tile) for tile in (4, 2)]
    monkeypatch.setattr(tuned, "candidate_configs", lambda device, **case: configs)
    status, out, _ = bench("--tune", "--orders", "2", "--elements", "200", "--json")
    assert status == 0
    (row,) = json.loads(out)
    assert row["case"]["order"] == 2
    assert row["n_timed"] == 2
    assert row["shape"] in [asdict(config) for config in configs]
    operator, _, _ = conducting_room(square_mesh(200), 2)
    assert asdict(best_config(operator, device, np.dtype(np.float32))) == row["shape"]
    assert list(tmp_path.iterdir())
    status, out, _ = bench("--tune", "--orders", "1", "--elements", "200")
    assert status == 0
    assert out.splitlines()[2].split()[:3] == ["1", "small", "2"]


def test_a_plot_is_drawn(bench, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "plot.png"
    assert bench(*SMALL, "--plot", path)[0] == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    status, _, err = bench(*SMALL, "--plot", tmp_path / "plot.xyz")
    assert status == 2
    assert ".svg" in err


def test_a_plot_that_cannot_be_written_is_refused_before_measuring(bench, tmp_path):
    status, out, err = bench(*SMALL, "--plot", tmp_path / "nowhere" / "plot.png")
    assert status == 2
    assert not out
    assert "there is no directory" in err


def test_a_plot_without_matplotlib_names_the_extra_before_measuring(bench, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("wavelab.benchmark.stages.measure_limits", lambda *a: pytest.fail("ran"))
    status, out, err = bench(*SMALL, "--plot", tmp_path / "plot.png")
    assert status == 2
    assert "wavelab[bench]" in err
    assert not out


@pytest.mark.usefixtures("tiny_contest")
def test_the_contest_prints_both_methods_whoever_wins(bench):
    status, out, err = bench("--versus", "fdtd", "--orders", "3-4", "--json")
    assert status == 0
    rows = json.loads(out)
    assert [(row["method"], row["target"]) for row in rows] == [
        ("fdtd", 0.01), ("dg", 0.01), ("fdtd", 0.001), ("dg", 0.001),
    ]  # fmt: skip
    for row in rows:
        assert row["met"]
        assert row["error"] <= row["target"]
        assert min(row["seconds"], row["unknowns"], row["limit_share"]) > 0
    assert "cells across: error" in err

    status, out, _ = bench("--versus", "fdtd", "--orders", "3")
    assert status == 0
    assert out.count("times faster") == 2
    assert "dg N=3" in out


@pytest.mark.usefixtures("tiny_contest")
def test_what_was_not_reached_is_said(bench):
    status, out, _ = bench("--versus", "fdtd", "--orders", "3", "--longest", "1e-9")
    assert status == 0
    assert out.count("not reached: ") == 4
    assert "neither" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--designs", "fast"), "aosoa"),
        (("--elements", "0"), "from 2 to"),
        (("--orders", "0-3"), "order from 1"),
        (("--device", "nonexistent"), "no device fits"),
        (("--longest", "-1"), "positive"),
        (("--versus", "fem"), "fdtd"),
    ],
)
def test_mistakes_are_named(bench, words, said):
    status, out, err = bench(*SMALL, *words)
    assert status == 2
    assert said in err
    assert not out


def test_steppers_are_compared(bench, monkeypatch):
    monkeypatch.setattr(steppers, "_MODES", {1: 2, 2: 2})
    monkeypatch.setattr(steppers, "REFINEMENTS", (0.5,))
    monkeypatch.setattr(steppers, "PERIODS", 1)
    status, out, _ = bench("--steppers", *SMALL, "--json")
    rows = json.loads(out)
    assert status == 0
    assert [(r["order"], r["stepper"]) for r in rows] == list(
        product((1, 2), (*SCHEMES, "ader", "local"))
    )
    for r in rows:
        assert r["cost"] > 0
        assert r["error"] > 0.9 * r["space_error"]
        assert r["stages_per_time"] == pytest.approx(r["n_stages"] / (0.9 * r["stable_step"]))
        assert (r["cost"] == 1) or r["stepper"] != "ck54"
    status, out, _ = bench("--steppers", *SMALL, "--upwinding", "0")
    assert "upwinding 0" in out
    assert out.count("*") == 2


def test_a_larger_error_is_paid_for_by_smaller_elements():
    """Twice the error at order 2: elements smaller by 2^(1/3), so twice as many cells and steps."""
    assert steppers._at_equal_error(1.0, 2.0, 2) == pytest.approx(2)
    assert steppers._at_equal_error(1.0, 0.9, 2) == 1


def test_local_steps_are_measured(bench):
    status, out, _ = bench("--local", *SMALL, "--json")
    assert status == 0
    found = json.loads(out)
    assert {entry["mesh"] for entry in found} == {"even", "small"}
    assert all(entry["fewer_updates"] >= 1 and entry["local_seconds"] > 0 for entry in found)
    status, out, _ = bench("--local", *SMALL)
    assert "fewer updates" in out
