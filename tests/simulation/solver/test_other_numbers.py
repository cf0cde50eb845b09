"""Numbers that go into the stepper that runs give the wave that a new stepper gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.simulation.solver.test_runner import drained, tell
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.problem import discretize_scene
from wavelab.physics.revision import revised
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.messages.events import LoadFailed
from wavelab.simulation.solver.commands import Load, TakeSteps
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.steppers import make_stepper

COMMON = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.12
order = 2
precision = "double"
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.25
"""
LIGHT = """
[initial]
ez = "exp(-((x - 0.3)^2 + (y - 0.3)^2) / 0.02)"
[[materials]]
name = "metal"
shape = "rectangle"
lower = [0.4, 0.4]
upper = [0.6, 0.6]
poles = [{ kind = "lorentz", frequency = 1.0, damping = 0.1, strength = 1.0 }]
"""
SOLID = """
[initial]
vx = "exp(-((x - 0.3)^2 + (y - 0.3)^2) / 0.02)"
[background]
density = 1
p_speed = 1
s_speed = 0.5
p_quality = 20
s_quality = 10
"""


def light() -> Scene:
    return parse_scene(COMMON + LIGHT)


def solid() -> Scene:
    return parse_scene('physics = "elastic"\n' + COMMON + SOLID)


def with_pole(scene: Scene, **numbers: float) -> Scene:
    (region,) = scene.materials
    poles = (replace(region.material.poles[0], **numbers),)
    other = replace(region, material=replace(region.material, poles=poles))
    return replace(scene, materials=(other,))


CHANGES = {
    "a pole": (light, lambda s: with_pole(s, frequency=1.3, strength=2.0)),
    "no pole": (light, lambda s: replace(s, materials=(replace(
        s.materials[0], material=replace(s.materials[0].material, poles=())),))),
    "a thicker layer": (light, lambda s: replace(
        s, walls=(replace(s.walls[0], thickness=0.33),))),
    "attenuation": (solid, lambda s: replace(
        s, background=replace(s.background, p_quality=8.0, s_quality=40.0))),
    "a fluid": (solid, lambda s: replace(
        s, background=replace(s.background, s_speed=0.0, s_quality=0.0))),
    "a thinner layer of a solid": (solid, lambda s: replace(
        s, walls=(replace(s.walls[0], thickness=0.18),))),
}  # fmt: skip


def after(scene: Scene, changed: Scene) -> tuple[list[np.ndarray], float, bool]:
    """All arrays after steps, a change and more steps, the energy that is booked, and whether the
    stepper is the same."""
    problem = discretize_scene(scene, mesh_scene(scene))
    runner = Runner(make=lambda *a, **k: make_stepper(*a, **k | {"backend": "opencl"}))
    tell(runner, Load(problem, 1))
    steps(runner, 25)
    stepper = runner.run.simulation.stepper
    tell(runner, Load(revised(problem, changed), 2, keep_field=True))
    runner.turn()
    assert not [e for e in drained(runner.events) if isinstance(e, LoadFailed)]
    kept = runner.run.simulation.stepper is stepper
    steps(runner, 15)
    fields = runner.run.simulation.state().fields
    runner.run.book()
    stored = runner.run.account.stored
    runner.close()
    return [*fields.arrays, *fields.auxiliary], stored, kept


def steps(runner: Runner, count: int) -> None:
    end = (0 if runner.run is None else runner.run.simulation.steps) + count
    tell(runner, TakeSteps(count))
    while runner.run is None or runner.run.simulation.steps < end:
        runner.turn()


@pytest.mark.parametrize("name", CHANGES)
def test_what_media_and_layers_remember_goes_on(name, monkeypatch):
    """Variables may mean something else under other numbers, and be of other elements."""
    make, change = CHANGES[name]
    scene = make()
    found, stored, kept = after(scene, change(scene))
    assert kept
    monkeypatch.setattr(OpenCLStepper, "set_operator", lambda *_: False)
    expected, stored_anew, kept = after(scene, change(scene))
    assert not kept
    assert stored == pytest.approx(stored_anew, rel=1e-9)
    for one, other in zip(found, expected, strict=True):
        assert np.abs(one - other).max(initial=0) <= 1e-9 * np.abs(other).max(initial=0)
