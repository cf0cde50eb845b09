"""Solids and fluids whose density, speeds and losses are formulas of the place."""

from __future__ import annotations

import math

import h5py
import numpy as np
import pytest

from tests.physics.operator.test_elastic import growth, random_elastic
from tests.products import each_value
from tests.sample_scenes import shaken
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.output.files.snapshot import write_snapshot
from wavelab.output.files.vtu import write_vtu
from wavelab.physics.materials.solids import described_at_nodes
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.optical_path import Surveyor
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.physics.time.rates import rates_of_change
from wavelab.scene.editing import properties
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.modes.resonances import find_resonances

#: A graded solid round a disk of a graded fluid, with arcs between them.
SCENE = """
title = "ground"
physics = "elastic"
[parameters]
grows = {grows}
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1.4, 1]
[background]
{solid}
{rest}
[[materials]]
name = "magma"
shape = "ellipse"
center = [0.8, 0.5]
radii = [0.25, 0.2]
{fluid}
[solver]
element_size = 0.35
order = {order}
upwinding = {upwinding}
until = 0.5
precision = "double"
"""
SOLID = """density = "1.2 + 0.3*sin(3*x)"
p_speed = "1.5 - grows*y"
s_speed = "0.8 - 0.3*y + 0.1*cos(2*x)"
"""
FLUID = """density = 0.7
p_speed = "0.6 + 0.4*x"
s_speed = 0
"""
LOSES = """p_quality = "6 + x"
s_quality = "5 + y"
q_frequency = 1.5
"""
WALLS = """[[walls]]
edges = ["domain"]
kind = "{}"
"""
LAYER = '[[walls]]\nkind = "open"\nedges = ["domain.left", "domain.bottom"]\nthickness = 0.3\n'
SOURCES = shaken((0.3, 0.7), (0.8, 0.5), (0.3, 0.3))


def scene_of(rest="", *, solid=SOLID, fluid=FLUID, order=2, upwinding=1.0, grows=0.5):
    return parse_scene(
        SCENE.format(
            rest=rest, solid=solid, fluid=fluid, order=order, upwinding=upwinding, grows=grows
        )
    )


def problem_of(rest="", **given):
    scene = scene_of(rest, **given)
    return discretize_scene(scene, mesh_scene(scene))


def test_a_formula_that_is_constant_is_the_number():
    """With losses, a layer and sources, from the operator to the fields after many steps."""
    rest = "p_quality = {}\ns_quality = {}\nq_frequency = 2\n"
    numbers = "density = 1.3\np_speed = 1.6\ns_speed = 0.9\n"
    fluid = "density = 0.7\np_speed = 0.8\ns_speed = 0\n"
    same = '"{0} + 0*x*y"'.format
    formulas = numbers.replace("1.3", same(1.3)).replace("1.6", same(1.6)).replace("0.9", same(0.9))
    found = []
    for solid, liquid, qualities in (
        (numbers, fluid, (30, 20)),
        (formulas, fluid.replace("0.8", same(0.8)), (same(30), same(20))),
    ):
        problem = problem_of(
            rest.format(*qualities) + LAYER + SOURCES, solid=solid, fluid=liquid, order=3
        )
        assert not problem.operator.media
        simulation = Simulation(problem, stepper_of(problem, backend="numpy"))
        simulation.advance(30)
        found.append((problem, simulation.stepper.fields()))
        simulation.close()
    (one, expected), (other, fields) = found
    assert other.dt_max == pytest.approx(one.dt_max, rel=1e-9)
    pairs = zip(
        (*fields.arrays, *fields.auxiliary), (*expected.arrays, *expected.auxiliary), strict=True
    )
    for values, right in pairs:
        np.testing.assert_allclose(values, right, atol=1e-10 * np.abs(right).max(initial=0))


