"""A mesh on many ranks is one stepper to all who use it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.products import each_value
from tests.sample_kinds import BOX, with_hole, with_pole, with_system
from wavelab.errors import DeviceError, WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.stepper import Stepper, quantities_of
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Hole, Material
from wavelab.scene.model.shapes.ellipse import Ellipse
from wavelab.scene.poles import POLES
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.systems.elastic import Solid
from wavelab.scene.walls import PeriodicWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.halo_numpy_stepper import HaloNumpyStepper
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.steppers import equip, make_stepper, stepper_of

pytestmark = pytest.mark.usefixtures("not_optimised")

BACKENDS = ("numpy", "opencl")


def problem_of(scene) -> Problem:
    return discretize_scene(scene, mesh_scene(scene))


@pytest.fixture(scope="module")
def problem(request) -> Problem:
    """A dispersive medium, an absorbing wall and a field that is there at once."""
    scene = with_pole(POLES["lorentz"])
    stepper = getattr(request, "param", "auto")
    return problem_of(replace(scene, solver=replace(scene.solver, stepper=stepper)))


#: With global and with local steps.
BOTH = pytest.mark.parametrize("problem", ["auto", "local"], indirect=True)


@pytest.fixture(params=BACKENDS)
def pair(request, problem) -> Iterator[tuple[Stepper, Stepper]]:
    """The same on one rank and on three."""
    group = RankGroup.of_threads(3)
    one = stepper_of(problem, backend=request.param)
    many = stepper_of(problem, backend=request.param, ranks=group)
    assert many.scheme is one.scheme
    for stepper in (one, many):
        equip(stepper, problem)
        stepper.set_fields(problem.initial)
    yield one, many
    for stepper in (one, many):
        stepper.close()
    group.end()


def same(one: Stepper, many: Stepper) -> bool:
    expected, found = one.fields(), many.fields()
    arrays = [(getattr(expected, n), getattr(found, n)) for n in ("hx", "hy", "ez")]
    arrays += list(zip(expected.auxiliary, found.auxiliary, strict=True))
    return all(np.abs(b - a).max() <= 1e-13 * max(1.0, np.abs(a).max()) for a, b in arrays)


@BOTH
def test_a_step_in_parts(pair):
    for stepper in pair:
        stepper.advance(3)
        stepper.advance_part(0.3)
        stepper.advance_part(0.25)
    assert pair[1].time == pair[0].time
    for stepper in pair:
        stepper.advance(2)
    assert (pair[1].time, pair[1].steps) == (pair[0].time, pair[0].steps)
    assert same(*pair)


@BOTH
def test_a_ping_reaches_all_ranks(pair, problem):
    nodes = np.arange(0, problem.discretization.x.size, 7)
    for stepper in pair:
        stepper.ping(nodes, np.cos(nodes))
        stepper.advance(5)
    assert same(*pair)


@BOTH
def test_what_was_kept_goes_on_bit_for_bit(pair):
    _, many = pair
    many.advance(4)
    kept = many.keep()
    many.advance(3)
    then = many.fields()
    many.put_back(kept)
    assert many.steps == 4
    many.advance(3)
    now = many.fields()
    assert all(np.array_equal(getattr(then, n), getattr(now, n)) for n in ("hx", "hy", "ez"))
    assert all(map(np.array_equal, then.auxiliary, now.auxiliary))


@BOTH
def test_views_samples_and_energies(pair, problem):
    rng = np.random.default_rng(2)
    n = problem.discretization.nodes_per_element
    elements = rng.integers(0, problem.discretization.n_elements, 9).astype(np.int32)
    points = ProbePoints(
        tuple("abcdefghi"), elements, rng.uniform(-1, 1, (9, n)), ("hx", "hy", "ez") * 3
    )
    one, many = pair
    for stepper in pair:
        stepper.set_probes(points)
    assert np.allclose(many.advance(4), one.advance(4), rtol=0, atol=1e-13)
    for quantity in quantities_of(MaxwellFields):
        assert np.allclose(many.view(quantity), one.view(quantity), rtol=1e-6, atol=1e-12)
        assert np.array_equal(many.begin_view(quantity).values(), many.view(quantity))
    assert np.allclose(many.samples(points), one.samples(points), rtol=0, atol=1e-13)
    assert np.allclose(many.begin_samples(points).values(), one.samples(points), rtol=0, atol=1e-6)
    assert np.allclose(many.element_energy(), one.element_energy(), rtol=1e-12, atol=0)
    assert many.device.endswith("on 3 ranks")


@BOTH
def test_where_a_field_stops_being_finite_is_found_on_any_rank(pair, problem):
    for element in (0, problem.discretization.n_elements - 1):
        for stepper in pair:
            fields = problem.initial.copy()
            fields.ez[element] = np.nan
            stepper.set_fields(fields)
            stepper.set_clock(0.0, 0)
            assert stepper.first_not_finite() is None
            stepper.advance(1)
        (step, mask), (expected_step, expected) = (s.first_not_finite() for s in reversed(pair))
        assert step == expected_step
        assert mask[element]
        assert np.array_equal(mask, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_media_that_jump(backend):
    """Steps are cut there, and D and B go on, on all ranks alike."""
    jump = Formula.parse("2 + heaviside(t - 0.031)", ("x", "y", "t"))
    problem = problem_of(replace(BOX, background=Material(epsilon=jump), walls=()))
    assert problem.jumping.followed
    group = RankGroup.of_threads(2)
    found = []
    for ranks in (None, group):
        simulation = Simulation(problem, stepper_of(problem, backend=backend, ranks=ranks))
        simulation.advance(12)
        found.append((simulation.state().fields, simulation.time))
        simulation.close()
    (one, time_of_one), (many, time_of_many) = found
    assert time_of_one == time_of_many > 0.031
    for name in ("hx", "hy", "ez"):
        assert np.allclose(getattr(many, name), getattr(one, name), rtol=0, atol=1e-13)
    group.end()


@pytest.mark.parametrize(("n_ranks", "backend"), each_value([2, 3], BACKENDS))
def test_bloch_waves(backend, n_ranks):
    """With phases along both axes, around a hole with curved elements: real and imaginary parts of
    an element, which meet at the edges of the cell, are on one rank."""
    walls = (
        PeriodicWall(("domain.left", "domain.right"), phase=70.0),
        PeriodicWall(("domain.bottom", "domain.top"), phase=-130.0),
    )
    problem = problem_of(replace(with_hole(Ellipse), walls=walls))
    assert problem.discretization.copies == 2
    assert problem.discretization.curved is not None
    rng, group, found = np.random.default_rng(3), RankGroup.of_threads(n_ranks), []
    begin = MaxwellFields(*(rng.uniform(-1, 1, problem.discretization.shape) for _ in range(3)))
    for ranks in (None, group):
        stepper = stepper_of(problem, backend=backend, precision="double", ranks=ranks)
        equip(stepper, problem)
        stepper.set_fields(begin)
        stepper.advance(20)
        found.append((stepper.fields(), stepper.element_energy()))
        for part in getattr(stepper, "parts", ()):
            assert np.array_equal(part.elements[::2] + 1, part.elements[1::2])
            assert np.array_equal(part.elements[::2] % 2, np.zeros(len(part.elements) // 2))
        stepper.close()
    (one, energy), (many, other) = found
    for name in ("hx", "hy", "ez"):
        assert np.allclose(getattr(many, name), getattr(one, name), rtol=0, atol=1e-12)
    assert np.allclose(other, energy, rtol=1e-11, atol=0)
    group.end()


@pytest.mark.parametrize(
    ("ranks_and_medium", "backend"),
    each_value([(2, False), (2, True), (4, False)], BACKENDS),
    ids=str,
)
def test_curved_elements_of_solids(ranks_and_medium, backend):
    """P and S waves through arcs between media and around a hole, on both sides of borders."""
    n_ranks, graded = ranks_and_medium
    scene = with_system(SYSTEMS["elastic"])
    if graded:
        grows = Formula.parse("1 + 0.4*x - 0.2*y", ("x", "y", "t"))
        slower = Formula.parse("0.5 + 0.2*x", ("x", "y", "t"))
        scene = replace(scene, background=Solid(grows, grows, slower))
    hole = Hole("it", Ellipse((0.3, 0.4), (0.15, 0.1)))
    problem = problem_of(replace(scene, holes=(hole,)))
    d, found = problem.discretization, []
    assert d.curved is not None
    group = RankGroup.of_threads(n_ranks)
    for ranks in (None, group):
        stepper = stepper_of(problem, backend=backend, precision="double", ranks=ranks)
        equip(stepper, problem)
        stepper.set_fields(problem.initial)
        stepper.advance(20)
        found.append((stepper.fields(), stepper.element_energy()))
        for part in getattr(stepper, "parts", ()):
            for elements in (part.mine, part.elements[part.halo]):
                assert (elements >= d.first_curved).any()
        stepper.close()
    (one, energy), (many, other) = found
    largest = max(np.abs(values).max() for values in one.arrays)
    for its, theirs in zip(many.arrays, one.arrays, strict=True):
        assert np.abs(its[d.first_curved :]).max() > 1e-6 * largest
        assert np.allclose(its, theirs, rtol=0, atol=1e-12 * largest)
    assert np.allclose(other, energy, rtol=0, atol=1e-12 * energy.max())
    group.end()


@BOTH
def test_a_problem_goes_on_on_many_ranks(problem):
    """A simulation takes on one stepper after another, with all that is summed up."""
    simulation = Simulation(problem, stepper_of(problem, backend="numpy"))
    simulation.advance(3)
    before = simulation.state()
    group = RankGroup.of_threads(2)
    simulation.change_stepper(stepper_of(problem, backend="numpy", ranks=group))
    after = simulation.state()
    assert np.array_equal(after.fields.ez, before.fields.ez)
    assert (after.time, after.steps) == (before.time, before.steps)
    simulation.advance(2)
    simulation.close()
    group.end()


def ranks_alive() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.name.startswith("rank ")}


def test_a_rank_that_fails_ends_the_run_by_name(problem, monkeypatch):
    rates, calls = HaloNumpyStepper._rates, [0]

    def lost(self, fields):
        if self._communicator.rank == 1:
            calls[0] += 1
            if calls[0] > 40:
                raise DeviceError("the driver failed", where="card 7")
        return rates(self, fields)

    monkeypatch.setattr(HaloNumpyStepper, "_rates", lost)
    others = ranks_alive()
    group = RankGroup.of_threads(3)
    stepper = stepper_of(problem, backend="numpy", ranks=group)
    equip(stepper, problem)
    with pytest.raises(DeviceError) as caught:
        stepper.advance(100)
    assert str(caught.value) == "rank 1, card 7: the driver failed"
    stepper.close()
    group.end()
    _wait_until(lambda: ranks_alive() <= others)


def _wait_until(true) -> None:
    for _ in range(600):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("never")


def test_a_refusal_on_one_rank_leaves_the_others_usable(problem, monkeypatch):
    def refuse(self, terms):
        raise DeviceError("has no room")

    group = RankGroup.of_threads(2)
    stepper = stepper_of(problem, backend="numpy", ranks=group)
    with monkeypatch.context() as patch:
        patch.setattr(HaloNumpyStepper, "set_source_terms", refuse)
        with pytest.raises(DeviceError, match=r"has no room") as caught:
            equip(stepper, problem)
    assert caught.value.where == "rank 0"
    equip(stepper, problem)
    stepper.advance(1)
    stepper.close()
    group.end()


def test_what_many_ranks_cannot_do_is_refused_at_once(problem):
    group = RankGroup.of_threads(2)
    how = {"dt": 1e-3, "scheme": SCHEMES["ck54"], "ranks": group}
    with pytest.raises(WavelabError, match='variant "per_node" runs on one rank'):
        make_stepper(problem.operator, variant="per_node", **how)
    with pytest.raises(DeviceError, match="NumPy backend has no device"):
        make_stepper(problem.operator, backend="numpy", device="0,1", **how)
    group.end()


def test_more_ranks_than_elements_are_refused():
    tiny = problem_of(with_hole(Ellipse))
    n = tiny.discretization.n_elements
    group = RankGroup.of_threads(n + 1)
    with pytest.raises(WavelabError, match=f"a mesh of {n} elements has no {n + 1} parts"):
        stepper_of(tiny, backend="numpy", ranks=group)
    group.end()
