"""Solids between walls where waves have a phase: one cell of what repeats itself."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.physics.operator.test_elastic import growth, random_elastic
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator.elastic_jumps import ElasticFaces
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.next_run import next_run
from wavelab.simulation.steppers.steppers import make_stepper, stepper_of
from wavelab.simulation.studies.bands.band_search import find_bands


def text(phases=(70.0, -130.0), more: str = "", solver: str = "", size: float = 0.25) -> str:
    """A square cell with a round rod of another solid."""
    sides = (("domain.left", "domain.right"), ("domain.bottom", "domain.top"))
    walls = "".join(
        f'[[walls]]\nkind = "periodic"\nedges = ["{one}", "{other}"]\nphase = {phase}\n'
        for phase, (one, other) in zip(phases, sides, strict=True)
    )
    return (
        'physics = "elastic"\n[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n'
        "[background]\np_speed = 1.6\ns_speed = 0.9\n"
        '[[materials]]\ndensity = 3\np_speed = 2.5\ns_speed = 1.4\nshape = "ellipse"\n'
        f"center = [0.5, 0.5]\nradii = [0.3, 0.3]\n{walls}{more}[solver]\nelement_size = {size}\n"
        f'order = 3\nprecision = "double"\n{solver}'
    )


def problem(*args, **more) -> Problem:
    scene = parse_scene(text(*args, **more))
    return discretize_scene(scene, mesh_scene(scene))


@given(
    st.tuples(st.integers(-360, 360), st.integers(-360, 360)),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
)
@settings(max_examples=4, deadline=None)
def test_both_steppers_do_the_same_and_energy_goes_only_into_jumps(phases, upwinding, curved):
    found = problem(phases, solver=f"upwinding = {upwinding}\ncurved = {str(curved).lower()}\n")
    operator = found.operator
    assert operator.phases is not None
    fields = random_elastic(operator)
    faces = ElasticFaces(operator)
    wall, upwind = faces.wall_loss(fields), faces.loss(fields)
    assert growth(operator, fields) == pytest.approx(-upwind, rel=1e-8, abs=1e-6)
    assert wall == 0
    assert abs(upwind) < 1e-9 if upwinding == 0 else upwind > 1
    steppers = [stepper_of(found, backend=backend) for backend in ("numpy", "opencl")]
    for stepper in steppers:
        stepper.set_fields(fields)
        stepper.advance(5)
    expected, other = (stepper.fields() for stepper in steppers)
    for one, two in zip(expected.arrays, other.arrays, strict=True):
        assert np.abs(one - two).max() < 1e-11 * np.abs(one).max()
    steppers[1].close()


def test_a_mode_of_the_bands_runs_for_a_period_and_is_back():
    """exp(-i w t) of each part: after a period the fields are what they were, and after a quarter
    the real part is what the imaginary part was."""
    scene = parse_scene(text((72.0, 36.0), size=0.2).replace("order = 3", "order = 5"))
    bands = find_bands(scene, "0.2,0.1 G", 1, 4)
    running = discretize_scene(scene, mesh_scene(scene))
    for band in (0, 3):
        mode = bands.fields(0, band)
        both = np.stack([mode.real, mode.imag], axis=2).reshape(5, *running.discretization.shape)
        period = 1 / float(bands.frequencies[0, band])
        steps = 4 * math.ceil(period / running.dt_max / 4)
        stepper = stepper_of(running, dt=period / steps, backend="opencl")
        stepper.set_fields(ElasticFields.of(both))
        stepper.advance(steps // 4)
        quarter = np.array(stepper.fields().arrays)
        stepper.advance(steps - steps // 4)
        after = np.array(stepper.fields().arrays)
        stepper.close()
        assert np.abs(after - both)[:2].max() < 0.02
        assert np.abs(quarter[:2, ::2] - both[:2, 1::2]).max() < 0.02


def test_a_force_beside_such_an_edge_acts_beyond_it_with_its_phase():
    found = problem(
        (72.0, 0.0),
        more='[[sources]]\nname = "push"\nkind = "force"\nposition = [0.03, 0.5]\nradius = 0.1\n'
        'amplitude = 1\nwaveform = { kind = "sine", frequency = 1 }\n',
    )
    d = found.discretization
    (term,) = found.source_terms
    rates = term.rates(found.operator, 0.2)
    added = np.zeros(d.shape)
    added[rates.elements] += rates.of["vx"]
    one = added[::2] + 1j * added[1::2]
    right, left = np.abs(d.x[::2] - 1) < 1e-9, np.abs(d.x[::2]) < 1e-9
    strongest = one[right][np.abs(one[right]).argmax()]
    assert abs(np.degrees(np.angle(strongest / one[left][np.abs(one[left]).argmax()]))) == (
        pytest.approx(72, abs=1)
    )


def test_a_phase_is_a_number_that_turns_while_the_wave_runs():
    before = problem()
    scene = parse_scene(text((20.0, 10.0)))
    assert can_be_revised(before.scene, scene)
    after = revised(before, scene)
    assert after.discretization is before.discretization
    assert np.abs(after.operator.phases).max() == pytest.approx(math.radians(20))
    run = next_run(before, 1, RunnerSettings(), make_stepper, time.monotonic, print, None)
    run.simulation.ping(0.5, 0.5, 0.1, 1.0)
    run.simulation.advance(10)
    begun = run.simulation.stepper.fields()
    turned = next_run(after, 2, RunnerSettings(), make_stepper, time.monotonic, print, run)
    run.close()
    stepper, found = turned.simulation.stepper, []
    assert stepper.backend == "opencl"
    stepper.advance(10)
    for of in (after, before):
        other = stepper_of(of, dt=stepper.dt, backend="numpy")
        other.set_fields(begun)
        other.advance(10)
        pairs = list(zip(stepper.fields().arrays, other.fields().arrays, strict=True))
        found.append(max(np.abs(u - v).max() / np.abs(u).max() for u, v in pairs))
    turned.close()
    assert found[0] < 1e-12
    assert found[1] > 0.1


def test_what_does_not_go_with_a_phase_is_refused():
    body = (
        '[[sources]]\nname = "quake"\nkind = "body_wave"\nedges = ["domain.left"]\ndirection = 0\n'
        'amplitude = 1\nwaveform = { kind = "sine", frequency = 1 }\n'
    )
    with pytest.raises(SceneError) as raised:
        problem(more=body)
    assert "quake" in str(raised.value)
    with pytest.raises(SceneError, match="local time stepping"):
        problem(solver='stepper = "local"\n')
