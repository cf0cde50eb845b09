"""A stepper that is given other numbers goes on as one that is made with them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from tests.products import ALL
from tests.sample_kinds import EVERY, SCENES
from wavelab.errors import DeviceError, FormulaError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised
from wavelab.physics.stepper import quantities_of
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, MaterialRegion, Scene
from wavelab.scene.model.shapes import Rectangle

#: One for each way in which numbers reach kernels; all of them: EVERY=all pytest tests/opencl
KINDS = (
    EVERY
    if ALL
    else [
        ("wall", "open"), ("phase", "periodic"), ("source", "plane_wave"), ("pole", "lorentz"),
        ("formula", "epsilon"), ("formula", "sigma"), ("medium", "crystal"), ("medium", "kerr"),
        ("system", "elastic"), ("system", "te"), ("domain", "ellipse"), ("source", "moving"),
    ]
)  # fmt: skip
_NUMBERS = ("epsilon", "density", "depth", "p_speed", "speed", "index")


def changed(scene: Scene, n: int) -> Scene:
    """Media with other numbers, and other fluxes."""
    medium: Any = scene.background
    turned = {
        f.name: old * (1 + 0.1 * n)
        for f in fields(medium)
        if f.name in _NUMBERS and isinstance(old := getattr(medium, f.name), float)
    }
    solver = replace(scene.solver, upwinding=0.9 - 0.1 * n)
    return replace(scene, background=replace(medium, **turned), solver=solver)


def stepper_of(problem: Problem, **how: Any) -> OpenCLStepper:
    stepper = OpenCLStepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, precision="double", **how
    )
    stepper.set_auxiliary_equations(problem.auxiliary_equations)
    stepper.set_source_terms(problem.source_terms)
    return stepper


def goes_over(stepper: OpenCLStepper, problem: Problem) -> bool:
    if not stepper.set_operator(problem.operator, problem.auxiliary_equations, problem.dt_max):
        return False
    stepper.set_source_terms(problem.source_terms)
    return True


def assert_alike(one: OpenCLStepper, other: OpenCLStepper, within: float = 1e-12) -> None:
    assert (one.dt, one.time, one.steps) == pytest.approx((other.dt, other.time, other.steps))
    found, expected = one.fields(), other.fields()
    scale = max(np.abs(a).max() for a in expected.arrays)
    assert scale > 0
    for a, b in zip(found.arrays, expected.arrays, strict=True):
        assert np.abs(a - b).max() <= within * scale
    for a, b in zip(found.auxiliary, expected.auxiliary, strict=True):
        assert np.abs(a - b).max(initial=0) <= within * max(1.0, np.abs(b).max(initial=0))
    energies = one.element_energy(), other.element_energy()
    assert np.abs(np.subtract(*energies)).max() <= within * energies[1].max()
    for quantity in quantities_of(type(found)):
        views = one.view(quantity), other.view(quantity)
        assert np.abs(np.subtract(*views)).max() <= max(1e-6, within) * max(
            1e-9, np.abs(views[1]).max()
        )


@pytest.fixture
def steppers():
    """To be closed."""
    made: list[OpenCLStepper] = []
    yield made
    for stepper in made:
        stepper.close()


def problems(scene: Scene) -> tuple[Problem, Problem]:
    """Of a scene, and of one with other numbers."""
    first = discretize_scene(changed(scene, 0), mesh_scene(scene))
    return first, revised(first, changed(scene, 1))


CASES = [(*kind, False) for kind in KINDS] + [(*kind, True) for kind in KINDS[: None if ALL else 3]]


@pytest.mark.parametrize(("group", "kind", "together"), CASES)
def test_it_steps_as_one_that_is_made_with_the_numbers(group, kind, together, steppers):
    kinds, of = SCENES[group]
    scene = of(kinds[kind])
    scene = replace(scene, solver=replace(scene.solver, order=2, until=1.0))
    before, after = problems(scene)
    groups = 1 if together else 0
    running = stepper_of(before, groups=groups)
    steppers.append(running)
    running.set_fields(before.initial)
    running.advance(5)
    fields_then = running.fields()
    assert goes_over(running, after)
    made = stepper_of(after, groups=groups)
    steppers.append(made)
    made.set_fields(fields_then)
    made.set_clock(running.time, running.steps)
    # What becomes of D where media are no constants is what a new stepper makes of the fields.
    assert_alike(running, made)
    for stepper in (running, made):
        stepper.advance(6)
    assert running._persistent.works == made._persistent.works
    assert_alike(running, made, 1e-10)
    assert goes_over(running, before)
    assert running.dt == before.dt_max


def test_what_is_written_otherwise_takes_another_stepper(steppers):
    """The upwind flux exchanges one wave per node and another flux two fields."""
    kinds, of = SCENES["wall"]
    scene = of(kinds["open"])
    scene = replace(scene, solver=replace(scene.solver, order=2))
    first = discretize_scene(scene, mesh_scene(scene))
    flux = revised(first, replace(scene, solver=replace(scene.solver, upwinding=0.8)))
    running, alone = stepper_of(first), stepper_of(first)
    steppers += [running, alone]
    for stepper in (running, alone):
        stepper.set_fields(first.initial)
        stepper.advance(3)
    assert not goes_over(running, flux)
    for stepper in (running, alone):
        stepper.advance(3)
    assert_alike(running, alone, 0.0)


def test_media_that_cannot_be_leave_all_as_it_was(steppers):
    """A number in a formula that single precision does not have is seen while media are made."""
    kinds, of = SCENES["formula"]
    scene = replace(of(kinds["epsilon"]), solver=replace(of(kinds["epsilon"]).solver, order=2))
    first = discretize_scene(scene, mesh_scene(scene))
    wild = Formula.parse("min(1e50, 1.5 + x + 0.2*sin(3*t))", ("x", "y", "t"))
    second = revised(first, replace(scene, background=replace(scene.background, epsilon=wild)))
    running, alone = (
        OpenCLStepper(first.operator, dt=first.dt_max, scheme=first.scheme) for _ in "ab"
    )
    steppers += [running, alone]
    for stepper in (running, alone):
        stepper.set_fields(first.initial)
        stepper.advance(3)
    held = running.memory.n_bytes
    with pytest.raises(FormulaError):
        goes_over(running, second)
    assert running.memory.n_bytes == held
    for stepper in (running, alone):
        stepper.advance(3)
    assert_alike(running, alone, 0.0)


class Failing:
    """The n-th of some calls fails, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = -1
        for name in ("_made", "write"):
            monkeypatch.setattr(DeviceMemory, name, self._counted(getattr(DeviceMemory, name)))

    def _counted(self, call: Any) -> Any:
        def counted(memory: DeviceMemory, *given: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                raise DeviceError("no room")
            return call(memory, *given)

        return counted


def test_whatever_cannot_be_written_is_put_back(steppers, monkeypatch):
    """Numbers of media that are graded, of layers, walls and fluxes, each of whose writes fails."""
    kinds, of = SCENES["wall"]
    graded = Material(epsilon=Formula.parse("1.5 + 0.1*sin(3*x)", ("x", "y")))
    shape = Rectangle((0.4, 0.4), (0.6, 0.6))
    scene = replace(of(kinds["open"]), materials=(MaterialRegion("it", graded, shape),))
    scene = replace(scene, solver=replace(scene.solver, order=2))
    first, _ = problems(scene)
    denser = Material(epsilon=Formula.parse("1.7 + 0.1*sin(3*x)", ("x", "y")))
    wished = replace(changed(scene, 1), materials=(MaterialRegion("it", denser, shape),))
    second = revised(first, wished)
    running, alone = stepper_of(first), stepper_of(first)
    steppers += [running, alone]
    for stepper in (running, alone):
        stepper.set_fields(first.initial)
        stepper.advance(3)
    failing, failures = Failing(monkeypatch), 0
    held = len(running.memory._buffers)
    while True:
        failing.left = failures + 1
        try:
            goes_over(running, second)
            break
        except DeviceError:
            failures += 1
        failing.left = -1
        assert goes_over(running, first)
        assert len(running.memory._buffers) == held
        for stepper in (running, alone):
            stepper.advance(1)
        assert_alike(running, alone, 1e-11)
    failing.left = -1
    assert failures > 10


def test_a_source_keeps_its_numbers_where_the_one_beside_it_cannot_be(steppers, monkeypatch):
    kinds, of = SCENES["source"]
    point, moving = (of(kinds[kind]).sources[0] for kind in ("point", "moving"))
    scene = replace(of(kinds["point"]), sources=(point, replace(moving, name="more")))
    first = discretize_scene(scene, mesh_scene(scene))
    sources = tuple(replace(source, amplitude=3.0) for source in scene.sources)
    second = revised(first, replace(scene, sources=sources))
    running, alone = stepper_of(first), stepper_of(first)
    steppers += [running, alone]
    failing, failures = Failing(monkeypatch), 0
    while True:
        failing.left = failures + 1
        try:
            running.set_source_terms(second.source_terms)
            break
        except DeviceError:
            failures += 1
        failing.left = -1
        for stepper in (running, alone):
            stepper.advance(2)
        assert_alike(running, alone, 0.0)
    assert failures > 3
