"""The time step is within 10 % of the largest stable one, on the meshes that people use."""

import itertools

import pytest

from tests.products import ALL
from tests.sample_meshes import random_fields, vacuum_operator
from wavelab.meshing.formats import read_mesh
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.paths import MESHES
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.model.scene import Scene, Solver

#: Of steps; what grows slowly is seen after more of them, in the hunt.
STEPS = 600 if ALL else 300


def growth(operator: MaxwellTM, dt: float, n_steps: int) -> float:
    """Energy at the end over energy at the start, from noise that has every mode in it."""
    stepper = OpenCLStepper(operator, dt=dt, precision="double")
    stepper.set_fields(random_fields(operator.discretization))
    start = stepper.element_energy().sum()
    stepper.advance(n_steps)
    end = stepper.element_energy().sum()
    stepper.close()
    return float(end / start)


def check(operator: MaxwellTM) -> None:
    dt = stable_step(operator)
    assert growth(operator, 0.97 * dt, STEPS) < 1
    assert not growth(operator, 1.07 * dt, STEPS) < 1e3


MESH_FILES = sorted(MESHES.glob("*.msh"), key=lambda path: path.stat().st_size)


# Every order on one of the meshes, every mesh with small and large orders, the largest of these on
# the smallest mesh.
@pytest.mark.parametrize(
    ("order", "path"),
    list(zip(range(9, 0, -1), itertools.cycle(MESH_FILES), strict=False)),
    ids=lambda value: getattr(value, "stem", str(value)),
)
def test_on_shipped_meshes(order, path):
    check(vacuum_operator(discretize(read_mesh(path), order)))


def test_where_thousands_of_elements_are_alike():
    """The fastest mode spreads over all of them; a few elements alone do not have it."""
    mesh = mesh_scene(Scene("nearly regular", Solver(element_size=0.026)))
    assert mesh.n_elements > 3000
    check(vacuum_operator(discretize(mesh, 4)))
