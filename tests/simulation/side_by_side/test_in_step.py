"""Two runs in step: equal ones are equal, orders and grids converge as theory says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.errors import WavelabError
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.side_by_side.changes import other_run
from wavelab.simulation.side_by_side.in_step import _count, in_step, summary

SOLVER = '[solver]\nprecision = "double"\norder = {order}\nelement_size = {size}\n'
STANDING = """[initial]
ez = "sin(2*pi*x)*sin(pi*y)"
[exact]
ez = "sin(2*pi*x)*sin(pi*y)*cos(pi*sqrt(5)*t)"
"""
PING = "[[pings]]\ntime = 0\nposition = [0.4, 0.55]\nradius = 0.12\n"


def cavity(order: int = 3, size: float = 0.25, rest: str = STANDING):
    return parse_scene(boxed("Cavity", SOLVER.format(order=order, size=size) + rest))


def looks(scene, *changes, until=0.5, intervals=3, pixels=80):
    found = in_step(
        scene, changes, until, backend="numpy", intervals=intervals, pixels=pixels
    )  # fmt: skip
    return list(found)


def apart(scene, *changes, **how) -> float:
    return looks(scene, *changes, **how)[-1].progress.differences[-1]


def rate(errors, finer: float = 2) -> float:
    """The power with which an error falls from one size to another, so many times finer."""
    return math.log(errors[0] / errors[1]) / math.log(finer)


def test_a_run_beside_itself_differs_by_exactly_nothing():
    for each in looks(cavity(rest=PING), ("order", "3")):
        assert each.progress.differences[-1] == 0
        assert np.nanmax(np.abs(each.difference)) == 0
    assert np.nanmax(np.abs(each.this)) > 0.1


def test_both_are_at_the_same_times_with_steps_of_their_own():
    found = looks(cavity(), ("order", "6"), until=0.5, intervals=10)
    times = found[-1].progress.times
    assert len(times) > 3
    assert times == pytest.approx(np.linspace(0, 0.5, len(times)))
    this, other = found[-1].progress.this, found[-1].progress.other
    assert this.time == pytest.approx(0.5, abs=1e-12)
    assert other.time == pytest.approx(0.5, abs=1e-12)
    assert other.steps > this.steps
    assert other.unknowns / this.unknowns == 28 / 10


def test_the_next_order_differs_by_what_this_one_errs():
    """The error of order N falls as h^(N+1), and so does what order N + 1 has otherwise."""
    errors = [apart(cavity(2, size), ("order", "3")) for size in (0.25, 0.125)]
    assert rate(errors) == pytest.approx(3, abs=0.5)
    last = looks(cavity(2), ("order", "3"))[-1].progress
    assert last.errors[0] == pytest.approx(last.differences[-1], rel=0.1)
    assert last.errors[1] < last.errors[0] / 5


@pytest.mark.parametrize("kind", ["conductor", "magnetic", "absorbing"])
def test_along_a_box_the_grid_converges_at_second_order(kind):
    walls = f'[[walls]]\nkind = "{kind}"\nedges = ["domain"]\n'
    scene = cavity(6, 0.25, PING + walls)
    errors = [apart(scene, ("grid", f"{size}")) for size in (1 / 20, 1 / 80)]
    assert rate(errors, 4) == pytest.approx(2, abs=0.4)
    assert errors[-1] < 0.01


TURNED = """title = "Turned"
[domain]
shape = "polygon"
vertices = [[0, 0], [0.8, 0.6], [0.2, 1.4], [-0.6, 0.8]]
[initial]
ez = "sin(pi*(0.8*x+0.6*y))*sin(pi*(0.8*y-0.6*x))"
[exact]
ez = "sin(pi*(0.8*x+0.6*y))*sin(pi*(0.8*y-0.6*x))*cos(pi*sqrt(2)*t)"
[solver]
precision = "double"
order = 6
element_size = 0.35
"""


def test_a_staircase_round_a_turned_box_converges_at_first_order():
    """The wall is off by a part of a cell, wherever it is no line of the grid."""
    scene = parse_scene(TURNED)
    sizes = (0.05, 0.00625)
    errors = [looks(scene, ("grid", f"{h}"), until=1)[-1].progress.errors for h in sizes]
    assert max(error[0] for error in errors) < 1e-4
    assert rate([error[1] for error in errors], 8) == pytest.approx(1, abs=0.3)


def test_media_sources_and_pings_converge_at_second_order_too():
    scene = cavity(
        5, 0.15,
        PING
        + """[[materials]]
