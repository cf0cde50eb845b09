"""Plane P and S waves through walls: what they add, the energy that they bring, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.operator.test_elastic import random_elastic
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.elastic_jumps import ElasticFaces
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.power.elastic_incident import ElasticIncident
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.power.sampled_elastic_power import ElasticSampledPowers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.sources.source_terms import FaceSourceTerm
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

SCENE = """
title = "box"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
density = 1.4
p_speed = 1.5
s_speed = {s_speed}
[[walls]]
edges = ["domain.left", "domain.bottom"]
kind = "absorbing"
{rest}
[[sources]]
name = "wave"
kind = "body_wave"
wave = "{wave}"
direction = {direction}
amplitude = 0.8
edges = {edges}
waveform = {{ kind = "gaussian", width = 0.15, delay = 0.6 }}
[solver]
element_size = 0.3
order = 3
"""


def problem_of(wave="p", direction=30, *, edges='["domain.left"]', s_speed=0.8, rest=""):
    scene = parse_scene(
        SCENE.format(wave=wave, direction=direction, edges=edges, s_speed=s_speed, rest=rest)
    )
    return discretize_scene(scene, mesh_scene(scene))


def both(wave):
    return problem_of(wave, edges='["domain.left", "domain.bottom"]')


@pytest.mark.parametrize("wave", ["p", "s"])
def test_the_balance_of_energy_is_exact(wave):
    """d/dt of the energy, from the rates themselves, is what the powers say."""
    problem = both(wave)
    operator, terms, time = problem.operator, problem.source_terms, 0.7
    fields = random_elastic(operator, 3)
    rates = operator.constant_rates(fields)
    for term in terms:
        term.rates(operator, time).add_to(rates)
    h = 1e-6
    ahead, behind = (
        ElasticFields.of(
            [u + sign * h * r for u, r in zip(fields.arrays, rates.arrays, strict=True)]
        )
        for sign in (1, -1)
    )
    energy = [operator.element_energy(each).sum() for each in (ahead, behind)]
    powers = elastic_powers(operator, fields, terms, time)
    change = powers.source - powers.wall - powers.upwind
    assert change == pytest.approx((energy[0] - energy[1]) / (2 * h), rel=1e-8)


@pytest.mark.parametrize("wave", ["p", "s"])
def test_samples_at_the_walls_tell_what_the_whole_field_tells(wave):
    problem = both(wave)
    operator, terms, time = problem.operator, problem.source_terms, 0.65
    fields = random_elastic(operator, 5)
    incident = ElasticIncident.of(operator, terms)
    samples = incident.points.sample(fields)[None]
    brought, at_walls = (float(of[0]) for of in incident.table(np.array([time]), samples))
    powers, missed = (
        elastic_powers(operator, fields, terms, time),
        ElasticFaces(operator).loss(fields),
    )
    assert brought == pytest.approx(powers.source, rel=1e-9)
    assert at_walls == pytest.approx(powers.upwind - missed, rel=1e-9)
    assert incident.misread(fields, time) == at_walls


def test_there_is_nothing_to_sample_without_a_wave():
    operator = problem_of().operator
    assert ElasticIncident.of(operator, ()) is None
    assert ElasticSampledPowers.of(operator).incident is None


@pytest.mark.parametrize(("direction", "few"), [(0, True), (30, False)])
def test_as_terms_of_nodes_it_adds_the_same(direction, few):
    """One for all where it comes straight in."""
    problem = problem_of("s", direction)
    operator, (term,) = problem.operator, problem.source_terms
    assert isinstance(term, FaceSourceTerm)
    nodal = term.nodal(operator)
    assert (len(nodal) == 1) is few
    one, other = (operator.fields.zeros(operator.discretization.shape) for _ in range(2))
    term.rates(operator, 0.55).add_to(one)
    for part in nodal:
        part.rates(operator, 0.55).add_to(other)
    for u, v in zip(one.arrays, other.arrays, strict=True):
        np.testing.assert_allclose(u, v, atol=1e-12 * max(np.abs(u).max(), 1))


@pytest.mark.parametrize("wave", ["p", "s"])
def test_what_comes_in_is_booked(wave):
    """And nothing else: the account closes while the wave is on its way in, through and out."""
    problem = both(wave)
    made = NumpyStepper(problem.operator, dt=problem.dt_max / 2, scheme=problem.scheme)
    simulation = Simulation(problem, made)
    ledger, stored = Ledger(simulation), []
    while simulation.time < 2:
        simulation.advance(1)
        ledger.update(simulation)
        stored.append(ledger.account.stored)
    account, most = ledger.account, max(stored)
    assert most > 0.05
    assert abs(account.residual) < 1e-3 * most
    # It has come in through these walls, and the flux has lost little of it.
    assert account.sources > most
    assert account.numerical < 0.1 * account.sources


def test_a_device_takes_the_same_steps():
    problem = both("p")
    dt, scheme = problem.dt_max, problem.scheme
    host = NumpyStepper(problem.operator, dt=dt, scheme=scheme)
    device = OpenCLStepper(problem.operator, dt=dt, scheme=scheme, precision="double")
    for stepper in (host, device):
        Simulation(problem, stepper).advance(25)
    for u, v in zip(host.fields().arrays, device.fields().arrays, strict=True):
        assert np.abs(u).max() > 0.01
        np.testing.assert_allclose(v, u, atol=1e-12)
    device.close()


REGION = """
[[materials]]
name = "other"
p_speed = 2.5
s_speed = 1
shape = "rectangle"
lower = [0, 0]
upper = [0.3, 0.5]
"""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"wave": "s", "s_speed": 0}, "fluid"),
        ({"edges": '["domain.top"]'}, "does not absorb"),
        ({"rest": REGION}, "two media"),
        ({"edges": "[]"}, "no way in"),
        ({"edges": '["domain.lift"]'}, "does not exist"),
        ({"wave": "q"}, 'has the wave "q"'),
    ],
)
def test_where_it_cannot_come_in_it_is_refused_by_name(given, says):
    with pytest.raises(SceneError, match=says) as caught:
        problem_of(**given)
    assert 'source "wave"' in caught.value.message
    assert caught.value.remedy


LAYER = """
title = "soft layer"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [0.5, 2]
[background]
density = 2.4
p_speed = 3.2
s_speed = 1.7
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
[[walls]]
edges = ["domain.bottom"]
kind = "absorbing"
[[materials]]
name = "layer"
shape = "rectangle"
lower = [0, 1.5]
upper = [0.5, 2]
density = 1.8
p_speed = 1.6
s_speed = 0.6
[[sources]]
name = "wave"
kind = "body_wave"
wave = "{wave}"
direction = 90
amplitude = 1
edges = ["domain.bottom"]
waveform = {{ kind = "sine", frequency = {frequency}, ramp = 4 }}
[[probes]]
name = "surface"
position = [0.25, 2]
quantity = "{quantity}"
[solver]
element_size = 0.3
order = 4
"""


@pytest.mark.parametrize("frequency", [0.3, 0.8])
@pytest.mark.parametrize(
    ("wave", "quantity", "speeds"), [("s", "vx", (0.6, 1.7)), ("p", "vy", (1.6, 3.2))]
)
def test_a_soft_layer_shakes_more_as_theory_says(wave, quantity, speeds, frequency):
    """2 / |cos kh + i (Z1 / Z2) sin kh| at the free surface of a layer over a half-space, Kramer,
    Geotechnical Earthquake Engineering, 7.2."""
    scene = parse_scene(LAYER.format(wave=wave, quantity=quantity, frequency=frequency))
    problem = discretize_scene(scene, mesh_scene(scene))
    dt, scheme = problem.dt_max, problem.scheme
    made = OpenCLStepper(problem.operator, dt=dt, scheme=scheme, precision="double")
    simulation, until = Simulation(problem, made), 32 + 4 / frequency
    times, samples = simulation.advance(int(until / dt))
    late = times > 32  # in resonance 0.58 of what is in the layer stays with each way
    turned = np.exp(2j * np.pi * frequency * times[late])
    basis = np.column_stack([turned.real, turned.imag])
    (a, b), *_ = np.linalg.lstsq(basis, samples[late, 0], rcond=None)
    kh = 2 * np.pi * frequency * 0.5 / speeds[0]
    ratio = 1.8 * speeds[0] / (2.4 * speeds[1])
    expected = 2 / abs(np.cos(kh) + 1j * ratio * np.sin(kh))
    assert np.hypot(a, b) == pytest.approx(expected, rel=1e-3)
