"""Elements with arcs among their faces: the kernels that is curved do what the oracle does."""

import math

import numpy as np
import pytest

from tests.opencl.conftest import relative_error
from tests.products import only_in_hunt
from tests.sample_meshes import elliptic_disk, mixed_operator, random_fields
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.refine import refine
from wavelab.opencl.elements import curved
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.physics.problem import discretize_scene
from wavelab.physics.sources.source_terms import NodalSourceTerm
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Polygon
from wavelab.scene.walls import PeriodicWall
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import make_stepper


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled() -> None:
    """These are not, but as a program compiles them: what all else rests on."""


TOLERANCE = {"single": 1e-5, "double": 1e-12}


def some_curved(order, upwinding=1.0):
    """36 elements, the last 12 of them curved."""
    return mixed_operator(order, upwinding, elliptic_disk())


def borders_curved(order, upwinding=1.0):
    """192 elements, the last 96 of them curved, at the rim, around a hole and between two media."""
    return mixed_operator(order, upwinding, refine(elliptic_disk(hole=0.3, core=True)))


def compare(device, operator, precision="double", **how):
    fields = random_fields(operator.discretization)
    stepper = OpenCLStepper(operator, dt=1e-3, precision=precision, device=device, **how)
    found = stepper.right_hand_side(fields)
    error = relative_error(found, right_hand_side(operator, fields))
    oracle = NumpyStepper(operator, dt=1e-3)
    for s in (stepper, oracle):
        s.set_fields(fields)
    np.testing.assert_allclose(
        stepper.element_energy(), operator.element_energy(fields), rtol=TOLERANCE[precision]
    )
    for s in (stepper, oracle):
        s.advance(2)
    error = max(error, relative_error(stepper.fields(), oracle.fields()))
    first = stepper._variant.curved.first
    stepper.close()
    assert error < TOLERANCE[precision]
    return first


@pytest.mark.parametrize(
    ("order", "variant"),
    [(n, ("aosoa", "per_node")[n // 2 % 2]) for n in (2, 3, 4, 5, 9, *only_in_hunt(6, 7, 8, 10))],
)
def test_every_order(device, order, variant):
    upwinding = (1.0, 0.0, 0.5)[order % 3]
    precision = ("single", "double")[order % 2]
    compare(device, borders_curved(order, upwinding), precision, variant=variant)


# Orders have the other pairs among them.
@pytest.mark.parametrize(
    ("precision", "upwinding"),
    [("single", 1.0), ("double", 0.5), *only_in_hunt(("single", 0.5), ("double", 1.0))],
)
def test_every_flux_in_both_precisions(device, precision, upwinding):
    compare(device, borders_curved(2, upwinding), precision)


@pytest.mark.parametrize(("matrices", "rows"), [("even_odd_gpu", 2), ("tensor", 4), ("buffer", 1)])
def test_blocks_that_do_not_end_where_the_curved_elements_begin(device, matrices, rows):
    operator = some_curved(2)
    assert operator.discretization.first_curved == 24
    config = KernelConfig(16, 1, rows, matrices=matrices)
    assert compare(device, operator, config=config) == 16


@pytest.mark.parametrize("variant", ["aosoa", "per_node"])
def test_a_mesh_of_curved_elements_alone(device, variant):
    operator = mixed_operator(3, 1.0, elliptic_disk(hole=0.3, core=True))
    assert compare(device, operator, variant=variant) == 0


@pytest.mark.parametrize(("variant", "order"), [("aosoa", 2), ("per_node", 3)])
def test_a_group_for_an_element_as_on_graphics_cards(device, monkeypatch, variant, order):
    monkeypatch.setattr(curved, "kind_of", lambda device: "GPU")
    compare(device, borders_curved(order), variant=variant)


def test_sources_and_auxiliary_equations_reach_the_neighbours(device):
    operator = borders_curved(3)
    d = operator.discretization
    rng = np.random.default_rng(0)
    nodes = np.sort(rng.choice(d.x.size, d.x.size // 2, replace=False))
    source_term = NodalSourceTerm(nodes, rng.standard_normal(len(nodes)), lambda t: np.cos(3 * t))
    elements = np.arange(d.first_curved - 8, d.n_elements)
    rates = {"hx": "-c*hx", "hy": "-2*c*hy", "ez": "-c*m", "m": "ez - c*m"}
    coefficients = {"c": rng.uniform(1, 9, (len(elements), d.nodes_per_element))}
    steppers = (
        OpenCLStepper(operator, dt=1e-3, precision="double", device=device),
        NumpyStepper(operator, dt=1e-3),
    )
    for s in steppers:
        s.set_source_terms([source_term])
        s.set_auxiliary_equations([AuxiliaryEquations.written(elements, coefficients, rates)])
        s.set_fields(random_fields(d))
        s.advance(3)
        s.ping(nodes, np.ones(len(nodes)))
        s.advance(2)
    found, expected = (s.fields() for s in steppers)
    steppers[0].close()
    assert relative_error(found, expected) < 1e-12


def test_straight_meshes_compile_nothing_new(device):
    stepper = OpenCLStepper(mixed_operator(2), dt=1e-3, device=device)
    names = {kernel.function_name for kernel in stepper._variant.kernels._program.all_kernels()}
    launches = {len(stage) for stages in stepper._stages for stage in stages}
    stepper.close()
    assert not any("dense" in name for name in names)
    assert launches == {1}


def test_the_self_test_has_arcs_for_operators_with_arcs(device, monkeypatch):
    """And refuses a device that is wrong on these alone."""
    operator = some_curved(3)
    make_stepper(operator, dt=1e-3, backend="opencl").close()
    right = curved._packed
    monkeypatch.setattr("wavelab.simulation.steppers.one_device._passed", set())
    monkeypatch.setattr(curved, "_packed", lambda *given: 1.001 * right(*given))
    with pytest.raises(Exception, match="self-test"):
        make_stepper(operator, dt=1e-3, backend="opencl")


@pytest.mark.parametrize("variant", ["aosoa", "per_node"])
def test_edges_glued_at_an_angle_beside_an_arc(device, variant):
    """A quarter of a disk whose straight sides are one edge, turned by 90 degrees."""
    quarter = Polygon(((0, 0), (1, 0), (0, 1)), (0.0, math.tan(math.pi / 8), 0.0))
    glued = PeriodicWall(("domain.0", "domain.2"))
    scene = Scene("quarter", Solver(element_size=0.4), quarter, walls=(glued,))
    operator = discretize_scene(scene, mesh_scene(scene), order=3).operator
    d = operator.discretization
    assert d.connectivity.is_boundary.sum() < (d.mesh.face_tags >= 0).sum()
    assert d.curved is not None
    # A curved element has a part in a glued side.
    assert (d.mesh.face_tags[d.first_curved :] != d.mesh.face_names.index("domain.1")).any()
    compare(device, operator, variant=variant)
