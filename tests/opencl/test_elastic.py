"""Elastic waves on the device against the oracle: every stage kernel, sources, layers, memory."""

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_elastic import mixed_elastic, random_elastic
from tests.products import only_in_hunt
from tests.sample_meshes import elliptic_disk
from tests.sample_scenes import shaken
from wavelab.errors import DeviceError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.elements import curved
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.configs import by_node, unrolled_config, whole_matrix_config
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import stepper_of


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled() -> None:
    """These are not, but as a program compiles them: what all else rests on."""


CONFIGS = {
    "usual": (3, None),
    "even order": (4, None),
    "whole matrices": (2, whole_matrix_config(np.dtype("f8"))),
    "shared": (2, KernelConfig(32, 1, 4, tile=2)),
    "unrolled": (1, unrolled_config(1, 32)),
    "even and odd parts": (3, unrolled_config(2, 32)),
    "node by node": (2, by_node(2, 16, 1)),
    "nodes by twos": (3, by_node(3, 8, 2)),
}


def off(found, right):
    pairs = zip(found.arrays, right.arrays, strict=True)
    return max(np.abs(u - v).max() / np.abs(v).max() for u, v in pairs)


# Each of them; in the code and by nodes with both fluxes.
@pytest.mark.parametrize(
    ("name", "upwinding"),
    [
        *((name, (1.0, 0.4)[number % 2]) for number, name in enumerate(CONFIGS)),
        *only_in_hunt(
            ("usual", 0.4), ("shared", 1.0), ("whole matrices", 0.4), ("even order", 1.0),
            ("unrolled", 0.4), ("even and odd parts", 1.0),
            ("node by node", 0.4), ("nodes by twos", 1.0),
        ),
    ],
)  # fmt: skip
def test_every_stage_kernel_gives_the_rates_of_the_oracle(name, upwinding):
    order, config = CONFIGS[name]
    operator = mixed_elastic(order, upwinding, walls=(-1.0, 1.0, 0.0, 0.5))
    fields = random_elastic(operator)
    device = OpenCLStepper(operator, dt=1e-3, precision="double", config=config)
    host = NumpyStepper(operator, dt=1e-3, scheme=device.scheme)
    assert off(device.right_hand_side(fields), operator.constant_rates(fields)) < 1e-13
    for stepper in (device, host):
        stepper.set_fields(fields)
        stepper.ping(np.arange(7, 50), np.linspace(-1, 1, 86).reshape(2, 43))
        stepper.advance(2)
    assert off(device.fields(), host.fields()) < 1e-13
    np.testing.assert_allclose(device.element_energy(), host.element_energy(), rtol=1e-12)
    for quantity in ("ez", "vx", "sxy", "h", "pressure", "energy"):
        np.testing.assert_allclose(device.view(quantity), host.view(quantity), rtol=1e-6, atol=1e-6)
    device.close()


@pytest.mark.parametrize(
    ("order", "upwinding", "precision", "grouped"),
    [
        (3, 0.4, "double", False),
        (2, 1.0, "single", True),
        *only_in_hunt(
            (2, 1.0, "double", False),
            (3, 0.4, "single", False),
            (3, 0.4, "double", True),
            (4, 1.0, "single", True),
            (5, 0.4, "double", True),
        ),
    ],
)
def test_curved_elements_too(monkeypatch, order, upwinding, precision, grouped):
    """A work item for an element as on processors, or a group as on graphics cards; blocks that do
    not end where the curved elements begin."""
    monkeypatch.setattr(curved, "kind_of", lambda device: "GPU" if grouped else "CPU")
    mesh = elliptic_disk()
    operator = mixed_elastic(order, upwinding, walls=(-1.0, 1.0, 0.0, 0.5), mesh=mesh)
    fields = random_elastic(operator)
    config = KernelConfig(16, 1, 2, matrices="even_odd_gpu")
    device = OpenCLStepper(operator, dt=1e-3, precision=precision, config=config)
    assert device._variant.curved.first == 16 < operator.discretization.first_curved
    assert (device._variant.curved.group > 1) is grouped
    close = {"single": 1e-5, "double": 1e-13}[precision]
    host = NumpyStepper(operator, dt=1e-3, scheme=device.scheme)
    assert off(device.right_hand_side(fields), operator.constant_rates(fields)) < close
    for stepper in (device, host):
        stepper.set_fields(fields)
        stepper.ping(np.arange(7, 50), np.linspace(-1, 1, 86).reshape(2, 43))
        stepper.advance(2)
    assert off(device.fields(), host.fields()) < close
    np.testing.assert_allclose(device.element_energy(), host.element_energy(), rtol=10 * close)
    device.close()


