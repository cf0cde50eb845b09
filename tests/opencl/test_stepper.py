"""Whole steps, with everything that acts on them, against the NumPy stepper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.products import only_in_hunt
from wavelab.errors import FormulaError, WavelabError
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.device import host_copy
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.observers import readback
from wavelab.opencl.stepper import BATCH, OpenCLStepper
from wavelab.opencl.variants.configs import unrolled_config
from wavelab.opencl.variants.variants import VARIANTS
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
)
from wavelab.physics.stepper import quantities_of
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.waveforms import Sine
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled() -> None:
    """These are not, but as a program compiles them: what all else rests on."""


DT = 2e-3


@pytest.fixture(params=[1.0, 0.4], ids=["upwind", "general"])
def operator(request):
    return mixed_operator(3, request.param)


@pytest.fixture(
    params=[
        {"scheme": SCHEMES["ck54"]},
        {"scheme": SCHEMES["ndb144"]},
        {"scheme": SCHEMES["ndb134"], "config": KernelConfig(32, 1, rows=2, tile=4)},
        {"scheme": SCHEMES["ndb144"], "variant": "per_node"},
    ],
    ids=["odd", "even", "side by side", "per node"],
)
def pair(request, operator, device):
    """The same random fields on the device and in NumPy."""
    stepper = OpenCLStepper(operator, dt=DT, precision="double", device=device, **request.param)
    oracle = NumpyStepper(operator, dt=DT, scheme=request.param["scheme"])
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
    yield stepper, oracle
    stepper.close()


def agree(pair, tolerance: float = 1e-12) -> bool:
    stepper, oracle = pair
    return relative_error(stepper.fields(), oracle.fields()) < tolerance


def probes(operator) -> ProbePoints:
    rng = np.random.default_rng(5)
    weights = rng.uniform(-1, 1, (3, operator.discretization.nodes_per_element))
    return ProbePoints(("a", "b", "c"), np.array([0, 49, 17], np.int32), weights)


def nodal_source_terms(operator) -> list[NodalSourceTerm]:
    """Two that share nodes, vertices among them, with waveforms that change within a step."""
    rng = np.random.default_rng(2)
    n = operator.discretization.x.size
    sets = [rng.choice(n, 60, replace=False), rng.choice(n, n // 2, replace=False)]
    return [
        NodalSourceTerm(sets[0], rng.uniform(-1, 1, 60), lambda t: np.sin(300 * t)),
        NodalSourceTerm(sets[1], rng.uniform(-1, 1, n // 2), lambda t: np.exp(-t) + 1),
    ]


def formula_source_terms() -> list[FormulaSourceTerm]:
    texts = ("sin(3*x - 200*t) + y^2", "1 if x < 0.5 else cos(9*y*t)")
    return [FormulaSourceTerm(Formula.parse(text, ("x", "y", "t"))) for text in texts]


def test_steps(pair):
    for n_steps in (1, 1, 5):
        for stepper in pair:
            stepper.advance(n_steps)
        assert agree(pair)
    assert [s.steps for s in pair] == [7, 7]
    assert pair[0].time == pair[1].time


def test_nodal_source_terms(pair, operator):
    for stepper in pair:
        stepper.set_source_terms(nodal_source_terms(operator))
        stepper.advance(3)
        stepper.advance(2)
    assert agree(pair)


def moving_source_term(operator, hurry: int = 1) -> MovingSourceTerm:
    """Crosses the square from outside to outside, so that the elements in reach change, in 150
    steps or in as much less as it hurries."""
    places = (f"-0.1 + {4 * hurry}*t", f"0.3 + {hurry}*t")
    x, y = (Formula.parse(text, ("t",)) for text in places)
    strength = np.random.default_rng(8).uniform(1, 2, operator.discretization.n_elements)
    return MovingSourceTerm(x, y, 0.05, strength, Sine(20.0, ramp=0.5).function())


def test_a_moving_drive_over_several_batches(pair, operator, monkeypatch):
    monkeypatch.setattr("wavelab.opencl.stepper.BATCH", 8)
    for stepper in pair:
        stepper.set_fields(MaxwellFields.zeros(operator.discretization.shape))
        stepper.set_source_terms(
            [moving_source_term(operator, hurry=7), *nodal_source_terms(operator)]
        )
        stepper.advance(2 * 8 + 5)
    assert agree(pair, 1e-11)


def face_source_term(operator) -> FaceSourceTerm:
    """Through any faces, several of one element among them, with any delays."""
    rng = np.random.default_rng(6)
    d = operator.discretization
    elements, faces = np.divmod(rng.choice(3 * d.n_elements, 40, replace=False), 3)
    e, h, delay = rng.uniform(0, 1, (3, 40, d.element.nodes_per_face))
    return FaceSourceTerm(elements, faces, e, h, delay / 50, Sine(20.0, ramp=0.1).function())


def test_a_face_source_term(pair, operator):
    for stepper in pair:
        stepper.set_clock(1.0, 100)
        stepper.set_source_terms([face_source_term(operator), moving_source_term(operator)])
        stepper.advance(7)
    assert agree(pair)


@pytest.mark.parametrize(
    ("operator", "rows"),
    [(1.0, 4), (0.4, 1), *only_in_hunt((1.0, 1), (0.4, 4))],
    indirect=["operator"],
)
def test_all_drives_beside_an_unrolled_stage(device, operator, rows):
    """Where elements publish what is theirs in one piece."""
    config = unrolled_config(rows, 8)
    stepper = OpenCLStepper(operator, dt=DT, precision="double", device=device, config=config)
    oracle = NumpyStepper(operator, dt=DT)
    source_terms = [
        face_source_term(operator), moving_source_term(operator),
        *nodal_source_terms(operator), *formula_source_terms(),
    ]  # fmt: skip
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
        s.set_source_terms(source_terms)
        s.advance(5)
    assert agree((stepper, oracle))
    stepper.close()


def test_a_wave_in_single_precision_is_as_good_after_a_million_periods(device, operator):
    source_term = replace(face_source_term(operator), waveform=Sine(20.0).function())
    found = []
    for periods in (1, 10**6):
        stepper = OpenCLStepper(operator, dt=DT, precision="single", device=device)
        stepper.set_clock(0.3 + periods / 20, 0)
        stepper.set_source_terms([source_term])
        stepper.advance(20)
        found.append(stepper.fields())
        stepper.close()
    assert relative_error(*found) < 1e-5


def test_formula_source_terms(pair):
    for stepper in pair:
        stepper.set_source_terms(formula_source_terms())
        stepper.advance(5)
    assert agree(pair)


def test_all_sources_and_a_clock_that_was_set(pair, operator):
    for stepper in pair:
        stepper.set_clock(0.75, 1000)
        stepper.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
        stepper.advance(4)
        stepper.set_source_terms([])
        stepper.advance(2)
    assert agree(pair)
    assert pair[0].steps == 1006
    assert pair[0].time == pytest.approx(0.75 + 6 * DT)


def test_a_drive_without_nodes_does_nothing(pair):
    for stepper in pair:
        stepper.set_source_terms(
            [NodalSourceTerm(np.zeros(0, np.int64), np.zeros(0), lambda t: 1.0)]
        )
        stepper.advance(1)
    assert agree(pair)


def test_ping_between_steps(pair, operator):
    rng = np.random.default_rng(3)
    n = operator.discretization.x.size
    for stepper in pair:
        stepper.advance(1)
    # Once before an even and once before an odd step: the traces change roles.
    for _ in range(2):
        nodes, values = rng.choice(n, n // 3, replace=False), rng.normal(size=n // 3)
        for stepper in pair:
            stepper.ping(nodes, values)
        assert agree(pair, 1e-14)
        for stepper in pair:
            stepper.advance(1)
        assert agree(pair)
    pair[0].ping(np.zeros(0, np.int64), np.zeros(0))
    assert agree(pair)


def test_fields_replaced_after_an_odd_number_of_steps(pair, operator):
    for stepper in pair:
        stepper.advance(3)
        stepper.set_fields(random_fields(operator, seed=9))
        stepper.advance(2)
    assert agree(pair)


def test_probes_over_several_batches(pair, operator):
    n_steps = BATCH + 3
    for stepper in pair:
        stepper.set_probes(probes(operator))
        stepper.set_source_terms(nodal_source_terms(operator))
    found, expected = (stepper.advance(n_steps) for stepper in pair)
    assert found.shape == (n_steps, 3)
    assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()
    assert agree(pair, 1e-11)
    pair[0].set_probes(ProbePoints.none(10))
    assert pair[0].advance(2).shape == (2, 0)


@pytest.mark.parametrize("quantity", quantities_of(MaxwellFields))
def test_views(pair, operator, quantity):
    found, expected = (stepper.view(quantity) for stepper in pair)
    assert found.shape == operator.discretization.shape
    assert found.dtype == np.float32
    assert np.allclose(found, expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_views_in_single_precision(operator, device, variant):
    stepper = OpenCLStepper(operator, dt=DT, device=device, variant=variant)
    oracle = NumpyStepper(operator, dt=DT)
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
    for quantity in quantities_of(MaxwellFields):
        np.testing.assert_allclose(stepper.view(quantity), oracle.view(quantity), rtol=1e-5)
    stepper.close()


def everywhere(operator, n=40) -> ProbePoints:
    """All fields at places of random elements."""
    rng = np.random.default_rng(3)
    weights = rng.normal(size=(n, operator.discretization.nodes_per_element))
    elements = rng.integers(0, operator.discretization.n_elements, n).astype(np.int32)
    at = ProbePoints(("",) * n, elements, weights)
    return joined([at.of(name) for name in MaxwellFields.names])


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_fields_at_points_beside_a_view(operator, device, variant, precision, monkeypatch):
    """Also as on a device with memory of its own, where steps go on meanwhile."""
    monkeypatch.setattr(host_copy, "shares_memory", lambda device: variant == "per_node")
    stepper = OpenCLStepper(operator, dt=DT, device=device, variant=variant, precision=precision)
    oracle = NumpyStepper(operator, dt=DT)
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
    tolerance = 1e-5 if precision == "single" else 1e-12
    for points in (everywhere(operator), everywhere(operator, 7), ProbePoints.none(10)):
        view, coming = stepper.begin_view("ez"), stepper.begin_samples(points)
        expected = points.sample(oracle.fields())
        shown = oracle.view("ez")
        for s in (stepper, oracle):
            s.advance(2)
        np.testing.assert_allclose(coming.values(), expected, atol=10 * tolerance)
        np.testing.assert_allclose(view.values(), shown, atol=tolerance)
    stepper.close()


@pytest.mark.parametrize("shared", [True, False], ids=["shared", "apart"])
def test_samples_that_are_read_beside_those_on_their_way(operator, device, monkeypatch, shared):
    """A movie has arrows of its own while a frame of the window is still being copied."""
    monkeypatch.setattr(host_copy, "shares_memory", lambda device: shared)
    stepper = OpenCLStepper(operator, dt=DT, device=device, precision="double")
    stepper.set_fields(random_fields(operator))
    made = []
    sampler = readback.ProbeSampler
    monkeypatch.setattr(readback, "ProbeSampler", lambda *a: made.append(a) or sampler(*a))
    shown, filmed = everywhere(operator), everywhere(operator, 33)
    for _ in range(3):
        expected = [points.sample(stepper.fields()) for points in (shown, filmed)]
        coming = stepper.begin_samples(shown)
        found = stepper.samples(filmed)
        stepper.advance(2)
        np.testing.assert_allclose(found, expected[1], atol=1e-12)
        np.testing.assert_allclose(coming.values(), expected[0], atol=1e-12)
    assert len(made) == 2  # each kept as long as its points are
    stepper.close()


@pytest.mark.parametrize("quantity", ["ez", "energy"])
def test_a_view_that_is_read_beside_the_steps(operator, device, monkeypatch, quantity):
    """As on a device with memory of its own: what else is read meanwhile does not disturb it."""
    monkeypatch.setattr(host_copy, "shares_memory", lambda device: False)
    stepper = OpenCLStepper(operator, dt=DT, device=device)
    stepper.set_fields(random_fields(operator))
    for _ in range(3):
        expected = stepper.view(quantity)
        coming = stepper.begin_view(quantity)
        stepper.advance(BATCH + 1)
        assert not np.array_equal(stepper.view(quantity), expected)
        stepper.element_energy()
        np.testing.assert_array_equal(coming.values(), expected)
    late = stepper.begin_view(quantity)
    stepper.close()
    assert late.values() is None


def test_energies(pair):
    found, expected = (stepper.element_energy() for stepper in pair)
    assert np.allclose(found, expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_single_precision_stays_close(operator, device, variant):
    stepper = OpenCLStepper(operator, dt=DT, device=device, variant=variant)
    oracle = NumpyStepper(operator, dt=DT)
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
        s.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
        s.set_probes(probes(operator))
    found, expected = stepper.advance(20), oracle.advance(20)
    assert np.abs(found - expected).max() < 2e-6 * np.abs(expected).max()
    assert relative_error(stepper.fields(), oracle.fields()) < 2e-6
    assert np.allclose(stepper.element_energy(), oracle.element_energy(), rtol=1e-4)
    stepper.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_runs_give_the_same_bits(operator, device, variant):
    results = []
    for batches in ([7], [3, 4]):
        stepper = OpenCLStepper(operator, dt=DT, device=device, variant=variant)
        stepper.set_fields(random_fields(operator))
        stepper.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
        for n in batches:
            stepper.advance(n)
        results.append(stepper.fields())
        stepper.close()
    assert relative_error(*results) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_field_that_is_not_finite_shows(operator, device, variant):
    """Nothing in the kernels may assume that there are no NaNs."""
    few = SCHEMES["ck54"]  # A stage takes them a neighbour further.
    stepper = OpenCLStepper(operator, dt=DT, scheme=few, device=device, variant=variant)
    fields = MaxwellFields.zeros(operator.discretization.shape)
    fields.ez[23, 4] = np.nan
    stepper.set_fields(fields)
    stepper.advance(1)
    energy = stepper.element_energy()
    assert np.isnan(energy[23])
    assert not np.isnan(energy).all()
    stepper.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_stays_on_the_device(operator, device, variant):
    stepper = OpenCLStepper(operator, dt=DT, device=device, variant=variant)
    stepper.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
    stepper.set_probes(probes(operator))
    held = stepper.memory.n_bytes
    for _ in range(3):
        stepper.set_source_terms(nodal_source_terms(operator))
        stepper.set_probes(probes(operator))
        stepper.ping(np.arange(5), np.ones(5))
        stepper.right_hand_side(stepper.fields())
        stepper.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
    assert stepper.memory.n_bytes == held
    stepper.close()
    assert stepper.memory.n_bytes == 0
    stepper.close()
    for use in (lambda: stepper.advance(1), stepper.fields, lambda: stepper.view("ez")):
        with pytest.raises(RuntimeError, match="closed"):
            use()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dt": 0.0}, "time step"),
        ({"dt": np.nan}, "time step"),
        ({"dt": DT, "precision": "half"}, "half"),
        ({"dt": DT, "variant": "per_face"}, "aosoa or per_node"),
    ],
)
def test_wrong_arguments(operator, device, arguments, message):
    with pytest.raises(WavelabError, match=message):
        OpenCLStepper(operator, device=device, **arguments)


def test_wrong_quantity(pair):
    with pytest.raises(WavelabError, match="poynting"):
        pair[0].view("poynting")


def test_formula_that_single_precision_cannot_hold_leaves_the_sources(operator, device):
    stepper = OpenCLStepper(operator, dt=DT, device=device)
    stepper.set_source_terms(nodal_source_terms(operator))
    with pytest.raises(FormulaError):
        stepper.set_source_terms([FormulaSourceTerm(Formula.parse("1e99*x", ("x", "y", "t")))])
    stepper.advance(1)
    assert np.abs(stepper.fields().ez).max() > 0
    stepper.close()
