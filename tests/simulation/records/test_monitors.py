"""Monitors against exact answers."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.meshing.job import MeshJob
from wavelab.physics.monitors.summing import sampling_interval
from wavelab.physics.notices.contour_notices import contour_notices
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import (
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
)
from wavelab.scene.monitors.half_space import HalfSpaceMonitor
from wavelab.scene.poles import Drude
from wavelab.scene.sources import LineSource, PlaneWave, PointSource
from wavelab.scene.walls import AbsorbingWall, OpenWall, PeriodicWall
from wavelab.scene.waveforms import Ricker, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.headless.summary import as_json
from wavelab.simulation.steppers.steppers import make_stepper
from wavelab.simulation.views.monitored import map_values
from wavelab.simulation.views.views import view

UP = ((0.3, 0.0), (0.3, 1.0))
BOX = Rectangle((0.0, 0.0), (1.0, 1.0))
FIELDS_AT_REST = FieldFormulas(ez=Formula.parse("cos(2*pi*x)", ("x", "y")))


def measured(
    problem: Problem, backend: str = "auto", batch: int = 1000
) -> dict[str, MonitorResult]:
    """The monitors' results at the end of the scene, a whole number of samples away."""
    until = problem.scene.solver.until
    n_steps = 12 * int(np.ceil(until / problem.dt_max / 12))
    stepper = make_stepper(
        problem.operator, dt=until / n_steps, backend=backend, precision="double"
    )
    simulation = Simulation(problem, stepper)
    while simulation.steps < n_steps:
        simulation.advance(min(batch, n_steps - simulation.steps))
    found = {result.name: result for result in simulation.measured()}
    simulation.close()
    return found


@pytest.mark.parametrize("standing", [False, True])
def test_power_is_split_into_waves_both_ways(standing):
    """A wave of amplitude 1 along x carries 1/2 per length; one that stands, half an amplitude each
    way.  Through a line across and through a medium of the same impedance nothing comes back."""
    monitor = FluxMonitor("through", UP, frequencies=(1.0,))
    slanted = FluxMonitor("slanted", ((0.3, 0.0), (0.8, 0.9)), frequencies=(1.0,))
    closed = FluxMonitor("round", ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8)), True, (1.0,))
    found = measured(wave(monitor, slanted, closed, standing=standing, until=2.0))
    arrays = found["through"].arrays
    forward, backward = arrays["forward_power"][0], arrays["backward_power"][0]
    right = (0.125, 0.125) if standing else (0.5, 0.0)
    # To the right of the way up is along x.
    assert (forward, backward) == pytest.approx(right, abs=1e-4)
    for name in ("through", "slanted"):
        arrays = found[name].arrays
        net = arrays["forward_power"] - arrays["backward_power"]
        assert net == pytest.approx(arrays["mean_power"], abs=1e-12)
    assert "forward_power" not in found["round"].arrays
    if not standing:
        # At an angle a part ((1 - cos) / (1 + cos))^2 seems to go back.
        arrays, cosine = found["slanted"].arrays, 0.9 / np.hypot(0.5, 0.9)
        part = arrays["backward_power"] / arrays["forward_power"]
        assert part == pytest.approx(((1 - cosine) / (1 + cosine)) ** 2, rel=1e-3)


def test_phase_and_swing_of_a_map_are_those_of_the_wave():
    """Of cos 2 pi (x - t) the phase is 2 pi x, and what swings is the wave itself at any time."""
    problem = wave(FieldMonitor("map", (1.0,)), until=2.0)
    n_steps = 12 * int(np.ceil(2.0 / problem.dt_max / 12))
    stepper = make_stepper(problem.operator, dt=2.0 / n_steps, precision="double")
    simulation = Simulation(problem, stepper)
    simulation.advance(n_steps)
    x = problem.discretization.x
    turned = np.exp(1j * np.radians(view(simulation, "phase")))
    assert turned == pytest.approx(np.exp(2j * np.pi * x), abs=1e-4)
    assert view(simulation, "steady") == pytest.approx(np.cos(2 * np.pi * x), abs=1e-4)
    for time in (0.1, 0.37, 1e6 + 0.25):
        swing = map_values(simulation, FieldMonitor, "steady", time)
        assert swing == pytest.approx(np.cos(2 * np.pi * (x - time)), abs=1e-4)
    # One wave all over: nothing is stronger than the rest, so its volume is the whole square.
    (result,) = simulation.measured()
    assert result.arrays["mode_volume"] == pytest.approx(1.0, rel=1e-3)
    simulation.close()


