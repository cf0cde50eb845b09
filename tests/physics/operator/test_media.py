"""Media that are graded or change: the balance of energy, the time step, what is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import elliptic_disk, jittered_square, random_fields
from wavelab.errors import SceneError, UnstableError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.projection import projection
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.materials import refractive_index
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.time_step import element_rates, stable_step, suited_scheme
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, MaterialRegion, Scene, Solver, Wall
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall

GRADED = {
    "epsilon": "1 + 3*x^2 + exp(-y)",
    "mu": "1 + x*y + sin(3*x)^2",
    "sigma": "max(x - y, 0)",
}
CHANGING = {
    "epsilon": "2 + x + 0.5*sin(3*t + y)",
    "mu": "(1 + t)^2*(1.5 + y)",
    "sigma": "t*x^2",
}


def medium(**quantities: str | float) -> Material:
    return Material(
        **{
            name: Formula.parse(value, SPACE_AND_TIME) if isinstance(value, str) else value
            for name, value in quantities.items()
        }
    )


def graded_operator(
    order: int,
    quantities: dict[str, str | float],
    *,
    upwinding: float = 1.0,
    walls: tuple[Wall, ...] = (),
    seed: int = 0,
    n: int = 3,
    mesh: Mesh | None = None,
) -> MaxwellTM:
    solver = Solver(0.3, order=order, upwinding=upwinding)
    scene = Scene("graded", solver, background=medium(**quantities), walls=walls)
    return discretize_scene(scene, mesh or jittered_square(n, seed)).operator


def moved(fields: Fields, rates: Fields, h: float) -> Fields:
    return MaxwellFields(
        *(getattr(fields, name) + h * getattr(rates, name) for name in ("hx", "hy", "ez"))
    )


def energy_rate(operator: MaxwellTM, fields: Fields, time: float, h: float) -> float:
    """By the central difference along the right-hand side: exact for media that do not change,
    because the energy is a square."""
    rates = right_hand_side(operator, fields, time)
    later, earlier = (
        operator.element_energy(moved(fields, rates, step), time + step).sum() for step in (h, -h)
    )
    return float(later - earlier) / (2 * h)


@settings(max_examples=12, deadline=None)
@given(order=st.integers(1, 5), upwinding=st.floats(0, 1), seed=st.integers(0, 2**16))
def test_energy_of_graded_media_is_balanced(order, upwinding, seed):
    walls = (AbsorbingWall(("domain.left",)), ImpedanceWall(("domain.top",), 0.4))
    operator = graded_operator(order, GRADED, upwinding=upwinding, walls=walls, seed=seed)
    fields = random_fields(operator.discretization, seed)
    found = powers(operator, fields)
    scale = found.wall + found.joule + found.upwind
    rate = energy_rate(operator, fields, 0.0, 1e-2)
    assert found.net == pytest.approx(rate, abs=1e-10 * scale)
    assert min(found.wall, found.joule, found.upwind) >= 0
    assert found.joule > 0
    assert found.parametric == 0


@pytest.mark.parametrize("order", [2, 4])
def test_energy_in_curved_elements_is_balanced(order):
    mesh = elliptic_disk()
    operator = graded_operator(order, GRADED, mesh=mesh)
    fields = random_fields(operator.discretization)
    found = powers(operator, fields)
    assert {len(p.elements) for p in operator.media.epsilon} == {12, 24}
    assert found.net == pytest.approx(energy_rate(operator, fields, 0.0, 1e-2), rel=1e-10)
    changing = graded_operator(order, CHANGING, mesh=mesh)
    rate = energy_rate(changing, fields, 0.3, 1e-5)
    assert powers(changing, fields, (), 0.3).net == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("time", [0.0, 0.6])
def test_energy_of_changing_media_is_balanced(order, time):
    operator = graded_operator(order, CHANGING, upwinding=0.7)
    fields = random_fields(operator.discretization, 5)
    found = powers(operator, fields, (), time)
    assert found.net == pytest.approx(energy_rate(operator, fields, time, 1e-5), rel=1e-6)
    assert abs(found.parametric) > 1e-2 * found.upwind


@pytest.mark.parametrize("order", range(1, 7))
def test_the_central_flux_conserves_the_energy_of_a_graded_medium(order):
    operator = graded_operator(order, GRADED | {"sigma": 0.0}, upwinding=0.0)
    fields = random_fields(operator.discretization, order)
    energy = float(operator.element_energy(fields).sum())
    fastest = float(element_rates(operator).max())
    assert abs(energy_rate(operator, fields, 0.0, 1e-3)) < 1e-11 * fastest * energy


def test_energy_density_is_that_of_the_medium_right_there():
    operator = graded_operator(4, {"epsilon": "1 + x", "mu": "2 + y"})
    d = operator.discretization
    one, none = np.ones(d.shape), np.zeros(d.shape)
    np.testing.assert_allclose(
        operator.energy_density(MaxwellFields(none, none, one)), (1 + d.x) / 2, rtol=1e-3
    )
    np.testing.assert_allclose(
        operator.energy_density(MaxwellFields(one, 2 * one, none)), 2.5 * (2 + d.y), rtol=1e-3
    )
    total = operator.element_energy(MaxwellFields(none, none, one)).sum()
    assert total == pytest.approx(0.75, rel=1e-5)


@pytest.mark.parametrize("order", [2, 4])
def test_two_fields_see_the_same_operator(order):
    """(u, A v) + (A u, v) = 0 in the product of the energy: the operator is skew-adjoint."""
    operator = graded_operator(order, GRADED | {"sigma": 0.0}, upwinding=0.0)
    u, v = (random_fields(operator.discretization, seed) for seed in (1, 2))

    def product(one: Fields, other: Fields) -> float:
        both, difference = moved(one, other, 1.0), moved(one, other, -1.0)
        return float(
            operator.element_energy(both).sum() - operator.element_energy(difference).sum()
        )

    left = product(u, right_hand_side(operator, v))
    assert left == pytest.approx(-product(right_hand_side(operator, u), v), rel=1e-10)
    assert abs(left) > 1e-2


def test_a_formula_that_is_constant_is_a_constant():
    operator = graded_operator(3, {"epsilon": "2 + 0*x", "mu": "3", "sigma": "1/2"})
    assert not operator.media
    np.testing.assert_allclose(operator.epsilon, 2)
    np.testing.assert_allclose(operator.mu, 3)
    np.testing.assert_allclose(operator.sigma, 0.5)


def test_only_elements_that_need_it_are_corrected():
    operator = graded_operator(2, {"epsilon": "2 if x < 0.5 else 2 + (x - 0.5)"}, n=6)
    media = operator.media
    (profile,) = media.epsilon
    d = operator.discretization
    left, right = (d.x <= 0.5).all(axis=1), (d.x >= 0.5).all(axis=1)
    assert left.sum() > 20
    assert right.sum() > 20
    assert not left[profile.elements].any()
    assert np.isin(np.flatnonzero(right), profile.elements).all()
    np.testing.assert_allclose(operator.epsilon[left], 2)


@pytest.mark.parametrize("order", [1, 4, 8])
def test_projection_can_be_undone(order):
    d = discretize(jittered_square(2), order)
    rule, x, y = projection(d, np.arange(5))
    rng = np.random.default_rng(order)
    values = rng.uniform(0.3, 3, x.shape)
    nodal = rng.standard_normal((5, d.nodes_per_element))
    np.testing.assert_allclose(rule.undone(values, rule.times(values, nodal)), nodal, rtol=1e-9)
    product = rule.times(1 + x - y, np.ones_like(nodal))
    np.testing.assert_allclose(product, 1 + d.x[:5] - d.y[:5], atol=1e-11)


@pytest.mark.parametrize("mesh", [jittered_square(3, 2), elliptic_disk()])
def test_it_is_undone_by_matrices_where_that_is_asked_often(mesh):
    operator = graded_operator(3, {"epsilon": "1 + 3*x^2 + exp(-y)"}, mesh=mesh)
    fields = random_fields(operator.discretization)
    for profile in operator.media.epsilon:
        nodal = fields.ez[profile.elements]
        found = profile.scaled(nodal, 0.0)
        profile.undo_often()
        by_matrices = profile.scaled(nodal, 0.0)
        assert np.abs(by_matrices - found).max() < 1e-12 * np.abs(found).max()
        assert np.abs(profile.field(by_matrices, 0.0) - nodal).max() < 1e-12


def test_where_there_is_no_field_there_is_no_energy_to_be_looked_for():
    """A wave on few elements has the energy that it has on all."""
    operator = graded_operator(3, GRADED, n=4)
    fields = random_fields(operator.discretization)
    whole = operator.element_energy(fields)
    k = np.array([3, 8, 20])
    few = MaxwellFields(*(np.zeros_like(a) for a in fields.arrays))
    for mine, theirs in zip(few.arrays, fields.arrays, strict=True):
        mine[k] = theirs[k]
    energy = operator.element_energy(few)
    np.testing.assert_allclose(energy[k], whole[k], rtol=1e-12)
    assert energy.sum() == energy[k].sum()


@pytest.mark.parametrize("upwinding", [0.0, 1.0])
@pytest.mark.parametrize("quantities", [GRADED, {"epsilon": "0.2 + 4*x^4", "mu": "1 + y"}])
def test_the_step_is_stable_below_and_unstable_above(upwinding, quantities):
    operator = graded_operator(3, quantities, upwinding=upwinding, n=4)
    dt = stable_step(operator)

    def growth(step: float) -> float:
        # On the device, where hundreds of steps take less time.
        stepper = OpenCLStepper(operator, dt=step, precision="double")
        stepper.set_fields(random_fields(operator.discretization))
        start = stepper.element_energy().sum()
        stepper.advance(400)
        end = stepper.element_energy().sum()
        stepper.close()
        return end / start

    assert growth(0.95 * dt) < 1.001
    assert not growth(1.1 * dt) < 1e6


def test_the_step_of_a_changing_medium_is_about_that_of_its_fastest_moment():
    """Not longer, and a little shorter where the flux damps one field more than the other."""
    changing = graded_operator(3, {"epsilon": "1 + 0.75*cos(2*pi*t)"})
    fastest = graded_operator(3, {"epsilon": 0.25})
    slowest = graded_operator(3, {"epsilon": 1.75})
    scheme = suited_scheme(changing)
    ratio = stable_step(changing, scheme=scheme) / stable_step(fastest, scheme=scheme)
    assert 0.85 < ratio < 1.001
    assert element_rates(changing).max() == pytest.approx(element_rates(fastest).max(), rel=1e-6)
    assert points_per_wavelength(changing, 1.0).points == pytest.approx(
        points_per_wavelength(slowest, 1.0).points, rel=1e-4
    )


def test_the_step_follows_a_medium_that_changes_faster_than_the_waves():
    scene = Scene("flicker", Solver(0.3, order=1), background=medium(epsilon="2 + sin(1000*t)"))
    problem = discretize_scene(scene, jittered_square(2))
    assert problem.dt_max < 1e-3
    assert problem.dt_max < stable_step(problem.operator) / 50


def test_the_index_is_shown_as_it_is_now():
    operator = graded_operator(2, {"epsilon": "(1 + x)^2*(1 + t)^2", "mu": 4.0})
    d = operator.discretization
    np.testing.assert_allclose(refractive_index(operator, 0.5), 3 * (1 + d.x), rtol=1e-12)


@pytest.mark.parametrize(
    ("quantities", "says"),
    [
        ({"epsilon": "1 - 2*x"}, r"epsilon of the background is -1 at \(1, 0"),
        ({"mu": "x"}, r"mu of the background is 0 at \(0, "),
        ({"sigma": "x - 0.5"}, r"sigma of the background is -0\.5 at \(0, "),
        ({"epsilon": "-1"}, "epsilon of the background is -1$"),
        ({"epsilon": "1 - t"}, r"epsilon of the background is 0 at t = 1"),
        ({"epsilon": "1 + x - 2*t"}, r"epsilon of the background is .* at \(.*\), t = 0\.\d"),
        ({"epsilon": "1/x"}, "epsilon of the background: .*it gives inf at x = 0"),
        ({"mu": "1 + sqrt(t)"}, "rate of change of mu of the background: .*it gives inf .*t = 0"),
    ],
)
def test_impossible_media_are_refused(quantities, says):
    with pytest.raises(SceneError) as caught:
        graded_operator(2, quantities)
    assert re.search(says, caught.value.message)


def test_a_changing_medium_needs_another_wall():
    with pytest.raises(SceneError, match=r"in front of wall 1, .* changes in time") as caught:
        graded_operator(2, {"epsilon": "1 + t"}, walls=(AbsorbingWall(("domain.top",)),))
    assert "before the wall" in caught.value.remedy


def test_absorbing_walls_before_a_constant_medium_absorb_exactly():
    """Waves come in through such walls only."""
    square = jittered_square(4)
    right = square.vertices[square.triangles].mean(axis=1)[:, 0] > 0.5
    mesh = replace(square, regions=right.astype(np.int32), region_names=("background", "lens"))
    walls = (AbsorbingWall(("domain.left", "domain.right")),)
    lens = MaterialRegion("lens", medium(epsilon="2 + x"))
    scene = Scene("s", Solver(0.3, 3), background=Material(1.7), materials=(lens,), walls=walls)
    operator = discretize_scene(scene, mesh).operator
    left, right = (
        operator.reflection[face_selection(operator.discretization.mesh, (edge,))]
        for edge in ("domain.left", "domain.right")
    )
    assert (left == 0).all()
    assert (right != 0).any()


def test_absorbing_walls_are_matched_to_the_medium_right_there():
    walls = (AbsorbingWall(("domain.left", "domain.right")),)
    operator = graded_operator(2, {"epsilon": "(1 + x)^2"}, walls=walls)
    d = operator.discretization
    element, face = np.nonzero(d.connectivity.is_boundary)
    at_face = d.x[element[:, None], d.element.face_nodes[face]]
    for x, impedance in ((0.0, 1.0), (1.0, 0.5)):
        k, f = element[(at_face == x).all(axis=1)], face[(at_face == x).all(axis=1)]
        own, r = operator.impedance[k], operator.reflection[k, f]
        assert len(k) == 3
        np.testing.assert_allclose(own * (1 + r) / (1 - r), impedance, rtol=1e-12)
        assert (np.abs(own - impedance) > 0.02 * impedance).all()


def test_leaving_the_range_of_the_step_is_told():
    scene = Scene("fading", Solver(0.3, until=1.0), background=medium(epsilon="exp(-t)"))
    media = discretize_scene(scene, jittered_square(2)).operator.media
    media.check(0.5)
    media.check(1.05)
    with pytest.raises(UnstableError, match=r"epsilon of the background falls to .* at t = 2") as e:
        media.check(2.0)
    assert "until" in e.value.remedy
    assert media.growth(0.0, 1.0) == pytest.approx(np.e, rel=1e-12)
    kept = replace(media, until=5.0)
    kept.check(2.0)
