"""Local time stepping on a device agrees with NumPy."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.ader_long_run import cases
from tests.opencl.conftest import relative_error
from tests.products import only_in_hunt
from tests.sample_meshes import elliptic_disk, narrow_strip, random_fields
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.elements import curved
from wavelab.opencl.local_time import clusters as cluster_kernels
from wavelab.opencl.local_time import local_stepper
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
)
from wavelab.physics.time.local_stepping import local_clusters
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sending.waveform import TimeFunction
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper

TOLERANCE = {"single": 3e-6, "double": 1e-12}


def curved_mesh() -> Mesh:
    """45 elements, of which the 24 curved ones begin in the middle of a block."""
    mesh = elliptic_disk(hole=0.3)
    straight = np.flatnonzero(~mesh.has_curved_face())
    return mesh.permuted(np.setdiff1d(np.arange(mesh.n_elements), straight[[0, 5, 11]]))


CURVED = curved_mesh()


def case(
    order: int, *, lossy: bool = True, mesh: Mesh | None = None, upwinding: float = 1.0
) -> tuple[MaxwellTM, Clusters, float]:
    """Random materials and walls on 50 elements of several levels, in their order."""
    d = discretize(mesh or narrow_strip(5), order)
    k = d.n_elements

    def operator(d):
        rng = np.random.default_rng(order)
        return MaxwellTM(
            d,
            epsilon=rng.uniform(1, 1.2, k),
            mu=rng.uniform(1, 1.2, k),
            sigma=rng.uniform(0, 1, k) * lossy,
            reflection=rng.choice([-1.0, 0.0, 0.3, 1.0], (k, 3)),
            upwinding=upwinding,
        )

    clusters, step = local_clusters(operator(d))
    assert clusters.n_levels >= (3 if mesh is None else 2)
    order_of = clusters.sorting(d.first_curved)
    return operator(d.part(order_of)), clusters.permuted(order_of), 0.5 * step


def equations(operator: MaxwellTM) -> list[AuxiliaryEquations]:
    """Two sets that share blocks, with every kind of term and names that kernels like to use."""
    rng = np.random.default_rng(4)
    n_elements, n_nodes = operator.discretization.shape
    chosen = rng.permutation(n_elements)
    some = {name: rng.uniform(-3, 3, (17, n_nodes)) for name in ("ca", "cb")}
    other = {"a": rng.uniform(1, 2, (9, n_nodes))}
    return [
        AuxiliaryEquations.written(
            chosen[:17],
            some,
            {
                "hx": "ca*pa - 2*hy",
                "hy": "cb*hy + pb/4",
                "ez": "-ca*ez + cb*hx - pa",
                "pa": "ez + ca*pb - 30*pa",
                "pb": "hx - cb*hy - pb",
            },
        ),
        AuxiliaryEquations.written(chosen[20:29], other, {"ez": "-a*ez + 5*n", "n": "ez - a*n"}),
    ]


def compare(
    order: int, precision: str, source_terms=(), *, lossy=True, start=None, steps=3,
    remembers=False, mesh=None, upwinding=1.0,
):  # fmt: skip
    operator, clusters, dt = case(order, lossy=lossy, mesh=mesh, upwinding=upwinding)
    steppers = (
        LocalNumpyStepper(operator, dt=dt, scheme=clusters),
        LocalOpenCLStepper(operator, dt=dt, clusters=clusters, precision=precision),
    )
    shape = operator.discretization.shape
    local = equations(operator) if remembers else []
    for stepper in steppers:
        stepper.set_source_terms(source_terms)
        stepper.set_auxiliary_equations(local)
        stepper.set_fields(start or MaxwellFields.zeros(shape))
        stepper.set_clock(0.7, 10)
        stepper.advance(steps)
    expected, found = (stepper.fields() for stepper in steppers)
    energies = [stepper.element_energy() for stepper in steppers]
    steppers[1].close()
    assert abs(expected.ez).max() > 0
    assert relative_error(found, expected) < TOLERANCE[precision]
    for here, there in zip(found.auxiliary, expected.auxiliary, strict=True):
        assert np.abs(here - there).max() < TOLERANCE[precision] * np.abs(there).max()
    np.testing.assert_allclose(energies[1], energies[0], rtol=1e-4, atol=1e-6 * energies[0].max())


@pytest.mark.parametrize(
    ("order", "precision"),
    [
        (2, "double"), (5, "single"),
        *only_in_hunt(
            (1, "single"), (1, "double"), (2, "single"), (5, "double")
        ),
    ],
)  # fmt: skip
def test_agrees_with_numpy(order, precision):
    operator, _, _ = case(order)
    compare(order, precision, start=random_fields(operator.discretization))


# Of a mesh with arcs half of the elements are straight.
@pytest.mark.parametrize(("order", "mesh"), [(2, CURVED), *only_in_hunt((1, None), (3, CURVED))])
def test_less_upwinding_agrees_with_numpy(order, mesh):
    start = random_fields(case(order, mesh=mesh)[0].discretization)
    compare(order, "double", start=start, mesh=mesh, upwinding=0.5, remembers=True)


@pytest.mark.parametrize("together", [0, 1, 3])
def test_small_clusters_may_step_in_one_launch(monkeypatch, together):
    """To the last digit, however many of the four levels do."""
    operator, clusters, dt = case(2)
    states = []
    for most in (0, together):
        monkeypatch.setattr(cluster_kernels, "_MOST_LEVELS", most)
        stepper = LocalOpenCLStepper(operator, dt=dt, clusters=clusters)
        if not stepper._variant.config.alone:
            stepper.close()
            pytest.skip("for devices where a work item does a block alone, which are processors")
        launches = [act for act, _, _ in stepper._schedule]
        assert launches.count("together") == (0 if not most else 8 >> most)
        stepper.set_fields(random_fields(operator.discretization))
        stepper.advance(3)
        states.append(stepper.fields())
        stepper.close()
    assert relative_error(*states) == 0


def test_nothing_grows_with_many_clusters():
    """``python -m scripts.ader_long_run`` is the same for longer."""
    (name, operator, clusters, dt, _), *_ = cases(4)
    assert clusters.n_levels == 5
    stepper = LocalOpenCLStepper(operator, dt=dt, clusters=clusters, precision="double")
    stepper.set_fields(random_fields(operator.discretization))
    energies = [stepper.element_energy().sum()]
    for steps in (10, 100, 1000):
        stepper.advance(steps)
        energies.append(stepper.element_energy().sum())
    stepper.close()
    assert name == "conductors"
    assert (np.diff(energies) < 0).all()
    assert energies[-1] > 0.3 * energies[0]


def test_without_losses():
    operator, _, _ = case(3, lossy=False)
    compare(3, "double", start=random_fields(operator.discretization), lossy=False)


@pytest.mark.parametrize(
    ("order", "precision", "remembers"),
    [(2, "double", False), (2, "single", True), *only_in_hunt((3, "single", True))],
)
def test_curved_elements_agree_with_numpy(order, precision, remembers):
    operator, clusters, _ = case(order, mesh=CURVED)
    first = operator.discretization.first_curved
    assert first == 21
    assert len(set(clusters.levels[first:])) > 1
    source_terms = [FORMULA] if remembers else []
    start = random_fields(operator.discretization)
    compare(order, precision, source_terms, start=start, remembers=remembers, mesh=CURVED)


@pytest.mark.parametrize(
    ("order", "precision"), [(2, "double"), *only_in_hunt((2, "single"), (4, "double"))]
)
def test_auxiliary_equations_agree_with_numpy(order, precision):
    operator, _, _ = case(order)
    start = random_fields(operator.discretization)
    nodal = replace(NODAL, nodes=np.array([3, 4, 61, 210, 299]))
    compare(order, precision, [FORMULA, nodal], start=start, remembers=True)


def test_memory_goes_with_the_fields():
    operator, clusters, dt = case(2)
    stepper = LocalOpenCLStepper(operator, dt=dt, clusters=clusters, precision="double")
    stepper.set_auxiliary_equations(equations(operator))
    stepper.set_fields(random_fields(operator.discretization))
    stepper.advance(2)
    state = stepper.fields()
    assert all(m.any() for m in state.auxiliary)
    stepper.advance(2)
    ahead = stepper.fields()
    stepper.set_fields(state)
    stepper.advance(2)
    assert relative_error(stepper.fields(), ahead) < 1e-14
    assert np.allclose(stepper.fields().auxiliary[0], ahead.auxiliary[0], rtol=1e-12, atol=1e-15)
    stepper.set_auxiliary_equations([])
    assert stepper.fields().auxiliary == ()
    twice = equations(operator)[:1] * 2
    with pytest.raises(SceneError, match="displacement of a membrane"):
        stepper.set_auxiliary_equations(twice)
    stepper.close()


def wave(t):
    return np.sin(7 * np.asarray(t))


NODAL = NodalSourceTerm(np.array([3, 4, 61, 310, 449]), np.array([1.0, 2, 3, -1, 2]), wave)
FORMULA = FormulaSourceTerm(Formula.parse("sin(x + 9*t)*y", ("x", "y", "t")))
MOVING = MovingSourceTerm(
    Formula.parse("0.3 + t/5", ("t",)), Formula.parse("0.5", ("t",)), 0.1,
    np.linspace(1, 2, 50), TimeFunction(Formula.parse("cos(5*t)", ("t",))),
)  # fmt: skip


FACES = FaceSourceTerm(
    np.array([3, 20, 49]), np.array([0, 1, 2]), np.ones((3, 5)), np.full((3, 5), 0.5),
    np.full((3, 1), 0.1), TimeFunction(Formula.parse("cos(5*t)", ("t",))),
)  # fmt: skip


@pytest.mark.parametrize(
    "source_terms",
    [[NODAL], [FORMULA, NODAL], [MOVING], [FACES]],
    ids=["nodal", "formula", "moving", "faces"],
)
def test_sources_agree_with_numpy(source_terms):
    # In order 4 both look at a source as often.
    compare(4, "double", source_terms)


def test_sources_in_single_precision():
    compare(3, "single", [NODAL])


def test_sources_can_be_taken_away():
    operator, clusters, dt = case(2)
    stepper = LocalOpenCLStepper(operator, dt=dt, clusters=clusters)
    stepper.set_source_terms([replace(NODAL, nodes=np.array([3, 4, 61, 210, 299]))])
    stepper.set_source_terms([])
    stepper.advance(2)
    assert stepper.element_energy().sum() == 0
    stepper.close()


def test_elements_out_of_order_are_refused():
    operator, clusters, dt = case(1)
    with pytest.raises(ValueError, match="order of their levels"):
        LocalOpenCLStepper(operator, dt=dt, clusters=Clusters(clusters.levels[::-1]))


@pytest.mark.parametrize("mesh", [CURVED, *only_in_hunt(None)])
def test_the_shape_for_graphics_cards(monkeypatch, mesh):
    for module in (local_stepper, curved):
        monkeypatch.setattr(module, "kind_of", lambda device: "GPU")
    operator, _, _ = case(3, mesh=mesh)
    start = random_fields(operator.discretization)
    compare(3, "double", [NODAL], start=start, remembers=True, mesh=mesh)