def wave(*monitors, n: int = 4, order: int = 6, until: float = 1.0, standing=False) -> Problem:
    """cos 2 pi (x - t) in a periodic square, or half the sum of it and its mirror image."""
    x = ("x", "y")
    ez, hy = Formula.parse("cos(2*pi*x)", x), Formula.parse("-cos(2*pi*x)", x)
    scene = Scene(
        "wave",
        Solver(0.25, order=order, until=until),
        walls=(
            PeriodicWall(("domain.left", "domain.right")),
            PeriodicWall(("domain.bottom", "domain.top")),
        ),
        initial=FieldFormulas(ez=ez, hy=None if standing else hy),
        monitors=monitors,
    )
    return discretize_scene(scene, jittered_square(n))


def radiating(*monitors, sources=(), until=6.0, **changes) -> Problem:
    scene = Scene(
        "radiating",
        Solver(0.1, order=4, until=until),
        walls=(AbsorbingWall(("domain",)),),
        sources=sources,
        monitors=monitors,
    )
    return discretize_scene(replace(scene, **changes), jittered_square(9))


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_transform_of_a_plane_wave(backend):
    everywhere = FieldMonitor("map", (1.0, 2.0))
    inside = FieldMonitor("part", (1.0,), shape=Ellipse((0.5, 0.5), (0.3, 0.3)), window="hann")
    problem = wave(everywhere, replace(inside, end=3.0), until=3.0)
    found = measured(problem, backend)
    exact = np.exp(2j * np.pi * found["map"].arrays["x"])
    for name, sign in (("ez", 1), ("hy", -1)):
        values = found["map"].arrays[name]
        assert np.abs(values[0] - sign * exact).max() < 5e-5
        assert np.abs(values[1]).max() < 5e-5
    part = found["part"].arrays
    assert 0 < len(part["elements"]) < problem.discretization.n_elements
    assert np.abs(part["ez"][0] - np.exp(2j * np.pi * part["x"])).max() < 5e-5
    assert found["map"].numbers["duration"] == pytest.approx(3.0)


def test_power_of_travelling_and_standing_waves():
    flux = FluxMonitor("flux", UP, frequencies=(1.0,))
    back = FluxMonitor("back", UP[::-1], frequencies=(1.0,))
    along = FluxMonitor("along", ((0.1, 0.4), (0.8, 0.4)), frequencies=(1.0,))
    loop = FluxMonitor("loop", ((0.2, 0.2), (0.2, 0.7), (0.8, 0.7), (0.8, 0.2)), closed=True)
    found = measured(wave(flux, back, along, loop))
    assert found["flux"].arrays["mean_power"] == pytest.approx(0.5, abs=2e-5)
    assert found["back"].arrays["mean_power"] == pytest.approx(-0.5, abs=2e-5)
    assert found["along"].arrays["mean_power"] == pytest.approx(0.0, abs=2e-5)
    time, power = found["flux"].arrays["time"], found["flux"].arrays["power"]
    assert np.abs(power - np.cos(2 * np.pi * (0.3 - time)) ** 2).max() < 2e-4
    # What comes in on the left goes out on the right half a period later, more or less.
    exact = 0.5 * (np.cos(2 * np.pi * (0.8 - time)) ** 2 - np.cos(2 * np.pi * (0.2 - time)) ** 2)
    assert np.abs(found["loop"].arrays["power"] - exact).max() < 2e-4
    standing = measured(wave(flux, standing=True))["flux"]
    assert abs(standing.arrays["mean_power"][0]) < 2e-5
    assert np.abs(standing.arrays["power"]).max() > 0.05


def test_mean_square_and_line_of_a_plane_wave():
    line = LineMonitor("line", ((0.0, 0.3), (1.0, 0.3)), count=11, quantity="hy")
    found = measured(wave(IntensityMonitor("mean"), line))
    assert np.abs(found["mean"].arrays["mean_square"] - 0.5).max() < 5e-5
    time, along = found["line"].arrays["time"], found["line"].arrays["along"]
    exact = -np.cos(2 * np.pi * (along - time[:, None]))
    assert found["line"].arrays["values"].shape == exact.shape
    assert np.abs(found["line"].arrays["values"] - exact).max() < 1e-4


