"""Waves of every system run as their textbooks say: which way, how fast and with which signs, and
under their own names in every file."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace

import h5py
import numpy as np
import pytest

from tests.sample_systems import SAMPLES, SCALAR
from wavelab.cli import main
from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS, system_of
from wavelab.scene.toml.toml_io import dump_scene, load_scene, parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import make_stepper
from wavelab.simulation.views.views import view


def plane_wave(physics: str) -> str:
    """A sine that runs to the right and up through a periodic room, from a text with its answer."""
    sample = SAMPLES[physics]
    wave_number = 2 * math.pi * math.hypot(2, 1)

    def table(name: str, phase: str) -> str:
        f = f"cos(2*pi*(2*x + y){phase})"
        words = {
            "f": f,
            "cos": f"{2 / math.hypot(2, 1)!r}",
            "sin": f"{1 / math.hypot(2, 1)!r}",
            "g": f"{f}/{sample.impedance!r}",
        }
        lines = [f"[{name}]"]
        for field, text in sample.wave.items():
            factors = [words[word] for word in text.lstrip("-").split("*")]
            minus = "-" if text.startswith("-") else ""
            lines.append(f'{field} = "{minus}{"*".join(factors)}"')
        return "\n".join(lines)

    return f"""
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
{sample.medium}
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[[probes]]
name = "p"
position = [0.3, 0.4]
[[monitors]]
name = "row"
kind = "line"
vertices = [[0.2, 0.3], [0.8, 0.3]]
count = 3
quantity = "{list(sample.wave)[1]}"
[[monitors]]
name = "out"
kind = "flux"
vertices = [[0.5, 0.1], [0.5, 0.9]]
[[monitors]]
name = "map"
kind = "field"
frequencies = [1.5]
{table("initial", "")}
{table("exact", f" - {wave_number * sample.speed!r}*t")}
[solver]
element_size = 0.15
order = 5
until = 0.4
precision = "double"
"""


@pytest.mark.parametrize("physics", SCALAR)
def test_a_plane_wave_runs_with_the_signs_and_the_speed_of_its_field(physics):
    scene = parse_scene(plane_wave(physics))
    problem = discretize_scene(scene, mesh_scene(scene))
    steps = problem.steps_to_end()
    stepper = make_stepper(
        problem.operator, dt=scene.solver.until / steps, scheme=problem.scheme, backend="numpy"
    )
    simulation = Simulation(problem, stepper)
    simulation.advance(steps)
    errors = field_errors(problem, stepper.fields(), simulation.time)
    assert set(errors) == {"hx", "hy", "ez"}
    impedance = SAMPLES[physics].impedance
    for error in errors.values():
        assert error.l2 < 2e-4 * max(1.0, impedance, 1 / impedance)
    # What is shown has the signs of the formulas.
    system, d = system_of(scene), problem.discretization
    for name, shown in system.shown.items():
        if name == "h":
            continue
        formula = getattr(scene.exact, shown.key)
        right = formula.evaluate(x=d.x, y=d.y, t=simulation.time)
        assert np.abs(view(simulation, name) - right).max() < 1e-2 * np.abs(right).max()
    # Energy flows to the right, and up.
    assert simulation.measured()[1].arrays["power"].mean() > 0
    simulation.close()


@pytest.mark.parametrize("physics", SCALAR)
def test_every_file_has_the_names_of_its_field(physics, tmp_path, capsys):
    path = tmp_path / "wave.toml"
    path.write_text(plane_wave(physics))
    system = SYSTEMS[physics]
    keys = {system.scalar.key, system.x.key, system.y.key}
    others = {s.key for kind in SYSTEMS.values() for s in (kind.scalar, kind.x, kind.y)} - keys
    files = {
        option: tmp_path / f"out{number}.{ending}"
        for number, (option, ending) in enumerate(
            [("--probes", "csv"), ("--monitors", "h5"), ("--snapshot", "h5")]
        )
    }
    base = ["run", str(path), "--backend", "numpy", "--until", "0.1", "--order", "2", "--json"]
    options = [str(word) for pair in files.items() for word in pair]
    assert main([*base, "--quantity", system.size.key, *options]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["physics"] == physics
    assert set(summary["error"]) == keys
    assert system.scalar.key in summary["probes"]["p"]
    assert {f"largest_{key}" for key in keys} < set(summary["monitors"]["map"])
    with h5py.File(files["--snapshot"]) as file:
        assert keys < set(file)
        assert not others & set(file)
    with h5py.File(files["--monitors"]) as file:
        found: set[str] = set()
        file.visit(lambda name: found.add(name.rpartition("/")[2]))
        assert keys < found
        assert not others & found
    assert main([*base, "--snapshot", str(tmp_path / "f.vtu"), "--monitors",
                 str(tmp_path / "m.csv")]) == 0  # fmt: skip
    told = (tmp_path / "f.vtu").read_bytes()
    for shown in (system.scalar, system.x, system.y):
        assert f'Name="{shown.symbol}"'.encode() in told
    with next(tmp_path.glob("m_row*.csv")).open() as file:
        heads = next(csv.reader(file))
    assert any(system.x.key in head for head in heads)
    assert not others & set(heads)


@pytest.mark.parametrize("physics", SCALAR)
@pytest.mark.parametrize("other", SCALAR)
def test_a_scene_that_is_switched_and_switched_back_has_the_same_wave(physics, other):
    """The solver's coefficients, walls and fields stay, but for what notes name."""
    scene = replace(parse_scene(plane_wave(physics)), exact=None)
    there, notes = switched(scene, other)
    back, _ = switched(parse_scene(dump_scene(there)), physics)
    polarizations = {physics, other} == {"light", "te"}
    for name in ("epsilon", "mu"):
        before, after, again = (s.background.coefficient(name) for s in (scene, there, back))
        assert again == pytest.approx(before) or any("impedance" in note for note in notes)
        assert polarizations or after == pytest.approx(before) or "another" in " ".join(notes)
    speed = [s.background.coefficient("epsilon") * s.background.coefficient("mu") for s in
             (scene, there, back)]  # fmt: skip
    assert speed == pytest.approx([speed[0]] * 3)
    for field in ("ez", "hx", "hy"):
        at = {"x": 0.3, "y": 0.8}
        values = [float(getattr(s.initial, field).evaluate(**at)) for s in (scene, there, back)]
        assert values == pytest.approx([values[0]] * 3)
    assert [type(wall) for wall in back.walls] == [type(wall) for wall in scene.walls]


