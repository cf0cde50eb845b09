"""The time step is stable just below and unstable just above what the spectrum says."""

import numpy as np
import pytest

from tests.products import each_value
from tests.sample_meshes import jittered_square, mixed_operator, random_fields, vacuum_operator
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.spectra.arnoldi import ritz_values
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.numerics.time.stability import largest_stable_step
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time import time_step
from wavelab.physics.time.time_step import element_rates, stable_step, suited_scheme
from wavelab.scene.toml.toml_io import parse_scene


def growth(operator, dt, n_steps=400, scheme=None):
    """Of the energy of noise; on the device, where hundreds of steps take less time."""
    stepper = OpenCLStepper(operator, dt=dt, scheme=scheme, precision="double")
    stepper.set_fields(random_fields(operator.discretization))
    start = stepper.element_energy().sum()
    stepper.advance(n_steps)
    end = stepper.element_energy().sum()
    stepper.close()
    return end / start


@pytest.mark.parametrize(("order", "upwinding"), each_value([1, 2, 4, 7], [0.0, 0.5, 1.0]))
def test_stable_below_and_unstable_above(order, upwinding):
    operator = vacuum_operator(discretize(jittered_square(5), order), upwinding)
    dt = stable_step(operator)
    assert growth(operator, 0.95 * dt) < 1.001
    assert not growth(operator, 1.1 * dt) < 1e6


@pytest.mark.parametrize(("name", "upwinding"), each_value(list(SCHEMES), [0.0, 1.0]))
def test_of_every_scheme(name, upwinding):
    operator = vacuum_operator(discretize(jittered_square(4), 2), upwinding)
    scheme = SCHEMES[name]
    dt = stable_step(operator, scheme=scheme)
    assert growth(operator, 0.97 * dt, 300, scheme) < 1.001
    # Where a stability region has more than one part, the next may begin right behind the first.
    assert any(not growth(operator, times * dt, 300, scheme) < 1e6 for times in (1.1, 1.3))


def test_materials_and_walls_are_part_of_the_spectrum():
    operator = mixed_operator(3)
    dt = stable_step(operator)
    assert growth(operator, 0.95 * dt) < 1.001
    assert not growth(operator, 1.1 * dt) < 1e6


def test_a_few_bad_elements_in_a_large_mesh_are_found():
    mesh = jittered_square(12)
    vertices = mesh.vertices.copy()
    middle = int(np.argmin(np.abs(vertices - 0.5).sum(axis=1)))
    neighbor = int(np.argsort(np.abs(vertices - vertices[middle]).sum(axis=1))[1])
    vertices[middle] += 0.8 * (vertices[neighbor] - vertices[middle])
    bad = Mesh.plain(vertices, mesh.triangles)
    good_dt = stable_step(vacuum_operator(discretize(mesh, 2)))
    operator = vacuum_operator(discretize(bad, 2))
    dt = stable_step(operator)
    assert dt < good_dt
    assert growth(operator, 0.95 * dt) < 1.001
    assert not growth(operator, 1.1 * dt) < 1e6


def test_ritz_values_reach_the_outer_eigenvalues():
    rng = np.random.default_rng(0)
    matrix = np.diag(-(np.linspace(0, 1, 60) ** 2)) + 0.01 * rng.standard_normal((60, 60))
    matrix[0, 0] = -5
    ritz = ritz_values(lambda v: matrix @ v, 60, 25)
    outer = max(np.linalg.eigvals(matrix), key=abs)
    assert min(abs(ritz - outer)) < 1e-8


def test_there_is_no_step_for_nothing():
    with pytest.raises(ValueError, match="spectrum"):
        largest_stable_step(np.array([0j]), SCHEMES["ck54"])


def test_media_without_any_step_are_told(monkeypatch):
    monkeypatch.setattr(time_step, "ritz_values", lambda *_: np.array([np.nan + 0j]))
    with pytest.raises(SceneError, match="no time step can be found"):
        stable_step(vacuum_operator(discretize(jittered_square(2), 2)))


def step_of(physics: str, rest: str, length: float, upwinding: float = 1.0) -> float:
    """In parts of the time in which light crosses a unit of ``length``."""
    scene = parse_scene(
        f"""title = "box"
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [{2 * length!r}, {length!r}]
{rest}
[solver]
element_size = {0.2 * length!r}
order = 3
upwinding = {upwinding!r}
"""
    )
    return discretize_scene(scene, mesh_scene(scene)).dt_max / length