def test_energy_in_a_shape():
    whole, half = EnergyMonitor("all", BOX, every=7), EnergyMonitor("half", BOX, every=14)
    found = measured(wave(whole, half), batch=33)
    energy, time = found["all"].arrays["energy"], found["all"].arrays["time"]
    assert np.abs(energy - 0.5).max() < 1e-5
    assert np.allclose(np.diff(time), time[0])
    assert np.allclose(found["half"].arrays["time"], time[1::2])


def test_work_of_a_source_flows_out_of_a_loop_around_it():
    loop = FluxMonitor("loop", ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)), closed=True)
    away = FluxMonitor("away", ((0.05, 0.05), (0.15, 0.05), (0.1, 0.15)), closed=True)
    source = PointSource("s", (0.45, 0.55), 0.06, 10.0, Ricker(2.0, 0.6))
    problem = radiating(loop, away, sources=(source,), until=4.0)
    n_steps = int(np.ceil(4 / problem.dt_max))
    stepper = make_stepper(problem.operator, dt=4 / n_steps, precision="double")
    simulation = Simulation(problem, stepper)
    ledger = Ledger(simulation)
    while simulation.steps < n_steps:
        simulation.advance(min(4, n_steps - simulation.steps))
        ledger.update(simulation)
    through_loop, through_away = (r.numbers["energy"] for r in simulation.measured())
    work = ledger.account.sources
    assert work > 0.01
    assert through_loop == pytest.approx(work, rel=2e-3)
    assert abs(through_away) < 1e-3 * work
    simulation.close()


def exact_strength(frequency: float, amplitude: float, radius: float) -> float:
    """|F| of a Gaussian current: E = i w mu I G with I its transform at k = w."""
    k = 2 * np.pi * frequency
    current = amplitude * 2 * np.pi * radius**2 * np.exp(-((k * radius) ** 2) / 2)
    return k * current / 4 * np.sqrt(2 / (np.pi * k))


@pytest.mark.parametrize(
    "shape", [Rectangle((0.2, 0.25), (0.8, 0.75)), Ellipse((0.5, 0.5), (0.35, 0.3))]
)
def test_far_field_of_one_source_is_the_same_all_round(shape):
    far = FarFieldMonitor("far", shape, (2.0,), begin=3.0, end=6.0, window="hann", directions=48)
    source = PointSource("s", (0.45, 0.55), 0.05, 30.0, Sine(2.0))
    found = measured(radiating(far, sources=(source,)))["far"].arrays
    strength = exact_strength(2.0, 30.0, 0.05)
    assert np.abs(found["pattern"][0]) == pytest.approx(strength, rel=3e-3)
    assert found["power"][0] == pytest.approx(np.pi * strength**2, rel=3e-3)
    assert found["angle"][12] == 90


def test_far_field_of_two_sources_is_one_times_the_array_factor():
    at = np.array([(0.4, 0.45), (0.62, 0.6)])
    sources = tuple(
        PointSource(f"s{i}", tuple(p), 0.05, 30.0, Sine(2.0, phase=1.1 * i))
        for i, p in enumerate(at.tolist())
    )
    ring = Rectangle((0.2, 0.25), (0.8, 0.8))
    far = FarFieldMonitor("far", ring, (2.0,), begin=3.0, end=6.0, window="hann")
    found = measured(radiating(far, sources=sources))["far"].arrays
    phi = np.radians(found["angle"])
    toward = np.stack([np.cos(phi), np.sin(phi)])
    factor = np.abs(np.exp(-4j * np.pi * (at @ toward) - 1.1j * np.array([[0], [1]])).sum(axis=0))
    strength = exact_strength(2.0, 30.0, 0.05)
    assert np.abs(np.abs(found["pattern"][0]) - strength * factor).max() < 5e-3 * strength