def test_the_profiles_of_a_constant_do_nothing():
    """A density that varies by far less than anything else: all goes through the projections."""
    solid = 'density = "1.3 + 1e-9*x"\np_speed = "1.6 + 1e-9*y"\ns_speed = 0.9\n'
    graded = problem_of(solid=solid, order=3).operator
    plain = problem_of(solid="density = 1.3\np_speed = 1.6\ns_speed = 0.9\n", order=3).operator
    assert graded.media.density
    assert graded.media.shear
    fields = random_elastic(plain)
    pairs = zip(
        graded.right_hand_side(fields).arrays, plain.right_hand_side(fields).arrays, strict=True
    )
    # The fluid is a formula in both.
    for found, expected in pairs:
        np.testing.assert_allclose(found, expected, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("wall", ["free", "clamped", "slip"])
def test_central_flux_conserves_energy(order, wall):
    operator = problem_of(WALLS.format(wall), order=order, upwinding=0.0).operator
    assert (operator.mu == 0).any()
    assert (operator.discretization.curved is not None) == (order > 1)
    fields = random_elastic(operator)
    scale = float(operator.element_energy(fields).sum()) * np.max(
        operator.fastest / operator.discretization.mesh.inradii()
    )
    assert abs(growth(operator, fields)) < 1e-11 * scale


@pytest.mark.parametrize("upwinding", [0.3, 1.0])
@pytest.mark.parametrize("more", ["", LOSES, LOSES + LAYER])
def test_energy_falls_by_what_walls_jumps_and_media_take(upwinding, more):
    problem = problem_of(more + (WALLS.format("absorbing") if not more else ""), order=3,
                         upwinding=upwinding)  # fmt: skip
    operator, equations = problem.operator, problem.auxiliary_equations
    rng = np.random.default_rng(1)
    memory = tuple(0.1 * rng.standard_normal(e.shape) for e in equations)
    fields = ElasticFields.of(random_elastic(operator, 3).arrays, memory)
    powers = elastic_powers(operator, fields, auxiliary_equations=equations)
    assert powers.upwind > 0
    assert bool(more) == (powers.joule > 0)
    assert powers.wall > 0 or more == LOSES

    def energy(vector):
        shape = (5, *operator.discretization.shape)
        cut = np.split(vector, np.cumsum([math.prod(shape), *(m.size for m in memory)])[:-1])
        total = operator.element_energy(ElasticFields.of(cut[0].reshape(shape))).sum()
        for e, values in zip(equations, cut[1:], strict=True):
            for name, m in zip(e.variables, values.reshape(e.shape), strict=True):
                weighted = operator.discretization.apply_mass(e.energy[name] * m, e.elements)
                total += 0.5 * float((weighted * m).sum())
        return float(total)

    now = np.concatenate([part.ravel() for part in (*fields.arrays, *memory)])
    rate = rates_of_change(operator, now, equations)
    change = (energy(now + 1e-4 * rate) - energy(now - 1e-4 * rate)) / 2e-4
    assert change == pytest.approx(powers.net, rel=1e-8)


@pytest.mark.parametrize(("upwinding", "rest"), each_value([0.0, 0.5, 1.0], [LOSES, ""]))
def test_nothing_grows(upwinding, rest):
    """All eigenvalues of a small problem.  Those that are 0, of stresses at rest, come out as the
    root of rounding."""
    problem = problem_of(rest, order=1, upwinding=upwinding)
    equations = problem.auxiliary_equations
    size = 5 * problem.discretization.x.size + sum(math.prod(e.shape) for e in equations)
    matrix = [rates_of_change(problem.operator, row, equations) for row in np.eye(size)]
    eigenvalues = np.linalg.eigvals(np.array(matrix).T)
    assert eigenvalues.real.max() < 1e-6
    assert np.abs(eigenvalues).max() > 10


def test_a_step_is_as_long_as_the_fastest_place_allows():
    problem = problem_of(order=3)
    operator = problem.operator
    rng = np.random.default_rng(0)
    start = ElasticFields.of(rng.standard_normal((5, *operator.discretization.shape)))
    fluid = operator.mu == 0
    start.sxy[fluid], start.syy[fluid] = 0.0, start.sxx[fluid]
    for part, stays in ((1.0, True), (1.6, False)):
        stepper = NumpyStepper(operator, dt=part * problem.dt_max, scheme=problem.scheme)
        stepper.set_fields(start)
        before = stepper.element_energy().sum()
        stepper.advance(60)
        assert (stepper.element_energy().sum() < before) == stays


def test_the_slowest_and_the_fastest_place_of_each_element_count():
    problem = problem_of(solid='p_speed = "2 - y"\ns_speed = "1 - 0.8*y"\n')
    operator, d = problem.operator, problem.discretization
    solid = np.flatnonzero(operator.mu > 0)
    assert operator.fastest[solid].max() == pytest.approx(2, abs=0.1)
    assert operator.slowest[solid].min() == pytest.approx(0.2, abs=0.06)
    assert (operator.fastest[solid] <= 2 - d.y[solid].min(axis=1) + 1e-12).all()
    found = points_per_wavelength(operator, 3.0)
    assert d.y[found.element].max() > 0.9


def test_what_files_say_at_the_nodes_is_what_was_said():
    problem = problem_of(order=4)
    d, solid = problem.discretization, problem.operator.mu > 0
    found = described_at_nodes(problem.operator)
    x, y = d.x[solid], d.y[solid]
    np.testing.assert_allclose(found["density"][solid], 1.2 + 0.3 * np.sin(3 * x), atol=3e-4)
    np.testing.assert_allclose(found["p_speed"][solid], 1.5 - 0.5 * y, atol=1e-10)
    assert not found["s_speed"][~solid].any()


def test_a_wave_along_the_ruler_takes_the_time_of_the_places_on_it():
    fluid = FLUID.replace("0.6 + 0.4*x", "1 + x")
    problem = problem_of(solid='p_speed = "2 - y"\ns_speed = "1 - 0.5*y"\n', fluid=fluid)
    surveyor = Surveyor(problem, locator_of(problem.discretization))
    solid = surveyor.path((0.1, 0.1), (0.1, 0.9), 2.0)
    liquid = surveyor.path((0.65, 0.5), (0.95, 0.5), 2.0)
    assert solid.time == pytest.approx(2 * math.log(0.95 / 0.55), rel=1e-5)
    assert liquid.time == pytest.approx(math.log(1.95 / 1.65), rel=1e-5)


def test_files_have_the_media_at_the_nodes(tmp_path):
    problem = problem_of(order=3)
    write_snapshot(tmp_path / "a.h5", problem, problem.initial, 0.0)
    with h5py.File(tmp_path / "a.h5") as file:
        found = file["p_speed_at_nodes"][...]
    solid, d = problem.operator.mu > 0, problem.discretization
    np.testing.assert_allclose(found[solid], 1.5 - 0.5 * d.y[solid], atol=1e-9)
    write_vtu(tmp_path / "a.vtu", problem, problem.initial, 0.0)
    text = (tmp_path / "a.vtu").read_text()
    assert text.index('Name="p_speed"') < text.index("</PointData>")


def test_sources_strain_and_push_as_much_as_in_constant_media():
    """ds/dt of an explosion and of a double couple, and the momentum that a force brings."""
    problem = problem_of(SOURCES, order=3)
    operator, d = problem.operator, problem.discretization
    numbers = problem_of(
        SOURCES, order=3, solid="density = 1\np_speed = 2\ns_speed = 1\n",
        fluid="density = 1\np_speed = 1\ns_speed = 0\n",
    )  # fmt: skip

    def rates(p, at):
        total = p.operator.fields.zeros(d.shape)
        for term in p.source_terms:
            term.rates(p.operator, at).add_to(total)
        return total

    found, expected = rates(problem, 0.2), rates(numbers, 0.2)
    momentum = {name: operator.density[:, None] * getattr(found, name) for name in ("vx", "vy")}
    for name, values in momentum.items():
        np.testing.assert_allclose(values, getattr(expected, name), atol=1e-10)
    rest = operator.fields.zeros(d.shape)
    made = operator.corrected(found, rest, 0.0)
    for name in ("sxx", "syy", "sxy"):
        right = getattr(expected, name)
        assert np.abs(right).max() > 1
        np.testing.assert_allclose(getattr(made, name), right, atol=1e-9 * np.abs(right).max())


def test_an_absorbing_wall_has_the_impedance_of_its_place():
    walls = '[[walls]]\nedges = ["domain.top"]\nkind = "absorbing"\n'
    solid = 'density = "1 + y"\np_speed = "2 - y"\ns_speed = "1 - 0.5*y"\n'
    problem = problem_of(walls, solid=solid, order=4)
    operator, d = problem.operator, problem.discretization
    element, face = np.nonzero(
        d.connectivity.is_boundary & (np.abs(operator.reflection[..., 0]) < 1)
    )
    assert len(element) > 3
    r = operator.reflection[element, face]
    assert np.abs(r).max() > 1e-3
    # Minus traction over velocity is (1 - R) / (1 + R) times the impedance of the constants.
    found = (1 - r) / (1 + r) * operator.impedances[element]
    np.testing.assert_allclose(found, np.tile([2.0, 1.0], (len(r), 1)), rtol=1e-9)


GRADED_BOX = """
title = "box"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [{left}, {bottom}]
upper = [2, 0]
[background]
p_speed = "1 - 0.5*y"
s_speed = "0.6 - 0.3*y"
density = "1.5 - 0.2*y + 0.1*x"
{walls}
[[sources]]
kind = "explosion"
position = [1, -0.6]
radius = 0.06
amplitude = 1
waveform = {{ kind = "ricker", frequency = 2, delay = 0.5 }}
[[probes]]
name = "left"
position = [0.3, -0.7]
quantity = "vx"
[[probes]]
name = "below"
position = [1.2, -1.3]
[solver]
element_size = 0.16
order = 4
until = 2.6
"""


def test_layers_in_graded_media_return_as_little_as_in_others():
    layer = '[[walls]]\nkind = "open"\nedges = ["domain.left", "domain.bottom"]\nthickness = {}\n'
    heard = []
    for left, bottom, walls in (
        (-2.5, -4.5, ""),
        (-0.8, -2.3, layer.format(0.8)),
        (0, -1.5, '[[walls]]\nkind = "absorbing"\nedges = ["domain.left", "domain.bottom"]\n'),
    ):
        scene = parse_scene(GRADED_BOX.format(left=left, bottom=bottom, walls=walls))
        problem = discretize_scene(scene, mesh_scene(scene))
        simulation = Simulation(problem, stepper_of(problem))
        _, samples = simulation.advance(problem.steps_to_end())
        times = problem.dt_max * np.arange(1, len(samples) + 1)
        at = np.linspace(0.1, 2.5, 400)
        heard.append([np.interp(at, times, column) for column in np.asarray(samples).T])
        simulation.close()
    far, layered, walled = map(np.array, heard)
    strongest = np.abs(far).max()
    # 2.4 % where density and speeds are numbers.
    assert np.abs(layered - far).max() < 0.035 * strongest
    assert np.abs(walled - far).max() > 0.15 * strongest


@pytest.mark.parametrize(
    ("solid", "fluid", "rest", "said"),
    [
        ('p_speed = "1 + t"\n', FLUID, "", "p_speed of the background changes in time"),
        ('density = "2 + sin(t)"\n', FLUID, "", "density of the background changes in time"),
        ('p_speed = "x - 0.5"\n', FLUID, "", r"p_speed of the background is -0.5\w* at \("),
        ('p_speed = "1/x"\n', FLUID, "", "p_speed of the background"),
        ('s_speed = "max(0, x - 0.7)"\n', FLUID, "", r"s_speed of the background is 0 at .* not e"),
        ('s_speed = "0.5 + x"\n', FLUID, "", r"s_speed of the background is .* where p_speed"),
        ("s_speed = 0.8\np_speed = \"1.2 - y\"\n", FLUID, "", "where p_speed"),
        ('s_quality = "x"\n', FLUID, "", "s_quality of the background is"),
        ('s_quality = "x + t"\n', FLUID, "", "s_quality of the background changes in time"),
        ('s_quality = 5\np_quality = "100 + x"\n', FLUID, "", "p_quality of the background is 10"),
        (SOLID, 'p_speed = 1\ns_speed = "0.2*(x - 0.6)"\n', "", 's_speed of material "magma"'),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(solid, fluid, rest, said):
    with pytest.raises(SceneError, match=said) as caught:
        problem_of(rest, solid=solid, fluid=fluid)
    assert caught.value.remedy


def test_a_formula_that_is_0_all_over_is_a_fluid():
    problem = problem_of(fluid='p_speed = "0.6 + 0.4*x"\ns_speed = "0*x"\n')
    assert (problem.operator.mu == 0).any()


def test_waves_from_far_away_need_a_uniform_medium():
    wave = """
[[walls]]
kind = "absorbing"
edges = ["domain.bottom"]
[[sources]]
kind = "body_wave"
wave = "p"
direction = 90
amplitude = 1
edges = ["domain.bottom"]
waveform = { kind = "ricker", frequency = 2, delay = 0.5 }
"""
    with pytest.raises(SceneError, match="comes in through a medium that is a formula") as caught:
        problem_of(wave)
    assert "numbers" in caught.value.remedy
    constant = "density = 1\np_speed = 1.5\ns_speed = 0.8\n"
    assert problem_of(wave, solid=constant).source_terms


def test_what_is_turned_while_it_runs_is_what_would_be_made_anew():
    before, after = scene_of(order=3), scene_of(order=3, grows=0.6)
    assert can_be_revised(before, after)
    mesh = mesh_scene(before)
    problem = revised(discretize_scene(before, mesh), after)
    anew = discretize_scene(after, mesh)
    assert problem.dt_max <= anew.dt_max * 1.001
    fields = random_elastic(anew.operator)
    found, expected = (p.operator.right_hand_side(fields).arrays for p in (problem, anew))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_part_of_a_mesh_has_its_part_of_the_media():
    operator = problem_of(order=2).operator
    rng = np.random.default_rng(4)
    d = operator.discretization
    order = np.concatenate(
        [
            rng.permutation(d.first_curved),
            d.first_curved + rng.permutation(d.n_elements - d.first_curved),
        ]
    )
    fields = random_elastic(operator)
    part = operator.part(order)
    found, expected = part.right_hand_side(fields.at(order)), operator.right_hand_side(fields)
    for one, other in zip(found.arrays, expected.at(order).arrays, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-11 * np.abs(other).max())


def test_energy_of_a_field_is_that_of_its_places():
    """Of a smooth field, against a much finer mesh and the formulas themselves."""
    operator = problem_of(order=4).operator
    d = operator.discretization
    solid = operator.mu > 0
    vx, sxx, sxy = np.sin(d.x + d.y), np.cos(d.x), d.x * d.y
    zero = np.zeros(d.shape)
    fields = ElasticFields(vx, zero, sxx, zero.copy(), sxy)
    density = 1.2 + 0.3 * np.sin(3 * d.x)
    p, s = 1.5 - 0.5 * d.y, 0.8 - 0.3 * d.y + 0.1 * np.cos(2 * d.x)
    k, mu = density * (p**2 - s**2), density * s**2
    expected = (density * vx**2 + (sxx / 2) ** 2 / k + ((sxx / 2) ** 2 + sxy**2) / mu) / 2
    found = operator.energy_density(fields)
    np.testing.assert_allclose(found[solid], expected[solid], rtol=2e-3)
    whole = np.ones(d.shape)
    total = float((d.apply_mass(expected) * whole)[solid].sum())
    assert float(operator.element_energy(fields)[solid].sum()) == pytest.approx(total, rel=1e-5)


STRIP = """
title = "strip"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 0.2]
[background]
density = "1/(1 + x)"
p_speed = "1 + x"
s_speed = "0.55*(1 + x)"
{rest}
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "slip"
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[solver]
element_size = 0.06
order = 4
until = 1
"""


def test_modes_of_a_strip_have_the_frequencies_of_travel_times():
    """Nothing is reflected but at its ends, which P and S waves reach in log 2 and log 2 / 0.55."""
    found = find_resonances(parse_scene(STRIP.format(rest="")), 4, (0.2, 1.3))
    lowest = 1 / (2 * math.log(2))
    expected = sorted([lowest, *(0.55 * n * lowest for n in (1, 2, 3))])
    np.testing.assert_allclose(found.frequencies, expected, rtol=1e-6)


def test_modes_where_a_formula_loses_are_refused():
    with pytest.raises(SceneError, match="not found") as caught:
        find_resonances(parse_scene(STRIP.format(rest="s_quality = 20")), 4, (0.2, 1.3))
    assert "quality" in caught.value.remedy


ARRIVALS = """
title = "travel times"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [-0.8, -2.4]
upper = [3.4, 0.6]
[background]
p_speed = {p}
s_speed = {s}
[[walls]]
kind = "open"
edges = ["domain"]
thickness = 0.5
[[sources]]
kind = "explosion"
position = [0, -0.3]
radius = 0.04
amplitude = 1
waveform = {{ kind = "ricker", frequency = 3, delay = 0.4 }}
{probes}
[solver]
element_size = 0.13
order = 4
until = 3.2
"""


def test_first_arrivals_where_the_speed_grows_with_depth():
    """Rays are arcs of circles; the pulse is that of a constant medium, as late as they say."""
    k, start = 0.5, (0.0, -0.3)
    places = [(x, -depth) for x in (1.0, 1.8, 2.6) for depth in (0.3, 0.8, 1.4)]
    probes = "".join(
        f'[[probes]]\nname = "{i}"\nposition = [{x}, {y}]\nquantity = "vx"\n'
        for i, (x, y) in enumerate(places)
    )
    heard = []
    for p, s in ((f'"1 - {k}*y"', f'"0.577*(1 - {k}*y)"'), ("1.15", "0.66")):
        scene = parse_scene(ARRIVALS.format(p=p, s=s, probes=probes))
        problem = discretize_scene(scene, mesh_scene(scene))
        simulation = Simulation(problem, stepper_of(problem))
        times, samples = simulation.advance(problem.steps_to_end())
        at = np.arange(0.05, 3.15, 0.005)
        heard.append([np.interp(at, np.asarray(times), column) for column in np.asarray(samples).T])
        simulation.close()
    for (x, y), graded, constant in zip(places, *heard, strict=True):
        way = math.hypot(x - start[0], y - start[1])
        speeds = 1 - k * start[1], 1 - k * y
        theory = math.acosh(1 + k**2 * way**2 / (2 * speeds[0] * speeds[1])) / k
        alike = np.abs(np.correlate(graded, constant, "full"))
        i = int(alike.argmax())
        before, best, after = alike[i - 1 : i + 2]
        late = i - len(at) + 1 + (before - after) / (2 * (before - 2 * best + after))
        assert way / 1.15 + 0.005 * late == pytest.approx(theory, abs=3e-3)
        if y == start[1]:  # along the line of equal depth it would take longer
            assert way / speeds[0] - theory > 0.005 * way**3


def test_the_form_of_properties_takes_formulas_and_parameters():
    scene = scene_of(solid="p_speed = 1.5\ns_speed = 0.8\n")
    item = next(item.key for item in properties.items(scene) if item.key[0] == "background")
    (shown,) = (p for p in properties.properties(scene, item) if p.key == ("p_speed",))
    assert "formula of x and y" in shown.meaning
    scene = properties.changed(scene, item, ("p_speed",), "1.5 + 0.1*x")
    assert scene.background.p_speed.text == "1.5 + 0.1*x"
    scene = properties.changed(scene, item, ("p_speed",), "1.2 + grows")
    assert scene.background.p_speed == pytest.approx(1.7)
    with pytest.raises(SceneError, match="changes in time"):
        properties.changed(scene, item, ("p_speed",), "1 + t")