@pytest.mark.parametrize(
    ("physics", "rest"),
    [
        (
            "light",
            lambda s: f'[[walls]]\nedges = ["domain"]\nkind = "open"\nthickness = {0.3 * s!r}',
        ),
        ("elastic", lambda s: f"[background]\np_quality = 9\nq_frequency = {1 / s!r}"),
        (
            "te",
            lambda s: (
                "[background]\npoles = ["
                f'{{ kind = "lorentz", frequency = {1.1 / s!r}, strength = 0.7 }}, '
                f'{{ kind = "drude", frequency = {0.5 / s!r}, damping = {0.3 / s!r} }}]'
            ),
        ),
        ("membrane", lambda s: ""),
    ],
    ids=["open", "solid", "poles", "membrane"],
)
def test_a_step_does_not_depend_on_the_unit_of_length(physics, rest):
    """What layers and media remember has powers of time in its units: in metres a scene of light
    has 1e-18 of one beside 1 of another."""
    steps = [step_of(physics, rest(2.0**power), 2.0**power) for power in (0, -20, -30, 30)]
    assert steps[1:] == pytest.approx([steps[0]] * 3, rel=5e-3)


OPEN = '[[walls]]\nedges = ["domain.left"]\nkind = "open"\nthickness = 0.4\n'
PIECE = '[[materials]]\nshape = "rectangle"\nlower = [1.2, 0.4]\nupper = [1.6, 0.8]\n'


@pytest.mark.parametrize("upwinding", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("physics", "rest"),
    [
        ("sound", lambda c, d: f"{OPEN}[background]\ndensity = {d!r}\nspeed = {c!r}"),
        (
            "sound",
            lambda c, d: (
                f'{PIECE}density = "{3 * d!r}*(1 + y)"\nspeed = {2 * c!r}\ndamping = {c!r}\n'
                f"[background]\ndensity = {d!r}\nspeed = {c!r}"
            ),
        ),
        (
            "elastic",
            lambda c, d: (
                f"{PIECE}density = {3 * d!r}\np_speed = {2 * c!r}\ns_speed = 0\n"
                f"[background]\ndensity = {d!r}\np_speed = {c!r}\ns_speed = {0.6 * c!r}\n"
                f"p_quality = 20\ns_quality = 10\nq_frequency = {c!r}"
            ),
        ),
        ("membrane", lambda c, d: f"[background]\ndensity = {d!r}\nspeed = {c!r}"),
    ],
    ids=["layer", "graded piece", "solid and fluid", "membrane"],
)
def test_a_step_does_not_depend_on_the_units_of_media(physics, rest, upwinding):
    """Of water and of rock in SI units the pressure is 1e6 and 1e7 of the velocity, and steps that
    were found without regard to that were up to 2.3 times too long with the central flux."""
    if "open" in rest(1.0, 1.0) and not upwinding:
        upwinding = 0.1
    media = [(1.0, 1.0), (1480.0, 1000.0), (5000.0, 2600.0), (1.0, 1e-9), (1e-4, 1.0)]
    steps = [c * step_of(physics, rest(c, d), 1.0, upwinding) for c, d in media]
    assert steps[1:] == pytest.approx([steps[0]] * (len(steps) - 1), rel=1e-3)


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("candidates", [200, time_step.CANDIDATES])
def test_on_a_large_even_mesh_the_step_is_that_of_the_whole_operator(
    order, candidates, monkeypatch
):
    """No element stands out, and the fastest mode is spread over many; it is found also where
    not every element is looked at."""
    monkeypatch.setattr(time_step, "CANDIDATES", candidates)
    operator = vacuum_operator(discretize(jittered_square(28), order))
    d = operator.discretization

    def apply(vector):
        change = right_hand_side(operator, MaxwellFields(*vector.reshape(3, *d.shape)))
        return np.stack([change.hx, change.hy, change.ez]).ravel()

    scheme = suited_scheme(operator)
    whole = largest_stable_step(ritz_values(apply, 3 * d.x.size, 60), scheme)
    assert 0.92 * whole < stable_step(operator) < 1.01 * whole


def test_leaving_out_the_worst_elements_lengthens_the_step():
    mesh = jittered_square(9)
    vertices = mesh.vertices.copy()
    middle = int(np.argmin(np.abs(vertices - 0.5).sum(axis=1)))
    neighbor = int(np.argsort(np.abs(vertices - vertices[middle]).sum(axis=1))[1])
    vertices[middle] += 0.9 * (vertices[neighbor] - vertices[middle])
    operator = vacuum_operator(discretize(Mesh.plain(vertices, mesh.triangles), 2))
    worst = np.argsort(-element_rates(operator))
    steps = [stable_step(operator, without=worst[:n]) for n in (0, 2, 12)]
    assert steps[0] < steps[1] < steps[2]
    assert steps[2] > 2 * steps[0]
    with pytest.raises(ValueError, match="without elements"):
        stable_step(operator, without=worst)
