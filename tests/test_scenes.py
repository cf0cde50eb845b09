"""Every shipped scene runs headless and gives its pinned number, also when it is run again.

The number is the energy at time 1.5 in double precision (earlier in large scenes), which depends on
every field everywhere, and so shows too that a scene always has the same mesh and time step.  As
many scenes as have every kind of everything among them run twice, with the same result to the last
bit; all of them: EVERY=all pytest tests/test_scenes.py

A change of a scene, the mesher, the kernels or the time step moves it; then look at the picture,
and pin the new one with

    python -m tests.test_scenes NAME ...

or all of them anew, without names.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from functools import cache
from pathlib import Path

import pytest

from tests import products
from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics.notices.resolution import judgement, points_per_wavelength
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.summary import Summary, as_json

PINNED = Path(__file__).with_name("scene_energies.json")
NAMES = sorted(path.stem for path in SCENES.glob("*.toml"))


UNTIL = 1.5
#: Large scenes end earlier: by then there is wave in all that they have.
EARLIER = {"marine_seismics": 0.6, "diving_waves": 1.0} | dict.fromkeys(
    ("brewster", "brewster_te", "grating", "seismic_section", "shore", "snell", "zone_plate"), 0.75
)


def run(name: str, times: int = 1) -> list[Summary]:
    until = EARLIER.get(name, UNTIL)
    options = BatchOptions(until=until, precision="double", progress=False)
    scene = options.applied(load_scene(SCENES / f"{name}.toml"))
    problem = discretize_scene(scene, mesh_scene(scene))
    assert not [text for text in problem.notices if "points per wavelength" in text]
    return [run_problem(problem, options) for _ in range(times)]


def kinds(thing: object) -> set[str]:
    """Of all that a scene has in it, and its waves, order and stepper."""
    found: set[str] = set()
    if isinstance(thing, Scene):
        found |= {thing.physics, str(thing.solver.order), thing.solver.stepper}
    if dataclasses.is_dataclass(thing):
        found.add(type(thing).__name__)
        thing = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
    if isinstance(thing, (list, tuple)):
        found |= set[str]().union(*map(kinds, thing))
    return found


@cache
def repeated() -> set[str]:
    """Scenes that have all kinds among them, few of them."""
    having = {name: kinds(load_scene(SCENES / f"{name}.toml")) for name in NAMES}
    chosen, left = set[str](), set[str]().union(*having.values())
    while left:
        chosen.add(most := max(having, key=lambda name: len(having[name] & left)))
        left -= having[most]
    return set(NAMES) if products.ALL else chosen


@pytest.mark.parametrize("name", NAMES)
def test_scene_gives_its_number_each_time(name):
    summaries = run(name, 2 if name in repeated() else 1)
    for summary in summaries:
        del summary["wall_s"]
    first, *others = summaries
    assert first["energy"]["final"] > 0
    assert all(as_json(first) == as_json(other) for other in others)
    assert first["energy"]["final"] == pytest.approx(json.loads(PINNED.read_text())[name], rel=1e-6)


def test_a_good_part_of_the_scenes_is_run_again():
    assert len(repeated()) >= 15


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
