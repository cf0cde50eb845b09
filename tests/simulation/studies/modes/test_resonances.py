"""Resonances against exact ones."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.numerics.spectra.harmonic_inversion import oscillations
from wavelab.physics.modes.modes import mode_estimate, ritz_modes
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.poles import Debye, Drude
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall, MagneticWall, OpenWall
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.modes import mode_solver
from wavelab.simulation.studies.modes.mode_files import mode_pictures
from wavelab.simulation.studies.modes.resonances import find_resonances, resonances_of
from wavelab.simulation.studies.modes.ringing import Ringing, random_points

SQUARE = Scene("square", Solver(0.25, order=5, precision="double"))
LOSS = 0.3


def problem(n: int = 4, sides=(1.0, 1.0), **changes) -> Problem:
    mesh = jittered_square(n)
    return discretize_scene(
        replace(SQUARE, **changes), replace(mesh, vertices=mesh.vertices * sides)
    )


def cavity(n: int, a: float = 1.0, b: float = 1.0, first: int = 1) -> np.ndarray:
    """The lowest frequencies of a rectangle; ``first`` is 0 for magnetic walls."""
    m = np.arange(first, 20)
    found = np.sort(np.hypot(m[:, None] / a, m[None, :] / b).ravel()) / 2
    return found[found > 0][:n]


def frequencies(found) -> list[float]:
    return [mode.frequency for mode in found.modes]


@pytest.fixture(params=["solved", "ringing"])
def way(request, monkeypatch):
    """Small problems are solved; large ones ring."""
    if request.param == "ringing":
        monkeypatch.setattr(mode_solver, "_MOST_BYTES", 0)
    return request.param


def test_six_modes_of_a_rectangle():
    found = resonances_of(problem(sides=(1.3, 0.8)), 6)
    assert frequencies(found) == pytest.approx(cavity(6, 1.3, 0.8), rel=2e-6)
    assert found.multiplicities == (1,) * 6
    assert all(math.isinf(mode.quality) and mode.residual < 1e-3 for mode in found.modes)
    table = json.loads(json.dumps(found.summary(), allow_nan=False))
    assert [mode["q"] for mode in table["modes"]] == [None] * 6
    assert len(found.table().splitlines()) == 7
    assert mode_pictures(found, 300, 200).shape == (200, 300, 3)


def test_double_modes_of_a_square_and_their_shapes(way):
    found = resonances_of(problem(), 3)
    assert (found.steps == 0) == (way == "solved")
    assert frequencies(found) == pytest.approx(cavity(3), rel=1e-6)
    assert found.multiplicities == (1, 2, 2)
    d = found.problem.discretization
    exact = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)
    ez = found.modes[0].fields[2]
    assert np.abs(np.abs(ez.real) - exact).max() < 4e-3
    assert np.abs(ez.imag).max() < 1e-3
    # The two shapes of the double mode lie in the space that the exact ones span.
    pair = [np.sin(p * np.pi * d.x) * np.sin(q * np.pi * d.y) for p, q in ((1, 2), (2, 1))]
    basis = np.column_stack([shape.ravel() for shape in pair])
    for mode in found.modes[1:]:
        shape = mode.fields[2].real.ravel()
        rest = shape - basis @ np.linalg.lstsq(basis, shape, rcond=None)[0]
        assert np.abs(rest).max() < 5e-3


def test_six_modes_of_a_disk():
    """Zeros of Bessel functions; elements that follow the rim make them right to 1e-6."""
    disk = replace(
        SQUARE, outline=Ellipse((0.0, 0.0), (1.0, 1.0)), solver=Solver(0.45, 5, precision="double")
    )
    found = find_resonances(disk, 6)
    zeros = [2.404825557696, *[3.831705970208] * 2, *[5.135622301840] * 2, 5.520078110286]
    assert frequencies(found) == pytest.approx(np.array(zeros) / (2 * np.pi), rel=1e-4)
    assert found.multiplicities == (1, 2, 2, 2, 2, 1)


def test_magnetic_walls():
    found = resonances_of(problem(walls=(MagneticWall(("domain",)),)), 3)
    assert frequencies(found) == pytest.approx(cavity(3, first=0), rel=1e-6)


@pytest.mark.parametrize("medium", [Material(sigma=LOSS), Material(magnetic_sigma=LOSS)])
def test_quality_of_a_lossy_cavity(medium, way):
    """sigma everywhere: the decay is sigma / 2 and the frequency lower, both exactly."""
    found = resonances_of(problem(background=medium), 4)
    omega = np.sqrt((2 * np.pi * cavity(4)) ** 2 - LOSS**2 / 4)
    assert frequencies(found) == pytest.approx(omega / (2 * np.pi), rel=2e-6)
    assert [mode.decay for mode in found.modes] == pytest.approx([LOSS / 2] * 4, rel=1e-5)
    assert [m.quality for m in found.modes] == pytest.approx(omega / LOSS, rel=1e-5)


def test_modes_of_a_room_that_absorbs_fall_with_the_mesh():
    """Of Q 3.6 and 2.7, which are far from orthogonal: k cos(k) = i w sin(k), with
    w^2 = k^2 + pi^2 for the first."""
    exact = [4.261924441965559 - 0.587154195511983j, 6.809252648 - 1.278641j]
    missed = []
    for n in (3, 6):
        room = problem(n, walls=(AbsorbingWall(("domain.right",)),))
        found = resonances_of(room, band=(0.55, 1.15))
        first = found.modes[0]
        missed.append(abs(2 * np.pi * first.frequency - 1j * first.decay - exact[0]))
        assert 2 * np.pi * found.modes[1].frequency == pytest.approx(exact[1].real, rel=1e-4)
    assert missed[0] < 1e-6
    assert missed[1] < missed[0] / 2**8
    assert missed[1] < 2e-9


def test_a_room_with_four_absorbing_walls_rings_as_its_two_directions_together():
    """kx and ky share one w: of the mode odd in x and even in y, and its partner, by Newton's
    method; on the diagonal in closed form."""
    kx, ky = 6.3431 - 1.2568j, 9.3355 - 2.3774j
    for _ in range(20):
        odd, even = -kx / np.tan(kx / 2), ky * np.tan(ky / 2)
        of_x = -1 / np.tan(kx / 2) + kx / 2 / np.sin(kx / 2) ** 2
        of_y = np.tan(ky / 2) + ky / 2 / np.cos(ky / 2) ** 2
        slopes = [[of_x, -of_y], [2 * odd * of_x + 2 * kx, 2 * ky]]
        step = np.linalg.solve(slopes, [odd - even, odd**2 + kx**2 + ky**2])
        kx, ky = kx - step[0], ky - step[1]
    pair = 1j * ky * np.tan(ky / 2)
    diagonal = 2 * np.sqrt(2) * (1.5 * np.pi - 1j * np.arctanh(1 / np.sqrt(2)))
    missed = []
    # A band narrower than the modes in it finds them too.
    for n, band in ((4, (1.5, 2.2)), (6, (0.9, 2.2))):
        room = problem(n, walls=(AbsorbingWall(("domain",)),))
        found = [
            2 * np.pi * mode.frequency - 1j * mode.decay
            for mode in resonances_of(room, band=band).modes
        ]
        assert len(found) == 3
        missed.append(np.abs(np.array(found) / [pair, pair, diagonal] - 1).max())
    assert missed[0] < 5e-5
    assert missed[1] < missed[0] / 1.5**8


def test_of_a_band_the_sharpest_are_kept_and_else_what_is_sharper_is_told():
    """With one side that absorbs the waves along it are the sharpest, and not the lowest."""
    found = resonances_of(problem(walls=(AbsorbingWall(("domain.right",)),)), band=(0.55, 1.45))
    assert found.left_out == 0
    assert found.sharper is None
    assert list(found.qualities) != sorted(found.qualities)
    fewer = resonances_of(found.problem, 2, (0.55, 1.45))
    kept = np.sort(found.qualities)[-2:]
    assert sorted(fewer.qualities) == pytest.approx(kept, rel=1e-3)
    assert fewer.left_out == len(found.modes) - 2
    assert list(fewer.frequencies) == sorted(fewer.frequencies)
    lowest = resonances_of(found.problem, 1)
    assert lowest.frequencies[0] == pytest.approx(found.frequencies[0], rel=1e-4)
    assert lowest.left_out > 0
    assert lowest.sharper is not None
    assert lowest.sharper[1] > lowest.qualities[0]


def test_all_modes_of_a_band_are_told_or_counted():
    found = resonances_of(problem(), band=(0.6, 1.9))
    inside = cavity(40)[cavity(40) < 1.9]
    assert frequencies(found) == pytest.approx(inside, rel=1e-4)
    assert len(inside) > 6
    assert found.left_out == 0
    fewer = resonances_of(problem(), 3, (0.6, 1.9))
    assert len(fewer.modes) == 3
    assert fewer.left_out == fewer.summary()["left_out"] == len(inside) - 3


def test_an_open_side_makes_a_quality_factor():
    leaky = resonances_of(problem(walls=(ImpedanceWall(("domain.left",), 0.02),)), 2).modes
    more = resonances_of(problem(walls=(ImpedanceWall(("domain.left",), 0.04),)), 2).modes
    # A small surface impedance is a small perturbation: Q falls as its inverse, and for the first
    # mode it is omega W / P = pi sqrt(2) / Zs, but for terms of second order.
    assert leaky[0].quality == pytest.approx(2 * more[0].quality, rel=0.01)
    assert leaky[0].quality == pytest.approx(np.pi * np.sqrt(2) / 0.02, rel=0.01)


def test_a_room_with_an_absorbing_layer(way):
    """The layer has a memory, and fulfils the equations with what rings in front of it: glass at
    the closed end, above the cutoff of the guide before it."""
    # A narrow band rings for long: with the longer steps of a lower order, as exactly.  In glass of
    # that epsilon the mode is further from those that are held by it than in others.
    solver = replace(SQUARE.solver, order=4 if way == "ringing" else 5)
    wall = OpenWall(("domain.left",), thickness=0.45)
    open_side = half_glass(6, 7.0, walls=(wall,), solver=solver)
    found = resonances_of(open_side, band=(0.53, 0.64))
    assert found.refined
    assert len(found.modes) == 1
    assert found.modes[0].residual < 0.01
    omega = 2 * np.pi * found.frequencies[0] - 1j * found.modes[0].decay
    across_glass, across_air = np.sqrt(7 * omega**2 - np.pi**2), np.sqrt(omega**2 - np.pi**2)
    # Ez is sin(across_glass (1 - x)) in the glass, and what goes to the left before it.
    assert across_glass / np.tan(across_glass / 2) == pytest.approx(1j * across_air, rel=1e-3)
    # Let go in its own shape, with nothing in the layer's memory yet, a mode rings down as it says.
    mode = min(found.modes, key=lambda mode: mode.residual)
    assert mode.quality > 10
    ringing = Ringing(open_side, "auto", None, lambda part, text: None, lambda: False)
    times, samples = ringing.record(
        MaxwellFields(*mode.fields.real.copy()), random_points(open_side, 24), 40.0, 1.0, ""
    )
    band = (0.6 * mode.frequency, 1.4 * mode.frequency)
    lines = oscillations(samples, float(times[1] - times[0]), band)
    line = min(lines, key=lambda line: abs(line.frequency - mode.frequency))
    assert line.frequency == pytest.approx(mode.frequency, rel=1e-3)
    assert line.decay == pytest.approx(mode.decay, rel=0.01)


@pytest.mark.parametrize(
    ("pole", "numerator", "denominator"),
    [
        # epsilon = 1 + numerator / denominator, polynomials of s = d/dt.
        (Drude(0.5, damping=0.05), [(2 * np.pi * 0.5) ** 2], [1.0, 0.05, 0.0]),
        (Drude(0.5), [(2 * np.pi * 0.5) ** 2], [1.0, 0.0, 0.0]),
        (Debye(1.0, 0.1), [1.0], [0.1, 1.0]),
    ],
    ids=["Drude", "Drude without loss", "Debye"],
)
def test_modes_in_a_dispersive_medium_are_these_and_no_others(pole, numerator, denominator, way):
    """Double ones too; the records alone show some that there are not."""
    found = resonances_of(problem(background=Material(poles=(pole,))), 4)
    exact = []
    for m, n in ((1, 1), (1, 2), (2, 1), (2, 2)):
        wave_number = np.pi**2 * (m**2 + n**2)
        # s^2 (denominator + numerator) + k^2 denominator = 0
        whole = np.polyadd(
            np.polymul([1, 0, 0], np.polyadd(denominator, numerator)),
            np.multiply(wave_number, denominator),
        )
        exact.append(max(np.roots(whole), key=lambda s: s.imag))
    assert frequencies(found) == pytest.approx([s.imag / (2 * np.pi) for s in exact], rel=3e-6)
    assert [m.decay for m in found.modes] == pytest.approx(
        [-s.real for s in exact], rel=1e-4, abs=1e-8
    )
    assert found.multiplicities == (1, 2, 2, 1)
    assert all(mode.residual < 1e-3 for mode in found.modes)


def test_modes_of_a_crystal_that_remembers():
    """With Drude's charges on the axes mu = 1 and 2 along x and y, s^2 + kx^2 / mu_y(s) + ky^2 /
    mu_x(s) = 0, where s mu = s m + p^2 / (s + g)."""
    pole = Drude(0.3, damping=0.1)
    medium = Material(mu_axes=(1.0, 2.0), magnetic_poles=(pole,))
    found = resonances_of(problem(background=medium), 3)
    assert found.refined
    below = np.poly1d([1.0, pole.damping])
    of_x, of_y = (
        np.poly1d([m, 0.0]) * below + (2 * np.pi * pole.frequency) ** 2 for m in (1.0, 2.0)
    )
    exact = []
    for m, n in ((1, 1), (2, 1), (1, 2)):
        over = (np.pi * m) ** 2 * of_x + (np.pi * n) ** 2 * of_y
        exact.append(max((np.poly1d([1, 0]) * of_x * of_y + over * below).roots, key=np.imag))
    assert frequencies(found) == pytest.approx(
        sorted(s.imag / (2 * np.pi) for s in exact), rel=1e-5
    )
    assert all(mode.residual < 1e-3 for mode in found.modes)


def test_numbers_of_the_records_where_no_operator_gives_them():
    """A medium that is dispersive and a formula; neither residuals nor what is not JSON."""
    epsilon = Formula.parse("1 + x", ("x", "y", "t"))
    medium = Material(epsilon=epsilon, poles=(Debye(0.2, 0.1),))
    found = resonances_of(problem(background=medium), 1)
    assert not found.refined
    text = json.dumps(found.summary(), allow_nan=False)
    assert json.loads(text)["modes"][0]["residual"] is None
    assert "nan" not in found.table()


def test_an_open_room_with_nothing_in_it_does_not_ring(way):
    """Its records look as if it did at 0.87, with a quality of 2.3: that is the layer."""
    empty = problem(6, (2.0, 2.0), walls=(OpenWall(("domain",), thickness=0.5),))
    with pytest.raises(SceneError, match="nothing rings"):
        resonances_of(empty, 3, (0.5, 0.9))


def half_glass(n: int, epsilon: float = 9.0, **changes) -> Problem:
    """The square with glass from 1/2 on."""
    mesh = jittered_square(n)
    # The jitter must not touch the interface.
    vertices = mesh.vertices.copy()
    on_it = np.abs(vertices[:, 0] - 0.5) < 0.3 / n
    vertices[on_it, 0] = 0.5
    middle = vertices[mesh.triangles].mean(axis=1)
    mesh = replace(
        mesh,
        vertices=vertices,
        regions=(middle[:, 0] > 0.5).astype(np.int32),
        region_names=("air", "glass"),
    )
    glass = MaterialRegion("glass", Material(epsilon=epsilon), Rectangle((0.5, 0.0), (1.0, 1.0)))
    return discretize_scene(replace(SQUARE, materials=(glass,), **changes), mesh)


def test_a_jump_of_the_medium():
    found = resonances_of(half_glass(6, 4.0), 5)
    exact = np.array([2.624532818065, 4.857361613281]) / (2 * np.pi)
    nearest = [min(frequencies(found), key=lambda f, e=e: abs(f - e)) for e in exact]
    assert nearest == pytest.approx(exact, rel=1e-5)


def test_a_band_above_the_lowest_modes():
    found = resonances_of(problem(5), 60, (1.5, 1.9))
    exact = cavity(40)
    inside = exact[(exact > 1.5) & (exact < 1.9)]
    assert frequencies(found) == pytest.approx(inside, rel=1e-5)


def test_the_space_of_exact_modes_gives_them_back():
    p = problem()
    d = p.discretization
    vectors = []
    for m, n in ((1, 1), (1, 2)):
        w = np.pi * np.hypot(m, n)
        sx, cx = np.sin(m * np.pi * d.x), np.cos(m * np.pi * d.x)
        sy, cy = np.sin(n * np.pi * d.y), np.cos(n * np.pi * d.y)
        vectors.append([n * np.pi / (1j * w) * sx * cy, 1j * m * np.pi / w * cx * sy, sx * sy])
    mixed = np.array([vectors[0], np.array(vectors[0]) + vectors[1]])
    found = ritz_modes(p.operator, mixed)
    assert [mode.frequency for mode in found] == pytest.approx(cavity(2), rel=1e-6)


def test_weyl_counts_modes():
    exact = cavity(200)
    estimate = mode_estimate(problem().operator)
    assert estimate.count(exact[150]) == pytest.approx(150, abs=6)
    assert estimate.count(estimate.frequency_of(42.0)) == pytest.approx(42)


def test_what_has_no_resonances_is_refused():
    moving = Material(epsilon=Formula.parse("2 + 0.5*sin(t)", ("x", "y", "t")))
    with pytest.raises(SceneError, match="change"):
        resonances_of(problem(2, background=moving))
    with pytest.raises(SceneError, match="modes cannot be looked for"):
        resonances_of(problem(2), 0)
    with pytest.raises(SceneError, match="is none"):
        resonances_of(problem(2), 3, (2.0, 1.0))
    with pytest.raises(SceneError, match="carries nothing"):
        resonances_of(problem(2), 3, (50.0, 60.0))


@pytest.mark.parametrize(
    ("band", "count"),
    [((0.5, math.sqrt(0.5)), 1), ((math.sqrt(0.5), 1.0), 1), ((0.5, 1.0), 1), ((1e-320, 1.0), 1),
     ((1e-9, 1.3), 3)],
)  # fmt: skip
def test_a_mode_at_an_end_of_a_band_and_all_of_a_wide_one_are_found(band, count):
    """The second and the third are looked for from sqrt(1/2) on, too, where a mode is."""
    assert (
        len(resonances_of(problem(2, solver=replace(SQUARE.solver, order=10)), band=band).modes)
        == count
    )


def test_a_coarse_mesh_rings_in_steps_that_tell_the_band(monkeypatch):
    """Its own step is half of a period of what is looked for around the band."""
    monkeypatch.setattr(mode_solver, "_MOST_BYTES", 0)
    glass = Material(mu_axes=(1.0, 2.0), magnetic_poles=(Drude(0.3, 0.1),))
    coarse = problem(2, solver=replace(SQUARE.solver, order=3), background=glass)
    high = 1.3
    assert coarse.dt_max * 2 * high > 0.4
    found = resonances_of(coarse, band=(0.1, high))
    assert 0 < found.frequencies[0] < high


def test_solving_can_be_given_up():
    told = []
    with pytest.raises(StudyCancelledError):
        resonances_of(
            problem(),
            tell=lambda part, text: told.append(text),
            cancelled=lambda: told[-1:] == ["Looking for modes"],
        )


def test_with_the_central_flux_modes_are_not_solved_for():
    """The operator of order 3 has an eigenvalue at 1.22 that no cavity has, without a loss."""
    central = problem(solver=replace(SQUARE.solver, order=3, upwinding=0.0))
    ringing = Ringing(central, "auto", None, lambda part, text: None, lambda: False)
    assert mode_solver.solved_modes(central, ringing, (1.0, 1.3)) is None
    upwind = problem(solver=replace(SQUARE.solver, order=3))
    solved = mode_solver.solved_modes(upwind, ringing, (1.0, 1.3))
    assert [mode.frequency for mode in solved] == pytest.approx(cavity(3)[1:], rel=1e-3)


#: f and Q of the modes of a ring of index 3.4 between the radii 1 and 2 with 3, 4 and 5 waves round
#: it, and of 0 waves: J, J and Y, and a Hankel function outside, continuous with their slopes (by
#: scipy: ``scripts/beside_meep.py ring``).
RING = {3: (0.1181916937340, 77.25539748), 4: (0.1474310328673, 343.9164578),
        5: (0.1757793737226, 1634.205586), 0: (0.1462952435668, 5.524832319)}  # fmt: skip


def test_modes_of_a_ring_in_open_space_and_what_it_loses_in_a_turn():
    """Of a guide bent to a circle m waves long, exp(-2 pi m / Q) of the power is left after a turn
    of its phase."""
    index = MaterialRegion("ring", Material(epsilon=11.56), Ellipse((0.0, 0.0), (2.0, 2.0)))
    ring = replace(
        SQUARE,
        outline=Ellipse((0.0, 0.0), (5.0, 5.0)),
        materials=(index, MaterialRegion("inside", Material(), Ellipse((0.0, 0.0), (1.0, 1.0)))),
        walls=(OpenWall(("domain",), thickness=2.0),),
        solver=Solver(1.0, 4, precision="double"),
    )
    found = find_resonances(ring, band=(0.11, 0.185))
    assert len(found.modes) == 9
    for m, (frequency, quality) in RING.items():
        near = np.abs(found.frequencies - frequency) < 5e-4 * frequency
        assert near.sum() == (2 if m else 1)
        assert found.frequencies[near] == pytest.approx(frequency, rel=3e-5 if m else 2e-4)
        left = np.exp(-2 * np.pi * m / found.qualities[near])
        assert 1 - left == pytest.approx(1 - np.exp(-2 * np.pi * m / quality), rel=1e-2)


def test_it_can_be_given_up():
    told = []
    with pytest.raises(StudyCancelledError):
        find_resonances(
            SQUARE, tell=lambda part, text: told.append(text), cancelled=lambda: len(told) > 2
        )
    assert told[0] == "Meshing"


@pytest.mark.parametrize("medium", [Material(), Material(poles=(Drude(0.5),))])
@pytest.mark.parametrize("more", [0, 5])
@pytest.mark.parametrize("way", ["ringing"], indirect=True)
def test_the_separation_of_modes_can_be_given_up(medium, more, way):
    """At its beginning, and further on: it takes long where there are many elements."""
    told, asked = [], []

    def cancelled() -> bool:
        separating = "Separating modes" in told
        asked.append(separating)
        return separating and sum(asked) > more

    with pytest.raises(StudyCancelledError):
        resonances_of(
            problem(3, background=medium),
            2,
            tell=lambda part, text: told.append(text),
            cancelled=cancelled,
        )
    assert told[-1] == "Separating modes"
    assert sum(asked) == more + 1


@pytest.mark.parametrize("power", [-20, 20])
def test_modes_beside_open_walls_do_not_depend_on_the_unit_of_length(power):
    """What layers remember has powers of time in its units, and was lost beside the fields, or they
    beside it."""

    def found(length):
        solver = Solver(0.25 * length, order=3)
        disk = MaterialRegion(
            "disk", Material(epsilon=10.0), Ellipse((0.0, 0.0), 2 * (0.2 * length,))
        )
        scene = Scene(
            "disk", solver, outline=Rectangle((-length, -0.6 * length), (length, 0.6 * length)),
            materials=(disk,), walls=(OpenWall(("domain",), 0.37 * length),),
        )  # fmt: skip
        return find_resonances(scene, 3, (1.2 / length, 1.6 / length))

    one, other = found(1.0), found(2.0**power)
    for of in ("frequency", "decay"):
        ours = [getattr(mode, of) * 2.0**power for mode in other.modes]
        assert ours == pytest.approx([getattr(mode, of) for mode in one.modes], rel=1e-5)


@pytest.mark.parametrize(("speed", "density"), [(1480.0, 1000.0), (5000.0, 2600.0), (1.0, 1e-6)])
@pytest.mark.parametrize("wall", ["open", "impedance"])
def test_no_mode_is_lost_in_the_units_of_the_medium(speed, density, wall):
    """Of water the pressure is 1e6 of the velocity in SI units: beside an open wall nothing was
    found at all, and with one that loses others than these."""

    def found(c, d):
        more = "thickness = 0.4" if wall == "open" else f"impedance = {0.1 * c * d!r}"
        return find_resonances(
            parse_scene(
                f"""title = "room"
physics = "sound"
[background]
density = {d!r}
speed = {c!r}
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1.5, 1]
[[walls]]
edges = ["domain.right"]
kind = "{wall}"
{more}
[[walls]]
edges = ["domain.top"]
kind = "soft"
[solver]
element_size = 0.25
order = 3
"""
            ),
            3,
            (0.7 * c, 1.5 * c),
        )

    one, other = found(1.0, 1.0), found(speed, density)
    assert len(one.modes) > 0
    for of in ("frequency", "decay"):
        ours = [getattr(mode, of) / speed for mode in other.modes]
        assert ours == pytest.approx([getattr(mode, of) for mode in one.modes], rel=1e-7)
