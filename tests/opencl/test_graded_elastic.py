"""Solids and fluids that are formulas, on the device against the oracle."""

from dataclasses import replace

import numpy as np
import pytest

from tests.opencl.test_elastic import CONFIGS, off
from tests.physics.operator.test_elastic import random_elastic
from tests.products import ALL, only_in_hunt
from tests.sample_scenes import shaken
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.elements import curved
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import stepper_of

#: A graded solid round a graded fluid, beside a solid of numbers.
SCENE = """
title = "ground"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1.2]
[background]
density = "1.2 + 0.3*sin(3*x)"
p_speed = "1.5 - 0.5*y"
s_speed = "0.8 - 0.3*y + 0.1*cos(2*x)"
{rest}
[[materials]]
name = "numbers"
shape = "rectangle"
lower = [1.4, 0]
upper = [2, 1.2]
[[materials]]
name = "magma"
{magma}
density = 0.7
p_speed = "0.6 + 0.4*x"
s_speed = 0
[solver]
element_size = 0.3
order = {order}
upwinding = {upwinding}
until = 0.5
precision = "double"
"""


DISK = 'shape = "ellipse"\ncenter = [0.7, 0.6]\nradii = [0.3, 0.25]'
BOX = 'shape = "rectangle"\nlower = [0.4, 0.35]\nupper = [1, 0.85]'


def graded(order=3, upwinding=1.0, rest="", magma=DISK):
    scene = parse_scene(SCENE.format(order=order, upwinding=upwinding, rest=rest, magma=magma))
    return discretize_scene(scene, mesh_scene(scene))


def compared(operator, close, quantities=("vx", "sxx", "sxy", "pressure", "energy"), **how):
    """Two steps and a ping of the device and of the oracle."""
    fields, d = random_elastic(operator), operator.discretization
    device = OpenCLStepper(operator, dt=1e-3, **how)
    host = NumpyStepper(operator, dt=1e-3, scheme=device.scheme)
    nodes = np.arange(2 * d.nodes_per_element + 3, 9 * d.nodes_per_element)
    pushed = np.random.default_rng(2).standard_normal((2, len(nodes)))
    for stepper in (device, host):
        stepper.set_fields(fields)
        stepper.ping(nodes, pushed)
        stepper.advance(2)
    assert off(device.fields(), host.fields()) < close
    np.testing.assert_allclose(
        device.element_energy(), host.element_energy(), rtol=10 * close, atol=close
    )
    for quantity in quantities:
        found, right = device.view(quantity), host.view(quantity)
        np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5 * np.abs(right).max())
    device.close()


# Elements with arcs, and what is shown, do not ask how the matrices of others lie.
@pytest.mark.parametrize(
    ("name", "upwinding"),
    [
        *((name, (1.0, 0.4)[number % 2]) for number, name in enumerate(CONFIGS)),
        *only_in_hunt(*((name, (0.4, 1.0)[number % 2]) for number, name in enumerate(CONFIGS))),
    ],
)
def test_every_stage_kernel_is_followed_as_by_the_oracle(name, upwinding):
    order, config = CONFIGS[name]
    usual = name == "usual" or ALL
    problem = graded(order, upwinding, magma=DISK if usual else BOX)
    assert (problem.discretization.curved is not None) == (usual and order > 1)
    shown = {} if usual else {"quantities": ("pressure",)}
    # To undo a projection is exact to rounding alone.
    compared(problem.operator, 1e-12, precision="double", config=config, **shown)


@pytest.mark.parametrize(
    ("order", "precision"), [(3, "single"), *only_in_hunt((2, "single"), (5, "single"))]
)
def test_single_precision_too(order, precision):
    compared(graded(order).operator, 2e-5, precision=precision)


def test_curved_elements_that_a_group_does(monkeypatch):
    monkeypatch.setattr(curved, "kind_of", lambda device: "GPU")
    problem = graded(2)
    assert (
        problem.operator.media.compression[-1].elements >= problem.discretization.first_curved
    ).all()
    compared(problem.operator, 1e-12, precision="double")


REST = (
    """
p_quality = "40 + 5*x"
s_quality = 25
q_frequency = 2
[[walls]]
kind = "open"
edges = ["domain.left", "domain.bottom"]
thickness = 0.3
[[walls]]
kind = "absorbing"
edges = ["domain.top"]
"""
    + shaken((0.45, 0.85), (1, 0.4), (0.7, 0.6))
    + """[[probes]]
name = "across"
position = [1.1, 0.7]
quantity = "vx"
"""
)


@pytest.mark.parametrize("groups", [0, 1])
def test_sources_layers_memory_and_many_steps_in_one_launch(groups):
    problem = graded(rest=REST)
    found = {}
    for backend in ("opencl", "numpy"):
        if backend == "opencl":
            stepper = OpenCLStepper(
                problem.operator, dt=problem.dt_max, scheme=problem.scheme, precision="double",
                groups=groups,
            )  # fmt: skip
            stepper.compile_at_once()
        else:
            stepper = stepper_of(problem, backend=backend)
        simulation = Simulation(problem, stepper)
        _, samples = simulation.advance(40)
        found[backend] = simulation.stepper.fields(), samples
        simulation.close()
    (one, heard), (other, right) = found["opencl"], found["numpy"]
    assert off(one, other) < 1e-11
    for ours, theirs in zip(one.auxiliary, other.auxiliary, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert np.abs(right).max() > 1e-4
    np.testing.assert_allclose(heard, right, atol=1e-12)


def test_values_are_no_source_text(monkeypatch):
    """Another formula of the same kind needs no new kernel."""
    from wavelab.opencl.device import kernel_set

    sources = []
    render = kernel_set.render
    monkeypatch.setattr(
        kernel_set, "render", lambda *a, **k: sources.append(render(*a, **k)) or sources[-1]
    )
    for text in (SCENE, SCENE.replace("1.5 - 0.5*y", "1.6 - 0.2*y*y")):
        scene = parse_scene(text.format(order=2, upwinding=1, rest="", magma=BOX))
        operator = discretize_scene(scene, mesh_scene(scene)).operator
        OpenCLStepper(operator, dt=1e-3).close()
        sources.append("")
    middle = sources.index("")
    assert sources[:middle] == sources[middle + 1 : -1]
    assert any("follow" in source for source in sources)


def test_held_elements_stay():
    operator = graded(2, magma=BOX).operator
    held = np.zeros(operator.discretization.n_elements, bool)
    held[3:9] = True
    fields = random_elastic(operator)
    operator = replace(operator, held=held)
    device = OpenCLStepper(operator, dt=1e-2, precision="double")
    device.set_fields(fields)
    device.advance(3)
    for now, before in zip(device.fields().arrays, fields.arrays, strict=True):
        np.testing.assert_allclose(now[held], before[held], atol=1e-12)
        assert np.abs(now - before)[~held].max() > 1e-3
    device.close()
