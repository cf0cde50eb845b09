"""Resonances, convergence and sweeps by script: exact answers, and those of the commands."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import wavelab
from wavelab.cli import main
from wavelab.errors import OutputError, WavelabError

CAVITY = {
    "domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]},
    "parameters": {"n": {"value": 1, "range": [0.5, 4]}},
    "background": {"epsilon": "n^2"},
    "initial": {"ez": "sin(pi*x)*sin(pi*y)"},
    "probes": [{"name": "p", "position": [0.4, 0.3]}],
    "solver": {"element_size": 0.5, "order": 3, "until": 0.3},
}


@pytest.fixture
def cavity(tmp_path) -> wavelab.Scene:
    path = tmp_path / "cavity.toml"
    wavelab.Scene("Cavity", **CAVITY).save(path)
    return wavelab.Scene.load(path)


def test_resonances_are_those_of_a_square(cavity):
    found = wavelab.resonances(cavity.with_("n", 1.5), 4, order=6, progress=False)
    exact = np.sqrt([2, 5, 5, 8]) / 2 / 1.5
    np.testing.assert_allclose(found.frequencies, exact, rtol=1e-5)
    assert np.isinf(found.qualities).all()
    for how, said in (
        ({"band": (2, 1)}, "the band from 2 to 1"),
        ({"band": 3}, "is no band"),
        ({"band": ("low", "high")}, "lowest frequency is 'low'"),
        ({"n": 0}, "number of modes"),
        ({"n": 1000}, "1000 modes"),
        ({"order": "high"}, "order is no number"),
    ):
        with pytest.raises(WavelabError, match=said):
            wavelab.resonances(cavity, progress=False, **how)


def test_bands_are_those_of_the_command(capsys):
    found = wavelab.bands("crystal_square", "G X", 2, 3, order=3, progress=False)
    words = ["--path", "G X", "--points", "2", "--bands", "3", "--order", "3", "--json"]
    assert main(["bands", "crystal_square", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert found.frequencies.tolist() == told["frequencies"]
    assert found.k[-1] == pytest.approx([np.pi, 0])
    for how, said in (({"n": 0}, "number of bands"), ({"path": "Q"}, "no point|two points")):
        with pytest.raises(WavelabError, match=said):
            wavelab.bands("crystal_square", progress=False, **how)


def test_a_mode_of_the_bands_runs_in_a_simulation():
    """After three quarters of a period it is i times what it was."""
    scene = wavelab.Scene.load("crystal_square").with_("kx", 0.2).with_("ky", 0.1)
    bands = wavelab.bands(scene, "0.2,0.1 G", 1, 2, progress=False)
    hx, hy, ez = bands.fields(0, 1)
    period = 1 / bands.frequencies[0, 1]
    with wavelab.Simulation(scene, until=3 * period / 4, progress=False) as simulation:
        assert simulation.nodes[0].shape == ez.shape
        simulation.set_fields(hx=hx, hy=hy, ez=ez)
        np.testing.assert_allclose(simulation.field("ez").values, ez, atol=1e-6)
        simulation.run()
        assert np.abs(simulation.field("ez").values - 1j * ez).max() < 0.02


def test_bands_of_an_empty_cell_are_folded_light():
    cell = wavelab.Scene(
        domain=CAVITY["domain"],
        walls=[
            {"edges": ["domain.left", "domain.right"], "kind": "periodic"},
            {"edges": ["domain.bottom", "domain.top"], "kind": "periodic"},
        ],
        solver={"element_size": 0.5, "order": 4},
    )
    found = wavelab.bands(cell, "G X", points=2, n=2, progress=False)
    kx = np.array([0, 0.25, 0.5])
    np.testing.assert_allclose(found.frequencies, np.stack([kx, 1 - kx], axis=1), atol=1e-4)
    np.testing.assert_allclose(found.k[:, 0], 2 * np.pi * kx)


def test_convergence_is_that_of_the_command(cavity, capsys):
    found = wavelab.converge(cavity, 0.2, order=2, backend="numpy", progress=False)
    words = ["--until", "0.2", "--order", "2", "--backend", "numpy", "--json"]
    assert main(["converge", str(cavity.model.path), *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert found.rate == told["rate"] > 2.5
    assert [run.error for run in found.runs] == [run["error"] for run in told["runs"]]


def test_a_sweep_is_that_of_the_command_and_goes_on_with_its_table(cavity, tmp_path, capsys):
    over = {"n": [1.0, 1.25], "solver.order": np.array([2, 3])}
    measures = ["energy", "p.final"]
    quiet = {"backend": "numpy", "progress": False}
    table = tmp_path / "own.csv"
    found = wavelab.sweep(cavity, over, measures, table=table, workers=2, **quiet)
    words = ["--over", "n=1,1.25", "--over", "solver.order=2,3", "--backend", "numpy"]
    words += ["--measure", "energy", "--measure", "p.final", "--jobs", "2"]
    other = tmp_path / "command.csv"
    assert main(["sweep", str(cavity.model.path), *words, "-o", str(other)]) == 0
    capsys.readouterr()
    own, command = (list(csv.reader(path.open()))[1:] for path in (table, other))
    assert [[float(cell) for cell in row[:4]] for row in own] == [
        [float(cell) for cell in row[:4]] for row in command
    ]
    assert found["n"].tolist() == [1.0, 1.0, 1.25, 1.25]
    assert found["solver.order"].tolist() == [2.0, 3.0, 2.0, 3.0]
    assert found.units == {"energy": "", "p.final": "field"}
    assert not found.errors.any()
    # Each row is what a simulation of these values gives.
    with wavelab.Simulation(cavity.with_(**{"n": 1.25, "solver.order": 2}), **quiet) as run:
        run.run()
        assert found["energy"][2] == run.energy()
        assert found["p.final"][2] == run.probes["p"]["ez"][-1]
    # What is there is not run again: only two more rows, and none of those without.
    kept = table.read_text()
    table.write_text(kept.replace(repr(float(found["energy"][0])), "7.0"))
    more = wavelab.sweep(cavity, {**over, "n": [1.5, 1.0]}, measures, table=table, **quiet)
    assert more["n"].tolist() == [1.5, 1.5, 1.0, 1.0]
    assert more["energy"].tolist()[2:] == [7.0, found["energy"][1]]
    assert "energy" in repr(more)
    assert more._repr_html_().count("<tr>") == 5
    with pytest.raises(WavelabError, match="one name"):
        more.plot()


def test_runs_that_fail_are_rows_with_an_error(cavity):
    said: list[str] = []
    quiet = {"backend": "numpy", "progress": False, "notify": said.append}
    found = wavelab.sweep(cavity, {"n": [9.0, 1.0]}, "energy", workers=1, **quiet)
    assert np.isnan(found["energy"]).tolist() == [True, False]
    assert "range" in found.errors[0]
    assert found.errors[1] == ""
    assert said[0].startswith("n = 9.0: ")
    assert found.plot().pixels.shape == (600, 960, 3)
    with pytest.raises(KeyError, match="energy"):
        found["enrgy"]


@pytest.mark.parametrize(
    ("over", "measure", "said"),
    [
        ({}, "energy", "goes over nothing"),
        ({"n": []}, "energy", "no values"),
        ({"n": "1,2"}, "energy", "no values"),
        ({"m": [1]}, "energy", "no parameter m"),
        ({"n": [1, 2]}, "enrgy", "nothing measures enrgy"),
        ({"n": [1, 2]}, [], "nothing says what to measure"),
        ({"n": [{}]}, "energy", "cannot be of the type dict"),
        ({"n": 3}, "energy", "no values"),
        ("n", "energy", "goes over nothing"),
        ({"n": [1]}, 3, "nothing says what to measure"),
    ],
)
def test_what_cannot_be_swept_is_said_before_the_first_run(cavity, over, measure, said):
    with pytest.raises(WavelabError) as caught:
        wavelab.sweep(cavity, over, measure)
    assert said in str(caught.value)
    assert caught.value.remedy


def test_neither_functions_nor_other_tables_can_be_swept(cavity, tmp_path):
    with pytest.raises(WavelabError, match="Python function"):
        wavelab.sweep(cavity.with_("background.epsilon", lambda x, y: 2 + x), {"n": [1]}, "energy")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(OutputError, match="no table of a sweep"):
        wavelab.sweep(cavity, {"n": [1]}, "energy", table=tmp_path / "other.csv")
    with pytest.raises(WavelabError, match="workers"):
        wavelab.sweep(cavity, {"n": [1]}, "energy", workers=0)