@pytest.mark.parametrize("directions", [2, 7, 24])
def test_the_power_of_a_far_field_does_not_depend_on_how_many_directions_are_asked_for(directions):
    """Two sources some wavelengths apart have more lobes than that."""
    box = ((0.2, 0.25), (0.8, 0.25), (0.8, 0.75), (0.2, 0.75))
    ring = Rectangle(box[0], box[2])
    when = {"begin": 3.0, "end": 6.0, "window": "hann"}
    problem = radiating(
        FarFieldMonitor("far", ring, (5.0,), directions=directions, **when),
        FluxMonitor("flux", box, True, (5.0,), **when),
        HalfSpaceMonitor("few", ((0.8, 0.25), (0.8, 0.75)), (5.0,), directions=directions, **when),
        HalfSpaceMonitor("many", ((0.8, 0.25), (0.8, 0.75)), (5.0,), directions=3600, **when),
        sources=tuple(PointSource(f"{x}", (x, 0.52), 0.03, 30.0, Sine(5.0)) for x in (0.25, 0.75)),
    )
    found = measured(problem)
    power = found["far"].arrays["power"]
    assert power == pytest.approx(found["flux"].arrays["mean_power"], rel=0.02)
    sizes = np.abs(found["many"].arrays["pattern"][0]) ** 2
    # Directions along the screen end the integral and count half.
    along = np.isin(found["many"].arrays["angle"], (90.0, 270.0))
    expected = (sizes.sum() - sizes[along].sum() / 2) * np.pi / 3600
    assert found["few"].arrays["power"][0] == pytest.approx(expected, rel=1e-5)


def bessel(n: int, x: float) -> complex:
    """J_n + i Y_n, by Bessel's and Schlaefli's integrals (DLMF 10.9.2 and 10.9.7)."""
    theta = (np.arange(400) + 0.5) * np.pi / 400
    s = (np.arange(20_000) + 0.5) * 4e-4
    fading = (np.exp(n * s) + (-1) ** n * np.exp(-n * s)) * np.exp(-x * np.sinh(s))
    y = np.sin(x * np.sin(theta) - n * theta).mean() - fading.sum() * 4e-4 / np.pi
    return complex(np.cos(n * theta - x * np.sin(theta)).mean(), y)


def test_a_conducting_cylinder_scatters_as_the_hankel_series_says():
    """Contours around and inside the border of the plane wave give the same far field."""
    scene = Scene(
        "cylinder",
        Solver(0.2, order=4, until=7.0),
        outline=Rectangle((-1.9, -1.9), (1.9, 1.9)),
        holes=(Hole("cylinder", Ellipse((0.0, 0.0), (0.5, 0.5))),),
        walls=(OpenWall(("domain",), thickness=0.5),),
        sources=(PlaneWave("wave", 0.0, 1.0, Sine(1.0), Rectangle((-0.85, -0.85), (0.85, 0.85))),),
        monitors=(
            FarFieldMonitor(
                "outside", Rectangle((-1.05, -1.05), (1.05, 1.05)), (1.0,), 4.0, 7.0, "hann"
            ),
            FarFieldMonitor("inside", Ellipse((0.0, 0.0), (0.68, 0.68)), (1.0,), 4.0, 7.0, "hann"),
        ),
    )
    found = measured(discretize_scene(scene, MeshJob(scene).start().wait()))
    phi = np.radians(found["inside"].arrays["angle"])
    ratios = [h.real / h for h in (bessel(abs(n), np.pi) for n in range(-15, 16))]
    series = sum(r * np.exp(1j * n * phi) for n, r in zip(range(-15, 16), ratios, strict=True))
    exact = np.abs(series) / np.pi  # sqrt(2 / (pi k)), k = 2 pi
    for result in found.values():
        assert np.abs(np.abs(result.arrays["pattern"][0]) - exact).max() < 1e-3 * exact.max()


def test_sums_go_on_behind_another_stepper_and_begin_anew_at_a_reset():
    problem = wave(FieldMonitor("map", (1.0,)), n=2, order=4)
    simulation, undisturbed = (
        Simulation(problem, make_stepper(problem.operator, dt=0.005, precision="double"))
        for _ in range(2)
    )
    simulation.advance(90)
    simulation.change_stepper(make_stepper(problem.operator, dt=0.005, precision="double"))
    simulation.advance(111)
    undisturbed.advance(201)
    found, right = simulation.measured()[0], undisturbed.measured()[0]
    assert found.numbers == pytest.approx(right.numbers)
    assert np.abs(found.arrays["ez"] - right.arrays["ez"]).max() < 1e-12
    undisturbed.close()
    simulation.reset()
    assert simulation.measured()[0].numbers["duration"] == 0
    simulation.close()


def test_summaries_are_json():
    monitors = (
        FieldMonitor("map", (1.0,)),
        IntensityMonitor("mean"),
        FluxMonitor("flux", UP, frequencies=(1.0,)),
        LineMonitor("line", UP, count=3),
        EnergyMonitor("energy", BOX),
    )
    found = measured(wave(*monitors, n=2, order=2, until=0.1))
    text = as_json({name: r.summary() for name, r in found.items()})
    assert json.loads(text)["map"]["largest_ez"][0] > 0


