"""Every shipped scene runs headless, twice with the same result, and gives its pinned number.

The number is the energy at time 1.5 in double precision, which depends on every field everywhere,
and so shows too that a scene always has the same mesh and time step: both runs share them.
A change of a scene, the mesher, the kernels or the time step moves it; then look at the picture,
and pin the new one with

    python -m tests.test_scenes NAME ...

or all of them anew, without names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics.notices.resolution import judgement, points_per_wavelength
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.summary import Summary, as_json

PINNED = Path(__file__).with_name("scene_energies.json")
NAMES = sorted(path.stem for path in SCENES.glob("*.toml"))


OPTIONS = BatchOptions(until=1.5, precision="double", progress=False)


def run(name: str, times: int = 1) -> list[Summary]:
    scene = OPTIONS.applied(load_scene(SCENES / f"{name}.toml"))
    problem = discretize_scene(scene, mesh_scene(scene))
    assert not [text for text in problem.notices if "points per wavelength" in text]
    return [run_problem(problem, OPTIONS) for _ in range(times)]


@pytest.mark.parametrize("name", NAMES)
def test_scene_gives_its_number_twice(name):
    first, second = run(name, times=2)
    for summary in (first, second):
        del summary["wall_s"]
    assert as_json(first) == as_json(second)
    assert first["energy"]["final"] == pytest.approx(json.loads(PINNED.read_text())[name], rel=1e-6)


def test_the_scene_one_sees_first_is_well_resolved():
    scene = load_scene(SCENES / "welcome.toml")
    found = points_per_wavelength(discretize_scene(scene, mesh_scene(scene)).operator, 4.0)
    assert judgement(scene.solver.order, found.points) == "good"


def test_nothing_is_pinned_that_is_not_shipped():
    assert sorted(json.loads(PINNED.read_text())) == NAMES


if __name__ == "__main__":
    energies = json.loads(PINNED.read_text())
    energies |= {name: run(name)[0]["energy"]["final"] for name in sys.argv[1:] or NAMES}
    shipped = {name: energies[name] for name in NAMES if name in energies}
    PINNED.write_text(json.dumps(shipped, indent=2) + "\n")
