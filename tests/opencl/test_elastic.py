"""Elastic waves on the device against the oracle: every stage kernel, sources, layers, memory."""

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_elastic import mixed_elastic, random_elastic
from wavelab.errors import DeviceError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.configs import unrolled_config, whole_matrix_config
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import stepper_of

CONFIGS = {
    "usual": (3, None),
    "even order": (4, None),
    "whole matrices": (2, whole_matrix_config(np.dtype("f8"))),
    "shared": (2, KernelConfig(32, 1, 4, tile=2)),
    "unrolled": (1, unrolled_config(1, 32)),
    "even and odd parts": (3, unrolled_config(2, 32)),
}


def off(found, right):
    pairs = zip(found.arrays, right.arrays, strict=True)
    return max(np.abs(u - v).max() / np.abs(v).max() for u, v in pairs)


@pytest.mark.parametrize("upwinding", [1.0, 0.4])
@pytest.mark.parametrize("name", CONFIGS)
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


SCENE = """
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
[[walls]]
kind = "open"
edges = ["domain.left", "domain.right", "domain.bottom"]
thickness = 0.3
[[sources]]
kind = "double_couple"
position = [0.9, 0.5]
radius = 0.1
amplitude = 3
direction = 30
waveform = { kind = "ricker", frequency = 2, delay = 0.2 }
[[sources]]
kind = "force"
position = [1, 0.4]
radius = 0.1
amplitude = 2
direction = -70
waveform = { kind = "sine", frequency = 2 }
[[sources]]
kind = "explosion"
position = [1.2, 1]
radius = 0.1
amplitude = 4
waveform = { kind = "ricker", frequency = 2, delay = 0.2 }
[[probes]]
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