@pytest.mark.parametrize(
    ("monitor", "says"),
    [
        (LineMonitor("m", ((0.5, 0.5), (1.5, 0.5)), 3), r"point 2 at \(1, 0.5\)|point 3"),
        (FluxMonitor("m", ((2.0, 0.0), (2.0, 1.0))), "outside the domain"),
        (FarFieldMonitor("m", Ellipse((0.5, 0.5), (0.6, 0.6)), (1.0,)), "contour outside"),
        (FarFieldMonitor("m", Ellipse((0.5, 0.5), (0.4, 0.4)), (1.0,)), "2 media"),
        (FieldMonitor("m", (1000.0,)), "carries frequencies up to"),
        (EnergyMonitor("m", Rectangle((3.0, 3.0), (4.0, 4.0))), "no element"),
    ],
)
def test_what_cannot_be_measured_is_refused(monitor, says):
    mesh = jittered_square(4)
    middle = mesh.vertices[mesh.triangles].mean(axis=1)
    mesh = replace(mesh, regions=(middle[:, 0] > 0.5).astype(np.int32), region_names=("a", "b"))
    scene = Scene(
        "s",
        Solver(0.2),
        materials=(MaterialRegion("b", Material(epsilon=4.0), Rectangle((0.5, 0.0), (1.0, 1.0))),),
        monitors=(monitor,),
    )
    with pytest.raises(SceneError, match='monitor "m"') as error:
        discretize_scene(scene, mesh)
    assert re.search(says, str(error.value))
    assert error.value.remedy


@pytest.mark.parametrize(
    ("medium", "says"),
    [
        (Material(mu_axes=(1.0, 2.0)), "anisotropic medium"),
        (Material(magnetic_sigma=0.2), "dispersive or lossy medium"),
        (Material(magnetic_poles=(Drude(0.5),)), "dispersive or lossy medium"),
    ],
)
def test_a_far_field_is_that_of_a_plain_medium(medium, says):
    monitor = FarFieldMonitor("m", Ellipse((0.5, 0.5), (0.4, 0.4)), (1.0,))
    scene = Scene("s", Solver(0.2), background=medium, monitors=(monitor,))
    with pytest.raises(SceneError, match=says):
        discretize_scene(scene, jittered_square(4))


def test_what_is_doubtful_is_told():
    monitors = (
        FluxMonitor("half out", ((0.5, 0.5), (1.5, 0.5))),
        FarFieldMonitor("far", Rectangle((0.5, 0.5), (0.9, 0.9)), (1.0,)),
        FieldMonitor("fine", (8.0,)),
    )
    source = PointSource("lamp", (0.2, 0.2), 0.1, 1.0, Sine(1.0))
    told = [text for text in radiating(*monitors, sources=(source,)).notices]
    assert len(told) == 3
    assert "50% of" in told[0]
    assert "nothing that sends or scatters" in told[1]
    assert "badly" in told[2]


@pytest.mark.parametrize(
    ("box", "says"),
    [
        ((0.1, 0.1, 0.9, 0.9), []),
        ((0.1, 0.1, 0.9, 0.55), ['source "row" lies outside the contour of monitor "far"']),
        ((0.1, 0.65, 0.35, 0.9), ["nothing that sends or scatters"]),
        ((0.1, 0.1, 0.4, 0.9), ['cuts through source "row"', 'obstacle "A" lies outside']),
    ],
)
def test_what_a_contour_does_not_go_round(box, says):
    scene = Scene(
        "s",
        Solver(0.1),
        outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
        holes=(Hole("A", Ellipse((0.7, 0.3), (0.1, 0.1))),),
        sources=(LineSource("row", (0.3, 0.6), (0.6, 0.6), 0.05, 1.0, Sine(1.0)),),
        walls=(AbsorbingWall(("domain",)),),
    )
    x0, y0, x1, y1 = box
    ring = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    told = contour_notices(scene, ring, "far")
    assert all(text in " ".join(told) for text in says)
    assert len(told) == len(says)


