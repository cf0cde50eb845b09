"""``--until decayed``: the option, the scene file, ``--set`` and programs say the same."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.sample_scenes import boxed
from wavelab.api.scene import Scene
from wavelab.api.simulation import Simulation
from wavelab.api.sweeps import sweep
from wavelab.simulation.headless.checkpoints import schedule

OPEN = boxed(
    "Box that a wave leaves",
    """\
[initial]
ez = "exp(-((x - 0.5)^2 + (y - 0.5)^2)/0.02)"

[[walls]]
kind = "absorbing"
edges = ["domain"]

[[probes]]
name = "p"
position = [0.3, 0.4]

[solver]
element_size = 0.4
order = 2
UNTIL
""",
)
TOLD = ("time", "steps", "dt", "energy", "probes")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same scene, with and without its word for the end."""
    made = {}
    for name, until in (("fixed", "until = 0.5"), ("waits", 'until = "decayed"')):
        made[name] = tmp_path / f"{name}.toml"
        made[name].write_text(OPEN.replace("UNTIL", until))
    return made


def ran(wavelab, *words: object) -> dict[str, Any]:
    status, out, err = wavelab("run", *words, "--backend", "numpy", "--json")
    assert status == 0, err
    found = json.loads(out)
    return {key: found[key] for key in TOLD}


@pytest.mark.parametrize("part", [(), ("--decayed", "1e-3")], ids=["usual", "part"])
def test_option_file_and_setting_say_the_same(wavelab, files, part):
    right = ran(wavelab, files["waits"], *part)
    energy = right["energy"]
    assert energy["final"] <= (float(part[1]) if part else 1e-6) * energy["initial"]
    assert right["time"] > 0.5
    assert ran(wavelab, files["fixed"], "--until", "decayed", *part) == right
    assert ran(wavelab, files["fixed"], "--set", "solver.until=decayed", *part) == right


def test_the_part_of_the_scene_stays(wavelab, files):
    files["fixed"].write_text(files["fixed"].read_text() + "decayed = 0.01\n")
    found = ran(wavelab, files["fixed"], "--until", "decayed")
    assert found == ran(wavelab, files["waits"], "--decayed", "0.01")


def test_programs_say_the_same(wavelab, files):
    scene = Scene.load(files["fixed"]).solved(until="decayed")
    waits = Scene.load(files["waits"])
    assert scene.model.solver == waits.model.solver
    assert Scene.load(files["fixed"]).with_("solver.until", "decayed").model == scene.model
    with Simulation(files["fixed"], until="decayed", backend="numpy") as run:
        assert run.run().time == ran(wavelab, files["waits"])["time"]


def test_a_sweep_waits_in_each_run(wavelab, files, tmp_path):
    table = tmp_path / "t.csv"
    over = {"solver.order": [1, 2]}
    status, _, err = wavelab(
        "sweep", files["fixed"], "--over", "solver.order=1,2", "--until", "decayed", "--decayed",
        "1e-2", "--measure", "time", "-o", table, "--backend", "numpy", "--jobs", "1",
    )  # fmt: skip
    assert status == 0, err
    with table.open(newline="") as file:
        times = [float(row["time"]) for row in csv.DictReader(file)]
    for order, time in zip((1, 2), times, strict=True):
        part = ("--decayed", "1e-2", "--order", order)
        assert ran(wavelab, files["waits"], *part)["time"] == time
    # The same sweep of a program goes on with the table, all of which is there.
    again = sweep(files["fixed"], over, "time", table=table, until="decayed", decayed=1e-2,
                  backend="numpy")  # fmt: skip
    assert list(again["time"]) == times


def test_a_comparison_ends_where_the_wave_does(wavelab, files):
    words = ("--with", "order=3", "--backend", "numpy", "--json")
    status, out, err = wavelab("compare", files["fixed"], "--until", "decayed", *words)
    assert status == 0
    end = ran(wavelab, files["waits"])["time"]
    assert json.loads(out)["until"] == pytest.approx(end, rel=1e-12)
    assert f"both are run to t = {end:.6g}" in err


class Killed(BaseException):
    """In the place of SIGKILL."""


def test_a_run_that_goes_on_waits_too(wavelab, files, tmp_path, monkeypatch):
    begun, kept = tmp_path / "begun.h5", tmp_path / "kept.h5"
    usual = schedule.write_state

    def killed(*given: Any) -> None:
        usual(*given)
        raise Killed

    words = ("--until", "decayed", "--checkpoint", begun, "--every", 1e-9)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(schedule, "write_state", killed)
        ran(wavelab, files["fixed"], *words)
    right = ran(wavelab, files["waits"])
    for again in ((), (files["fixed"], "--until", "decayed"), (files["waits"],)):
        shutil.copy(begun, kept)  # which a run that has ended removes
        assert ran(wavelab, *again, "--resume", kept) == right
    shutil.copy(begun, kept)
    status, _, err = wavelab("run", files["fixed"], "--until", "9", "--resume", kept)
    assert status == 2
    assert "other options" in err


def test_what_cannot_wait_says_so(wavelab, files, tmp_path):
    status, _, err = wavelab("run", files["fixed"], "--until", "gone")
    assert (status, "'gone' is not a number" in err) == (2, True)
    mesh = tmp_path / "mesh.msh"
    status, _, err = wavelab("mesh", files["fixed"], "-o", mesh)
    assert status == 0, err
    text = files["fixed"].read_text()
    head, tail = text.split("[domain]")[0], text.split("[initial]")[1]
    solver = tail.split("[[walls]]")[0] + "[solver]\nuntil = 1\n"
    scene = tmp_path / "meshed.toml"
    scene.write_text(f'{head}[domain]\nmesh = "mesh.msh"\n[initial]{solver}')
    status, _, err = wavelab("run", scene, "--until", "decayed", "--backend", "numpy")
    assert status == 2
    assert "only the mesh file knows how large" in err
    assert "until = 500, decayed = 1e-06" in err
