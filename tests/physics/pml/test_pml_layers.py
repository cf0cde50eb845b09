"""Open walls: the exact field of a point source, no growth, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.exact import field_errors
from wavelab.physics.pml.pml_edges import EllipticSide, StraightSide, balanced
from wavelab.physics.pml.pml_pieces import pml_pieces
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.rates import rates_of_change
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    FieldFormulas,
    Material,
    MaterialRegion,
    Probe,
    Scene,
    Solver,
    Wall,
)
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.monitors import LineMonitor
from wavelab.scene.sources import ArraySource, LineSource, PointSource, RegionSource
from wavelab.scene.walls import WALLS, AbsorbingWall, MagneticWall, OpenWall
from wavelab.scene.waveforms import FormulaWaveform, Ricker, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.studies.comparison import Outcome, difference, exact_error
from wavelab.simulation.verification.open_space import ricker_in_open_space

SQUARE = Rectangle((0.0, 0.0), (1.0, 1.0))


def open_scene(outline, thickness=None, edges=("domain",), size=0.1, order=4, **how) -> Scene:
    solver = Solver(size, order, **{k: how.pop(k) for k in ("upwinding",) if k in how})
    return Scene("open", solver, outline, walls=(OpenWall(edges, thickness=thickness),), **how)


def discretized(scene: Scene):
    return discretize_scene(scene, mesh_scene(scene))


# -- how space is stretched -----------------------------------------------------------------------

SIDES = [
    StraightSide((0.6, 0.8), 1.0, 0.4),
    EllipticSide((0.2, -0.1), (1.5, 1.2), 0.5, 0.6),
    EllipticSide((0.0, 0.0), (1.0, 1.0), 0.0, 0.4),
]


@pytest.mark.parametrize("side", SIDES)
def test_the_stretch_is_the_gradient_of_the_displacement(side):
    x, y = (a.ravel() for a in np.meshgrid(np.linspace(-1.1, 1.1, 30), np.linspace(-1, 1, 30)))
    depth = side.depth(x, y)
    inside = (depth > -0.3) & (depth < side.thickness)
    x, y, h = x[inside], y[inside], 1e-5
    here = side.stretch(x, y)
    right, left = side.stretch(x + h, y), side.stretch(x - h, y)
    up, down = side.stretch(x, y + h), side.stretch(x, y - h)
    for found, plus, minus in (
        (here.s_xx, right.v_x, left.v_x),
        (here.s_xy, right.v_y, left.v_y),
        (here.s_xy, up.v_x, down.v_x),
        (here.s_yy, up.v_y, down.v_y),
    ):
        assert np.allclose(found, (plus - minus) / (2 * h), atol=1e-6)
    a, b, n_x, n_y = here.principal()
    assert (a >= b).all()
    assert (b >= 0).all()
    assert np.allclose(a * n_x**2 + b * n_y**2, here.s_xx, atol=1e-12)
    outside = side.depth(x, y) <= 0
    assert not here.v_x[outside].any()
    assert not a[outside].any()


@pytest.mark.parametrize("side", SIDES)
def test_the_displacement_at_the_edge_is_one(side):
    angle = np.linspace(0, 2 * np.pi, 7)
    if isinstance(side, StraightSide):
        x, y = side.offset * side.normal[0] + 0 * angle, side.offset * side.normal[1] + 0 * angle
    else:
        u, v = side.radii[0] * np.cos(angle), side.radii[1] * np.sin(angle)
        cos, sin = math.cos(side.angle), math.sin(side.angle)
        x, y = side.center[0] + cos * u - sin * v, side.center[1] + sin * u + cos * v
    found = side.stretch(x, y)
    assert np.allclose(np.hypot(found.v_x, found.v_y), 1)
    assert np.allclose(side.depth(x, y), side.thickness)


def test_many_flat_corners_share_the_work():
    """Sixty edges round a circle, of which a point at the rim is deep in a dozen."""
    angle = 2 * np.pi * np.arange(60) / 60
    n_x, n_y = np.cos(angle), np.sin(angle)
    sides = [StraightSide((c, s), 1.0, 0.3) for c, s in zip(n_x, n_y, strict=True)]
    weights = balanced(sides, n_x, n_y, n_x, n_y)
    assert max(weights) < 0.3
    parts = [s.stretch(n_x, n_y).scaled(w) for s, w in zip(sides, weights, strict=True)]
    v = sum(p.v_x for p in parts) * n_x + sum(p.v_y for p in parts) * n_y
    assert np.allclose(v, 1)


# -- the field of a point source -------------------------------------------------------------------

#: A wavelet whose strongest wavelength is ten elements.
RICKER = Ricker(frequency=1.0, delay=1.3)
RADIUS = 0.08


def point_source(at) -> PointSource:
    return PointSource("source", at, RADIUS, 1.0, RICKER)


def errors(scene: Scene, until: float, fading: float = 0.0) -> np.ndarray:
    """(n_probes,) largest error of Ez at each probe, in parts of the largest value there.

    Parameters
    ----------
    fading : rate with which the field of the scene is to fall beside that in endless vacuum.
    """
    problem = discretized(scene)
    assert not any("lies in the PML" in notice for notice in problem.notices)
    steps = math.ceil(until / problem.dt_max)
    stepper = OpenCLStepper(problem.operator, dt=until / steps, scheme=problem.scheme)
    simulation = Simulation(problem, stepper)
    times, values = simulation.advance(steps)
    simulation.close()
    source = scene.sources[0].position
    found = []
    for i, probe in enumerate(scene.probes):
        exact = ricker_in_open_space(
            math.dist(probe.position, source), times,
            frequency=RICKER.frequency, delay=RICKER.delay, radius=RADIUS,
        )  # fmt: skip
        risen = values[:, i] * np.exp(fading * times)
        found.append(np.abs(risen - exact).max() / np.abs(exact).max())
    return np.array(found)


def test_open_circle():
    probes = (Probe("a", (-0.5, 0.2)), Probe("b", (0.1, 0.6)))
    scene = open_scene(
        Ellipse((0.0, 0.0), (1.5, 1.5)),
        0.8,
        size=0.125,
        sources=(point_source((0.2, 0.1)),),
        probes=probes,
    )
    assert errors(scene, 5.0).max() < 1e-4


def test_a_layer_in_a_medium_that_damps_ez_and_h_alike():
    """All fields are those of the vacuum times exp(-c t), if the source is."""
    c, ricker = 0.4, "exp(-(pi*(t - 1.3))^2)*(1 - 2*(pi*(t - 1.3))^2)"
    fading = FormulaWaveform(Formula.parse(f"exp(-{c}*t)*{ricker}", ("t",)))
    scene = open_scene(
        Rectangle((-1.0, -1.0), (0.9, 1.1)),
        0.5,
        background=Material(sigma=c, magnetic_sigma=c),
        sources=(replace(point_source((0.1, -0.1)), waveform=fading),),
        probes=(Probe("a", (-0.4, 0.2)), Probe("b", (0.35, 0.5))),
    )
    assert errors(scene, 4.0, c).max() < 1e-4


def echoes(thickness: float, kind: str = "open", order: int = 4) -> np.ndarray:
    """Echo of a layer, at 0, 30, 45 and 60 degrees of incidence, in parts of what meets it.

    The probes have the image of the source behind the layer in these directions; the echo has come
    further than the wave itself, at 60 degrees twice as far, and is weaker for that.
    """
    away = 0.4
    along = {angle: 2 * away * math.tan(math.radians(angle)) - 0.6 for angle in (30, 45, 60)}
    scene = open_scene(
        Rectangle((-0.5 - thickness, -1.1 - thickness), (away + thickness, 1.0 + thickness)),
        thickness,
        order=order,
        sources=(point_source((0.0, -0.6)),),
        probes=(Probe("0", (0.35, -0.6)), *(Probe(str(a), (0.0, y)) for a, y in along.items())),
    )
    if kind != "open":
        scene = replace(scene, walls=(WALLS[kind](("domain",)),))
    return errors(scene, 4.5) * 2**0.5


def test_no_echo_up_to_sixty_degrees():
    """A wavelet ten elements long, and a layer half as thick."""
    found = echoes(0.5)
    print("largest errors at 0, 30, 45 and 60 degrees:", found)
    assert found.max() < 1e-4


# -- growth ----------------------------------------------------------------------------------------

PENTAGON = Polygon(((0.0, 0.0), (1.0, 0.0), (1.25, 0.5), (0.5, 1.1), (-0.15, 0.5)))


@pytest.mark.parametrize(
    "scene",
    [
        open_scene(PENTAGON, 0.4, size=0.25, order=2),
        open_scene(Ellipse((0, 0), (0.5, 0.45)), 0.37, size=0.24, order=2, upwinding=0.3),
        open_scene(SQUARE, 0.4, ("domain.left",), 0.26, 2, background=Material(2, 1.5, 0.4)),
        open_scene(SQUARE, 0.4, ("domain.left", "domain.top"), 0.26, 2),
        open_scene(
            SQUARE,
            0.4,
            ("domain.left", "domain.top"),
            0.26,
            2,
            background=Material(2, 1.5, magnetic_sigma=0.4),
        ),
    ],
    ids=["pentagon", "ellipse", "lossy", "corner", "damps H"],
)
def test_no_mode_grows(scene):
    """The whole spectrum, memory included."""
    problem = discretized(scene)
    operator, local = problem.operator, problem.auxiliary_equations
    size = 3 * problem.discretization.x.size + sum(math.prod(e.shape) for e in local)
    assert size < 2000
    matrix = np.array([rates_of_change(operator, row, local) for row in np.eye(size)]).T
    spectrum = np.linalg.eigvals(matrix)
    assert spectrum.real.max() < 1e-9 * np.abs(spectrum).max()
    step = stable_step(operator, scheme=problem.scheme, auxiliary_equations=local)
    assert np.abs(problem.scheme.amplification(0.99 * step * spectrum)).max() < 1 + 1e-9


def test_nothing_grows_in_the_long_run():
    start = FieldFormulas(ez=Formula.parse("exp(-50*((x - 0.5)^2 + (y - 0.4)^2))", ("x", "y")))
    problem = discretized(open_scene(SQUARE, 0.35, size=0.2, order=2, initial=start))
    stepper = OpenCLStepper(problem.operator, dt=problem.dt_max, scheme=problem.scheme)
    simulation = Simulation(problem, stepper)
    energies = []
    for _ in range(8):
        simulation.advance(500)
        energies.append(simulation.check())
    simulation.close()
    assert energies[0] < 1e-4 * 0.5 * math.pi / 100
    # What is left are fields that hardly move; they fall on the whole and not from look to look.
    assert all(later < 2 * earlier for earlier, later in pairwise(energies))
    assert energies[-1] < energies[0] / 4


# -- both steppers, the ledger ---------------------------------------------------------------------


def test_device_and_numpy_agree():
    start = FieldFormulas(ez=Formula.parse("exp(-50*((x - 0.4)^2 + (y - 0.5)^2))", ("x", "y")))
    outline = Ellipse((0.5, 0.5), (0.6, 0.5), 20.0)
    problem = discretized(open_scene(outline, 0.35, size=0.2, order=3, initial=start))
    oracle = NumpyStepper(problem.operator, dt=problem.dt_max, scheme=problem.scheme)
    states = []
    for stepper in (
        oracle,
        OpenCLStepper(
            problem.operator, dt=problem.dt_max, precision="double", scheme=problem.scheme
        ),
    ):
        simulation = Simulation(problem, stepper)
        simulation.advance(40)
        states.append(simulation.state().fields)
        simulation.close()
    expected, found = states
    for name in ("hx", "hy", "ez"):
        scale = np.abs(getattr(expected, name)).max()
        assert np.abs(getattr(found, name) - getattr(expected, name)).max() < 1e-11 * scale
    assert np.allclose(found.auxiliary[0], expected.auxiliary[0], atol=1e-12)


def test_the_powers_account_for_what_the_layer_takes():
    """For any fields and memory, against the change of the energy."""
    problem = discretized(
        open_scene(SQUARE, 0.35, size=0.2, order=2, background=Material(2, 3, 0.2))
    )
    operator, local, d = problem.operator, problem.auxiliary_equations, problem.discretization
    rng = np.random.default_rng(3)
    fields = replace(
        problem.initial,
        **{name: rng.normal(size=d.shape) for name in ("hx", "hy", "ez")},
        auxiliary=tuple(rng.normal(size=e.shape) for e in local),
    )
    vector = np.concatenate(
        [a.ravel() for a in (fields.hx, fields.hy, fields.ez, *fields.auxiliary)]
    )
    size = d.x.size
    hx, hy, ez = rates_of_change(operator, vector, local)[: 3 * size].reshape(3, *d.shape)
    gained = 2.0 * d.integrate_product(fields.ez, ez).sum()
    gained += 3.0 * (d.integrate_product(fields.hx, hx) + d.integrate_product(fields.hy, hy)).sum()
    found = powers(operator, fields, auxiliary_equations=local)
    assert found.net == pytest.approx(gained, rel=1e-10)
    assert found.wall != pytest.approx(powers(operator, fields).wall, rel=1e-3)


def test_only_what_is_outside_the_layers_is_compared():
    """A plane wave in a guide that is open at one end is exact until the layer, at every size."""
    text = "exp(-60*(x - 0.45 - {})^2)"
    exact = {
        name: Formula.parse(sign + text.format("t"), ("x", "y", "t"))
        for name, sign in (("ez", ""), ("hy", "-"))
    }
    start = {
        name: Formula.parse(sign + text.format("0"), ("x", "y"))
        for name, sign in (("ez", ""), ("hy", "-"))
    }
    scene = Scene(
        "guide",
        Solver(0.08, 3, until=0.5),
        Rectangle((0.0, 0.0), (1.4, 0.4)),
        walls=(
            OpenWall(("domain.right",), thickness=0.4),
            MagneticWall(("domain.bottom", "domain.top")),
        ),
        initial=FieldFormulas(**start),
        exact=FieldFormulas(**exact),
    )
    outcomes = []
    for size in (0.08, 0.05):
        problem = discretized(replace(scene, solver=replace(scene.solver, element_size=size)))
        steps = math.ceil(0.5 / problem.dt_max)
        made = NumpyStepper(problem.operator, dt=0.5 / steps, scheme=problem.scheme)
        simulation = Simulation(problem, made)
        simulation.advance(steps)
        outcomes.append(Outcome(problem, simulation.state().fields, steps, 0.0))
    coarse, fine = outcomes
    assert exact_error(coarse, 0.5) < 1e-3
    assert difference(coarse, fine, lambda: False) < 1e-3
    assert field_errors(coarse.problem, coarse.fields, 0.5)["ez"].max < 2e-3
    damped = replace(coarse.problem, auxiliary_equations=())
    assert field_errors(damped, coarse.fields, 0.5)["ez"].max > 0.03


# -- what cannot work ------------------------------------------------------------------------------


L_SHAPE = Polygon(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)))


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (open_scene(L_SHAPE, 0.4, size=0.2), "not convex|not at right angles"),
        (open_scene(L_SHAPE, 1.3, ("domain.1",), size=0.2), "not convex|right angles"),
        (open_scene(PENTAGON, 0.3, ("domain.1",), size=0.2), "right angles"),
        (open_scene(SQUARE, 0.15, size=0.2), "too thin"),
        (open_scene(SQUARE, 0.3, size=0.2, order=1), "too thin"),
        (open_scene(SQUARE, 0.35, size=0.2, upwinding=0.0), "upwinding"),
        (open_scene(SQUARE, 0.52, ("domain.left", "domain.right"), size=0.2), "meets"),
        (open_scene(PENTAGON, 0.6, size=0.2), "no room"),
    ],
)
def test_layers_that_cannot_work_are_refused(scene, message):
    with pytest.raises(SceneError, match=message) as caught:
        discretized(scene)
    assert "domain" in caught.value.message
    assert caught.value.remedy


def test_the_end_of_a_bent_guide_can_be_open():
    """Walls that run straight into the layer are no trouble, nor is a corner elsewhere."""
    problem = discretized(open_scene(L_SHAPE, 0.4, ("domain.1", "domain.4"), size=0.2, order=2))
    reached = np.concatenate([e.elements for e in problem.auxiliary_equations])
    d = problem.discretization
    deep = (d.x > 1.6).all(axis=1) | (d.y > 1.6).all(axis=1)
    assert set(np.flatnonzero(deep)) <= set(reached.tolist())
    assert d.x[reached].max() == 2
    assert ((d.x[reached].max(axis=1) > 1.6) | (d.y[reached].max(axis=1) > 1.6)).all()


def test_what_lies_in_a_layer_is_said():
    slab = MaterialRegion("slab", Material(4.0), Rectangle((0.8, 0.1), (0.9, 0.9)))
    scene = open_scene(
        SQUARE, 0.3, size=0.1, order=4, materials=(slab,), probes=(Probe("p", (0.9, 0.5)),)
    )
    assert [n.split()[0] for n in discretized(scene).notices] == ["media", "probe"]
    scene = open_scene(
        SQUARE, 0.3, size=0.1, order=2,
        sources=(
            LineSource("all", (0.1, 0.4), (0.1, 0.6), 0.05, 1.0, Sine(2.0)),
            ArraySource("row", (0.2, 0.5), (0.8, 0.5), 3, 0.05, 1.0, Sine(2.0)),
            RegionSource("free", Rectangle((0.4, 0.4), (0.6, 0.6)), 1.0, Sine(2.0)),
        ),
        monitors=(LineMonitor("ears", ((0.5, 0.1), (0.5, 0.5)), 5),),
    )  # fmt: skip
    told = [n for n in discretized(scene).notices if "where waves are damped" in n]
    assert [" ".join(n.split()[1:5]) for n in told] == [
        '"all" lies in the', '"row" lies for 33%', '"ears" lies for 40%'
    ]  # fmt: skip
    along = MaterialRegion("guide", Material(4.0), Rectangle((0.0, 0.4), (1.0, 0.6)))
    scene = open_scene(
        SQUARE, 0.3, ("domain.left", "domain.right"), size=0.1, order=4, materials=(along,)
    )
    assert discretized(scene).notices == ()


def test_a_mesh_file_may_have_open_edges():
    mesh = jittered_square(8)
    scene = open_scene(SQUARE, 0.3, ("domain.left", "domain.top"), order=2)
    problem = discretize_scene(replace(scene, outline=None, mesh_file=__file__), mesh)
    assert len(problem.auxiliary_equations) == 2
    disk = mesh_scene(open_scene(Ellipse((0.3, 0.0), (1.0, 1.0)), size=0.2))
    scene = replace(open_scene(SQUARE, 0.4, ("domain",), order=2), outline=None, mesh_file=__file__)
    (e,) = discretize_scene(scene, disk).auxiliary_equations
    found = discretize_scene(
        open_scene(Ellipse((0.3, 0.0), (1.0, 1.0)), 0.4, size=0.2, order=2), disk
    )
    assert np.allclose(
        e.coefficients["e0"], found.auxiliary_equations[0].coefficients["e0"], atol=1e-6
    )


def test_a_mesh_file_says_itself_how_thick_a_layer_is_that_has_no_thickness():
    d = discretize(jittered_square(8), 2)

    def layers(*walls: Wall) -> list[str]:
        scene = Scene("file", Solver(0.1, order=2), outline=None, mesh_file=__file__, walls=walls)
        found = discretize_scene(scene, d.mesh)
        assert [piece.edge for piece in pml_pieces(scene, d)] == [
            edge for wall in walls for edge in wall.edges if wall.pml
        ]
        return [e.kind for e in found.auxiliary_equations]

    left, top = ("domain.left",), ("domain.top",)
    # On one mesh, as while a wall is turned into another.
    for _ in range(2):
        assert layers(OpenWall(left, None)).count("open") == 1
        assert layers(OpenWall(left, 0.3), OpenWall(top, None)).count("open") == 2
        assert layers(OpenWall(left, 0.3), AbsorbingWall(top)).count("open") == 1
        assert layers(AbsorbingWall(left), AbsorbingWall(top)).count("open") == 0


if __name__ == "__main__":
    for part in (0.15, 0.25, 0.5, 1.0):
        print(f"{part} wavelengths:", *(f"{e:.1e}" for e in echoes(part)))
    print("absorbing wall:", *(f"{e:.1e}" for e in echoes(0.5, "absorbing")))


@given(
    st.floats(0.3, 3.0),
    st.floats(0.3, 3.0),
    st.lists(st.tuples(st.floats(0, 2 * np.pi), st.floats(0, 0.7)), min_size=1, max_size=20),
)
def test_the_foot_of_a_point_is_the_nearest_of_the_rim(a, b, places):
    """Up to the evolute, at any distance from the rim and wherever Newton's method starts."""
    angle, part = np.array(places).T
    foot = np.stack([a * np.cos(angle), b * np.sin(angle)])
    normal = np.stack([b * np.cos(angle), a * np.sin(angle)])
    normal /= np.hypot(*normal)
    inwards = part * min(a, b) ** 2 / max(a, b)  # 1: the smallest radius of curvature
    side = EllipticSide((0.0, 0.0), (a, b), 0.0, 0.1)
    depth = side.depth(*(foot - inwards * normal))
    np.testing.assert_allclose(depth, 0.1 - inwards, atol=1e-12)