def test_what_a_contour_does_not_go_round_although_nobody_drew_it():
    """Walls that send waves back, and the background around the material that it lies in."""
    air = MaterialRegion("air", Material(), Rectangle((0.0, 0.4), (1.0, 1.0)))
    scene = Scene(
        "s",
        Solver(0.1),
        outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
        background=Material(epsilon=4.0),
        materials=(air, replace(air, name="the same", shape=Rectangle((0.0, 0.9), (1.0, 1.0)))),
        sources=(PointSource("lamp", (0.5, 0.6), 0.1, 1.0, Sine(1.0)),),
        walls=(
            AbsorbingWall(("domain.left", "domain.right")),
            OpenWall(("domain.bottom",)),
        ),
    )
    ring = np.array([(0.3, 0.5), (0.7, 0.5), (0.7, 0.8), (0.3, 0.8)])
    (told,) = contour_notices(scene, ring, "far")
    assert told.startswith('the background and the wall "domain.top" lie outside')
    scene = replace(scene, background=Material(), walls=())
    (told,) = contour_notices(scene, ring, "far")
    assert told.startswith("the edge of the domain lies outside")
    assert contour_notices(replace(scene, walls=(OpenWall(("domain",)),)), ring, "far") == ()


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_all_energy_of_a_medium_and_all_that_goes_through_a_line_counts(backend):
    """A plasma keeps part of the energy, which stays the same; the fields at the start flow too."""
    problem = wave(
        EnergyMonitor("all", BOX, every=1), FluxMonitor("through", UP), n=4, order=5, until=0.75
    )
    plasma = replace(
        problem.scene, background=Material(poles=(Drude(0.5),)), initial=FIELDS_AT_REST
    )
    in_plasma = measured(discretize_scene(plasma, jittered_square(4)), backend)["all"].arrays[
        "energy"
    ]
    np.testing.assert_allclose(in_plasma, 0.25, rtol=1e-4)
    passed = measured(problem, backend)["through"].numbers["energy"]
    # The integral of cos^2 2 pi (x - t) at x = 0.3, from 0 to 0.75.
    exact = 0.375 + (np.sin(4 * np.pi * 0.45) + np.sin(4 * np.pi * 0.3)) / (8 * np.pi)
    assert passed == pytest.approx(exact, rel=1e-3)


def test_layers_along_open_walls():
    """A far field cannot be taken there, power can but is told; in front of them all is well."""
    ring, line = Rectangle((0.1, 0.3), (0.6, 0.7)), ((0.05, 0.2), (0.05, 0.8))
    changes = {"walls": (OpenWall(("domain.left",), thickness=0.2),)}
    with pytest.raises(SceneError, match="layer along an open wall"):
        radiating(FarFieldMonitor("m", ring, (1.0,)), **changes)
    told = radiating(FluxMonitor("m", line), **changes).notices
    assert any('monitor "m" runs through the layer' in text for text in told)
    inside = Rectangle((0.5, 0.3), (0.8, 0.7))
    radiating(FarFieldMonitor("m", inside, (1.0,)), **changes)


def test_samples_catch_what_the_mesh_carries():
    problem = wave(order=6)
    every = sampling_interval(problem.operator, problem.dt_max)
    assert 1 <= every <= 6
    assert sampling_interval(problem.operator, problem.dt_max / 10) > every


@pytest.mark.parametrize("end", [None, 1.9])
def test_parts_of_periods_of_a_wave_that_goes_on_are_told_and_how_to_be_without(end):
    """They are as large as is said, and gone with what is advised."""
    monitor = FluxMonitor("flux", UP, frequencies=(1.0,), begin=0.53, end=end)
    pulse = PointSource("pulse", (0.5, 0.5), 0.1, 1.0, Ricker(1.0, 0.5))
    assert radiating(monitor, sources=(pulse,), until=2.0).notices == ()
    going_on = replace(pulse, waveform=Sine(1.0))
    (told,) = radiating(monitor, sources=(going_on,), until=2.0).notices
    assert told.startswith('monitor "flux" takes 1.')
    better = replace(monitor, begin=float(told.split()[-1]))
    assert radiating(better, sources=(going_on,), until=2.0).notices == ()
    by_hann = replace(monitor, window="hann")
    assert radiating(by_hann, sources=(going_on,), until=2.0).notices == ()


def test_a_window_shorter_than_a_period_cannot_be_right():
    monitor = FluxMonitor("flux", UP, frequencies=(0.4,))
    source = PointSource("s", (0.5, 0.5), 0.1, 1.0, Sine(0.4))
    (told,) = radiating(monitor, sources=(source,), until=2.0).notices
    assert told.endswith("let it end later")
