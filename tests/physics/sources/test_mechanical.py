"""What pushes, presses or slips in solids: it goes through glued edges, and is turned with them."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene

RADIUS = 0.05
#: A quarter of what looks the same from four sides: its lower edge leads to its left one.
WEDGE = """
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
density = {density}
[[walls]]
edges = ["domain.bottom", "domain.left"]
kind = "periodic"
[[sources]]
name = "beside the edge"
kind = "{kind}"
position = {position}
radius = 0.05
amplitude = 1
{direction}
waveform = {{ kind = "formula", formula = "1" }}
[solver]
element_size = 0.2
order = 4
"""


def rates_of(kind: str, position=(0.5, 0.02), density="2"):
    """The discretization, and what the source adds to momentum and stress."""
    direction = "" if kind == "explosion" else "direction = 20"
    text = WEDGE.format(kind=kind, position=list(position), density=density, direction=direction)
    scene = parse_scene(text)
    problem = discretize_scene(scene, mesh_scene(scene))
    operator, d = problem.operator, problem.discretization
    rates = operator.fields.zeros(d.shape)
    for term in problem.source_terms:
        term.rates(operator, 0.0).add_to(rates)
    # Where the density is a formula momentum is advanced too, in parts of the same constant.
    vx, vy = (operator.density[:, None] * u for u in (rates.vx, rates.vy))
    return d, ElasticFields.of([vx, vy, rates.sxx, rates.syy, rates.sxy])


def sums(d, values, where) -> float:
    """The integral over the elements in a part of the mesh."""
    return float(d.integrate_product(values, np.ones(d.shape))[where].sum())


def halves(d):
    """Elements nearer to the lower edge, and to the left one."""
    x, y = d.x.mean(axis=1), d.y.mean(axis=1)
    return x > y, x < y


@pytest.mark.parametrize("density", ["2", '"2 + x*y"'])
def test_a_force_is_turned_where_it_comes_in_through_another_edge(density):
    d, rates = rates_of("force", density=density)
    lower, left = halves(d)
    here, there = (
        complex(sums(d, rates.vx, where), sums(d, rates.vy, where)) for where in (lower, left)
    )
    direction = np.exp(1j * np.deg2rad(20))
    assert here == pytest.approx(direction * here.real / direction.real, rel=1e-6)
    # What lies below the lower edge comes in to the right of the left one, a quarter turn on.
    assert there == pytest.approx(1j * direction * abs(there), rel=1e-6)
    assert abs(here) + abs(there) == pytest.approx(2 * np.pi * RADIUS**2, rel=1e-6)
    assert abs(there) > 0.3 * abs(here)


def test_slip_is_turned_as_a_tensor():
    d, rates = rates_of("double_couple")
    lower, left = halves(d)
    for values in (rates.sxx, rates.sxy):
        here, there = sums(d, values, lower), sums(d, values, left)
        # By a quarter turn both parts of a deviator change their sign.
        assert there / here == pytest.approx(-0.526, abs=0.01)
        assert abs(here) > 1e-3
    np.testing.assert_allclose(rates.syy, -rates.sxx, atol=1e-14)


def test_an_explosion_has_no_direction():
    d, rates = rates_of("explosion")
    assert sums(d, rates.sxx, ...) == pytest.approx(-2 * np.pi * RADIUS**2, rel=1e-6)
    np.testing.assert_array_equal(rates.sxx, rates.syy)
    assert not rates.sxy.any()
    assert not rates.vx.any()