@pytest.mark.parametrize("other", SYSTEMS)
def test_every_shipped_scene_can_be_switched_and_is_a_scene_then(other):
    """Also from and to elastic waves, which keep less of it and say so."""
    for path in SCENES.glob("*.toml"):
        there, _ = switched(load_scene(path), other)
        assert check_scene(there).physics == other
        assert dump_scene(parse_scene(dump_scene(there), path)) == dump_scene(there)
        assert other != "elastic" or there.solver.stepper != "local"


def test_what_records_a_component_that_is_the_scalar_records_that():
    text = plane_wave("light") + (
        '[[probes]]\nposition = [0.3, 0.3]\nquantity = "hy"\n'
        '[[monitors]]\nkind = "line"\nvertices = [[0.1, 0.1], [0.9, 0.9]]\nquantity = "hy"\n'
    )
    scene = replace(parse_scene(text), exact=None)
    there, _ = switched(scene, "elastic")
    recorders = there.probes[-1], there.monitors[-1]
    assert [item.quantity for item in recorders] == ["ez", "ez"]
    discretize_scene(there, mesh_scene(there))
    with pytest.raises(ItemError, match='records "hy", which physics = "elastic"'):
        check_scene(replace(there, probes=scene.probes))


@pytest.mark.parametrize("physics", SCALAR)
def test_a_plane_wave_comes_in_through_edges_with_the_amplitude_that_it_is_given(physics):
    """Also where a displacement follows the fields everywhere."""
    scene = parse_scene(f"""
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 0.3]
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"
[[sources]]
kind = "plane_wave"
direction = 0
edges = ["domain.left", "domain.right"]
amplitude = 0.7
waveform = {{ kind = "gaussian", width = 0.1, delay = 0.6 }}
[[probes]]
name = "p"
position = [0.5, 0.15]
[solver]
element_size = 0.1
""")
    problem = discretize_scene(scene, mesh_scene(scene))
    stepper = make_stepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, backend="numpy"
    )
    simulation = Simulation(problem, stepper)
    times, values = simulation.advance(math.ceil(1.6 / problem.dt_max))
    simulation.close()
    expected = 0.7 * np.exp(-(((times - 0.5 - 0.6) / 0.1) ** 2) / 2)
    assert np.abs(values[:, 0] - expected).max() < 2e-3