name = "glass"
epsilon = "2 + x"
sigma = 0.5
shape = "rectangle"
lower = [0.5, 0.25]
upper = [0.75, 0.75]
[[sources]]
kind = "point"
name = "a"
position = [0.3, 0.3]
radius = 0.1
amplitude = 5
waveform = { kind = "sine", frequency = 1.5 }
[[sources]]
kind = "moving"
name = "b"
x = "0.2+0.5*t"
y = "0.7"
radius = 0.1
amplitude = 5
waveform = { kind = "sine", frequency = 1 }
[[sources]]
kind = "current"
name = "c"
jz = "3*exp(-50*((x-0.8)^2+(y-0.2)^2))*sin(5*t)"
""",
    )  # fmt: skip
    errors = [apart(scene, ("grid", f"{h}"), until=1) for h in (1 / 40, 1 / 80)]
    assert errors[1] < 0.01
    assert rate(errors) == pytest.approx(2, abs=0.4)


DISPLACED = """title = "Plucked"
physics = "membrane"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
density = 2
tension = "1.5 + 0.5*x"
[initial]
displacement = "0.1*exp(-40*((x-0.5)^2+(y-0.4)^2))"
sy = "0.05*exp(-40*((x-0.4)^2+(y-0.6)^2))"
[solver]
precision = "double"
order = 5
element_size = 0.15
"""


def test_a_membrane_that_starts_displaced_brings_its_stress_onto_the_grid():
    scene = parse_scene(DISPLACED)
    errors = [apart(scene, ("grid", f"{h}"), until=0.6) for h in (1 / 40, 1 / 80)]
    assert errors[1] < 0.01
    assert rate(errors) == pytest.approx(2, abs=0.4)


def test_a_grid_of_equal_cost_has_as_many_unknowns():
    last = looks(cavity(5, 0.2), ("grid", "equal"))[-1].progress
    assert last.other.unknowns == pytest.approx(last.this.unknowns, rel=0.1)


SEEN = """[[sources]]
kind = "point"
name = "a"
position = [0.3, 0.3]
radius = 0.1
amplitude = 5
waveform = { kind = "sine", frequency = 2 }
[[materials]]
name = "glass"
epsilon = 4
shape = "rectangle"
lower = [0.5, 0.25]
upper = [0.75, 0.75]
"""


def test_cells_are_counted_in_the_shortest_wave():
    last = looks(cavity(rest=SEEN), ("grid", "points:10"), until=0.05)[-1].progress
    # A quarter of a length is the wave in the glass.
    assert last.other.method == "grid of 0.025"


def test_other_walls_leave_those_of_obstacles():
    hole = (
        '[[holes]]\nname = "rod"\n'
        'shape = "ellipse"\ncenter = [0.5, 0.5]\nradii = [0.1, 0.1]\n'
        '[[walls]]\nkind = "magnetic"\nedges = ["rod", "domain.left"]\n'
    )
    walls = other_run(cavity(rest=hole), [("walls", "absorbing")]).scene.walls
    assert [(wall.label, wall.edges) for wall in walls] == [
        ("absorbing", ("domain",)), ("magnetic wall", ("rod",)),
    ]  # fmt: skip


def test_layers_of_open_walls_do_not_count():
    walls = '[[walls]]\nkind = "open"\nedges = ["domain"]\nthickness = 0.2\n'
    last = looks(cavity(size=0.1, rest=PING + walls), ("order", "4"), until=0.1)[-1]
    height, width = last.counted.shape
    assert last.counted[height // 2, width // 2]
    assert not last.counted[height // 2, round(0.1 * width)]


@pytest.mark.parametrize(
    ("rest", "changes", "said"),
    [
        (STANDING, [], "in what the other run differs"),
        (STANDING, [("grid", "fine")], "a grid cannot be 'fine'"),
        (STANDING, [("grid", "-0.1")], "a grid cannot be"),
        (STANDING, [("grid", "points:10")], "wavelength is not known"),
        (STANDING, [("grid", "1e-5")], "take cells of 0.0005 or more"),
        (STANDING, [("walls", "opne")], 'Did you mean "open"'),
        (STANDING, [("order", "77")], "from 1 to 10"),
        (STANDING, [("hight", "1")], "has no parameter hight"),
        (
            '[[walls]]\nkind = "periodic"\nedges = ["domain.left", "domain.right"]\n',
            [("grid", "equal")],
            "has no periodic walls",
        ),
        (
            '[[holes]]\nname = "plate"\n'
            'shape = "rectangle"\nlower = [0.5, 0.2]\nupper = [0.52, 0.6]\n',
            [("grid", "0.05")],
            'obstacle "plate" is thinner than a cell',
        ),
        (
            '[background]\nepsilon = "2+sin(t)"\n', [("grid", "0.05")], "media that change in time",
        ),
        (
            '[background]\npoles = [{ kind = "drude", frequency = 3, damping = 0.05 }]\n',
            [("grid", "0.05")],
            "dispersive media",
        ),
        (
            '[background]\nmagnetic_poles = [{ kind = "drude", frequency = 3 }]\n',
            [("grid", "0.05")],
            "dispersive media",
        ),
        ("[background]\nmu_axes = [1, 2]\n", [("grid", "0.05")], "anisotropic media"),
        ("[background]\nmagnetic_sigma = 0.1\n", [("grid", "0.05")], "losses of the vector"),
        (
            '[[walls]]\nkind = "absorbing"\nedges = ["domain.left"]\n[[sources]]\n'
            'kind = "plane_wave"\nname = "in"\nedges = ["domain.left"]\ndirection = 0\n'
            'amplitude = 1\nwaveform = { kind = "sine", frequency = 1 }\n',
            [("grid", "0.05")],
            "come in through faces",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_words(rest, changes, said):
    with pytest.raises(WavelabError) as error:
        looks(cavity(rest=rest), *changes)
    assert said in str(error.value)


def test_a_parameter_goes_before_a_short_name():
    scene = cavity(rest='[parameters]\norder = 2.0\n[initial]\nez = "order*sin(pi*x)*sin(pi*y)"\n')
    last = looks(scene, ("order", "3"), until=0.1)[-1].progress
    assert last.this.method == last.other.method
    assert last.differences[0] == pytest.approx(0.5, rel=1e-6)


def test_the_summary_has_the_numbers_of_both():
    scene = replace(cavity(), title="mine")
    told = summary(scene, "order=4", looks(scene, ("order", "4"))[-1].progress)
    assert told["difference"] == told["differences"][-1]
    assert told["this"]["error"] > told["other"]["error"] > 0


@pytest.mark.parametrize("steps", [(57.1, 57.02), (5.5, 100.0), (1.2, 1.0), (33.0, 1000.3)])
def test_looks_cost_a_run_few_steps_more(steps):
    count = _count(steps, 100)
    for needed in steps:
        taken = count * math.ceil(needed / count)
        assert taken <= 1.05 * math.ceil(needed)
