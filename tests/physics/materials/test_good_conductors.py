"""What comes back from a conductor, from weak ones to metals, against the exact answer."""

from __future__ import annotations

import numpy as np
import pytest

from tests.products import each_pair
from tests.sample_scenes import boxed
from tests.sample_systems import LOSSES
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.steppers import equip, stepper_of
from wavelab.simulation.studies.doctor import diagnose

#: A pulse that runs to the right in a strip whose walls do not bend it; from 2 on it is metal.
STRIP = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2.6, 0.3]
[[materials]]
name = "metal"
shape = "rectangle"
lower = [2, 0]
upper = [2.6, 0.3]
sigma = {sigma}
[[walls]]
edges = ["domain.top", "domain.bottom"]
kind = "magnetic"
[[walls]]
edges = ["domain.left"]
kind = "absorbing"
[initial]
ez = "exp(-((x-1)/0.15)^2)*cos(8*(x-1))"
hy = "-exp(-((x-1)/0.15)^2)*cos(8*(x-1))"
[solver]
element_size = {size}
order = 4
until = 2
precision = "double"
stepper = "{stepper}"
"""


def problem_of(sigma, size=0.15, stepper="auto"):
    scene = parse_scene(STRIP.format(sigma=sigma, size=size, stepper=stepper))
    return discretize_scene(scene, mesh_scene(scene))


def reflected(sigma, x, time=2.0):
    """Ez of what comes back: by the surface impedance of every frequency."""
    n, length = 2**15, 400.0
    since = (np.arange(n) - n // 2) * length / n
    arriving = np.exp(-(((since - 1) / 0.15) ** 2)) * np.cos(8 * (1 - since))
    omega = 2 * np.pi * np.fft.rfftfreq(n, length / n)
    surface = np.sqrt(1j * omega / (sigma + 1j * omega))
    spectrum = np.fft.rfft(np.fft.ifftshift(arriving)) * (surface - 1) / (surface + 1)
    return np.interp(time + x - 2, since, np.fft.fftshift(np.fft.irfft(spectrum, n)))


def error_of(problem, backend):
    n_steps = problem.steps_to_end()
    stepper = stepper_of(problem, dt=2 / n_steps, backend=backend)
    try:
        equip(stepper, problem)
        stepper.set_fields(problem.initial)
        stepper.advance(n_steps)
        ez = stepper.fields().ez
    finally:
        stepper.close()
    d, sigma = problem.discretization, problem.operator.sigma.max()
    before = d.x.max(axis=1) < 1.9
    return np.abs(ez[before] - reflected(sigma, d.x[before])).max()


MOST = {10: 0.001, 100: 0.006, 1e3: 0.02, 1e4: 0.04, 1e6: 0.015, 1e8: 0.015}


@pytest.mark.parametrize(
    ("sigma", "backend", "stepper"),
    each_pair(list(MOST), ["numpy", "opencl"], ["auto", "local"]),
)
def test_what_comes_back_is_right_for_every_conductivity(sigma, backend, stepper):
    assert error_of(problem_of(sigma, stepper=stepper), backend) < MOST[sigma]


@pytest.mark.parametrize("stepper", ["auto", "local"])
def test_metal_sets_no_limit_on_the_step(stepper):
    empty = problem_of(0, stepper=stepper).dt_max
    assert problem_of(5e8, stepper=stepper).dt_max == pytest.approx(empty, rel=0.1)
    for sigma in (30, 300, 3e3, 3e4):
        assert problem_of(sigma, stepper=stepper).dt_max > 0.4 * empty


def test_a_note_says_so_where_the_skin_is_not_resolved():
    weak, strong = problem_of(10), problem_of(1e6)
    assert weak.operator.raised is None
    assert not weak.notices
    (notice,) = strong.notices
    assert "metal" in notice
    assert "not resolved" in notice


def test_finer_elements_leave_epsilon_alone():
    raised = [problem_of(300, size).operator.raised for size in (0.15, 0.075)]
    assert raised[0].max() > 1
    assert raised[1] is None


@pytest.mark.parametrize("sigma", [100, 1e4, 1e7])
def test_the_ledger_closes(sigma):
    problem = problem_of(sigma)
    simulation = Simulation(problem, stepper_of(problem, backend="numpy"))
    book = Ledger(simulation)
    for _ in range(problem.steps_to_end()):
        simulation.advance(1)
        book.update(simulation)
    account = book.account
    assert abs(account.residual) < 1e-3 * account.turnover
    simulation.close()


def test_the_doctor_names_conductivity_where_it_matters():
    found = diagnose(problem_of(300))
    assert found.conduction > 1.3
    assert "if nothing conducted" in found.report()
    assert "if nothing conducted" not in diagnose(problem_of(1e8)).report()


@pytest.mark.parametrize(("physics", "loss"), LOSSES)
def test_only_what_conducts_is_called_a_conductor(physics, loss):
    text = f'physics = "{physics}"\n' + boxed("", f"[background]\n{loss} = 1e6\n")
    scene = parse_scene(f"{text}[solver]\nelement_size = 0.5\norder = 1\n")
    (notice,) = discretize_scene(scene, mesh_scene(scene)).notices
    conducts = loss == "sigma"
    assert ("acts like a conductor" if conducts else "acts like a wall") in notice
    assert ("conducts" in notice) == conducts