def test_straight_meshes_compile_nothing_for_curved_ones():
    device = OpenCLStepper(mixed_elastic(2, 1.0), dt=1e-3)
    kernels = device._variant.kernels._program.all_kernels()
    device.close()
    assert not any("dense" in kernel.function_name for kernel in kernels)


SCENE = (
    """
title = "ground"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1.2]
[background]
p_quality = 30
s_quality = 20
q_frequency = 2
[[materials]]
name = "sea"
shape = "rectangle"
lower = [0, 0.8]
upper = [2, 1.2]
density = 0.5
p_speed = 0.7
s_speed = 0
[[holes]]
name = "mine"
shape = "ellipse"
center = [1.45, 0.45]
radii = [0.2, 0.15]
[[walls]]
kind = "open"
edges = ["domain.left", "domain.right", "domain.bottom"]
thickness = 0.3
[[walls]]
kind = "absorbing"
edges = ["mine"]
"""
    + shaken((0.9, 0.5), (1, 0.4), (1.2, 1))
    + """[[probes]]
name = "across"
position = [1.1, 0.7]
quantity = "vx"
[[probes]]
name = "up"
position = [1.1, 0.7]
[[monitors]]
name = "line"
kind = "line"
vertices = [[0.4, 0.7], [1.6, 0.7]]
count = 5
[[monitors]]
name = "through"
kind = "flux"
vertices = [[0.4, 0.7], [1.6, 0.7]]
[[monitors]]
name = "stored"
kind = "energy"
shape = "rectangle"
lower = [0.5, 0.3]
upper = [1.5, 0.9]
[solver]
element_size = 0.25
order = 3
until = 0.6
precision = "double"
"""
)


def test_sources_layers_memory_probes_and_monitors():
    scene = parse_scene(SCENE)
    problem = discretize_scene(scene, mesh_scene(scene))
    found = {}
    for backend in ("opencl", "numpy"):
        simulation = Simulation(problem, stepper_of(problem, backend=backend))
        _, samples = simulation.advance(problem.steps_to_end())
        fields = simulation.stepper.fields()
        found[backend] = fields, samples, simulation.measured()
        simulation.close()
    (one, heard, measured), (other, right, expected) = found["opencl"], found["numpy"]
    assert off(one, other) < 1e-12
    for ours, theirs in zip(one.auxiliary, other.auxiliary, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-13)
    assert np.abs(right).max(axis=0).min() > 1e-4
    np.testing.assert_allclose(heard, right, atol=1e-13)
    for a, b in zip(measured, expected, strict=True):
        for name, values in a.arrays.items():
            np.testing.assert_allclose(values, b.arrays[name], atol=1e-12)


ROD = """physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
p_speed = 1.6
s_speed = 0.9
[[materials]]
density = 3
p_speed = 2.5
s_speed = 1.4
shape = "ellipse"
center = [0.5, 0.5]
radii = [0.3, 0.2]
[[sources]]
kind = "force"
position = [0.7, 0.5]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 1 }
[solver]
element_size = 0.3
order = 3
precision = "double"
"""


@pytest.mark.parametrize("upwinding", [1.0, 0.4])
def test_elements_with_arcs_publish_what_sources_and_pings_have_changed(upwinding):
    scene = parse_scene(f"{ROD}upwinding = {upwinding}\n")
    problem = discretize_scene(scene, mesh_scene(scene))
    d, (term,) = problem.discretization, problem.source_terms
    driven = np.unique(term.nodes // d.nodes_per_element)
    assert (driven >= d.first_curved).any()
    assert (driven < d.first_curved).any()
    found = []
    for backend in ("opencl", "numpy"):
        simulation = Simulation(problem, stepper_of(problem, backend=backend))
        simulation.advance(5)
        simulation.ping(0.4, 0.6, 0.1, 1e-3)
        simulation.advance(5)
        found.append(simulation.stepper.fields())
        simulation.close()
    assert off(*found) < 1e-12


def test_the_readable_variant_says_that_it_has_none():
    with pytest.raises(DeviceError, match="per_node"):
        OpenCLStepper(mixed_elastic(2, 1.0), dt=1e-3, variant="per_node")


def test_held_elements_stay():
    operator = mixed_elastic(2, 1.0)
    held = np.zeros(operator.discretization.n_elements, bool)
    held[3:9] = True
    fields = random_elastic(operator)
    operator = replace(operator, held=held)
    device = OpenCLStepper(operator, dt=1e-2, precision="double")
    device.set_fields(fields)
    device.advance(3)
    for now, before in zip(device.fields().arrays, fields.arrays, strict=True):
        np.testing.assert_array_equal(now[held], before[held])
        assert np.abs(now - before)[~held].max() > 1e-3
    device.close()
