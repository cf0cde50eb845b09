"""Ways through glued edges: what stands anywhere in what repeats makes the same field, shifted."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.fields.glue import glue_of
from wavelab.numerics.fields.inside import projected_inside
from wavelab.numerics.fields.interpolation import interpolate, locator_of
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.sources.gaussian import gaussian_along

#: Sides of the parallelogram that repeats.
SIDES = np.array([[1.0, 0.0], [0.3, 0.8]])
PAIRS = {
    "row": [(("left",), ("right",))],
    "lattice": [(("left",), ("right",)), (("bottom",), ("top",))],
}


def parallelogram(pairs, n: int = 6, order: int = 4) -> Discretization:
    """Named sides, n elements along each; far from the origin."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    vertices = np.stack([i, j], axis=2).reshape(-1, 2) / n @ SIDES + (7.0, -3.0)
    number = (i * (n + 1) + j)[:-1, :-1].ravel()
    across = np.column_stack([number, number + n + 1, number + n + 2])
    triangles = np.concatenate([across, np.column_stack([number, number + n + 2, number + 1])])
    return discretize(named(vertices, triangles, n), order, pairs)


def named(vertices, triangles, n: int) -> Mesh:
    mesh = Mesh.plain(vertices, triangles)
    ends = mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]]
    i, j = np.divmod(ends, n + 1)
    tags = np.full(ends.shape[:2], -1, np.int32)
    sides = {"left": i == 0, "right": i == n, "bottom": j == 0, "top": j == n}
    for tag, on in enumerate(sides.values()):
        tags[on.all(axis=2)] = tag
    return replace(mesh, face_tags=tags, face_names=tuple(sides)).checked()


ROW, LATTICE = (parallelogram(PAIRS[name]) for name in PAIRS)


def field(d: Discretization, start, end, radius: float):
    nodes, values = gaussian_along(d, tuple(start), tuple(end), radius, 1.0)
    made = np.zeros(d.x.size)
    made[nodes] = values
    return made.reshape(d.shape)


def place(part) -> np.ndarray:
    return np.array([7.0, -3.0]) + np.array(part) @ SIDES


parts = st.tuples(st.floats(-1.5, 2.5), st.floats(-1.5, 2.5))


@given(parts, st.sampled_from([0.004, 0.05]))
def test_a_point_anywhere_in_a_lattice_has_its_whole_integral(part, radius):
    made = field(LATTICE, place(part), place(part), radius)
    assert LATTICE.integrate(made).sum() == pytest.approx(2 * np.pi * radius**2, rel=1e-8)


@settings(max_examples=20)
@given(parts, st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
def test_a_shift_by_a_period_changes_nothing(part, periods):
    here, there = place(part), place(np.add(part, periods))
    first, second = (field(LATTICE, at, at, 0.03) for at in (here, there))
    np.testing.assert_allclose(first, second, atol=1e-8)


@pytest.mark.parametrize("periods", [(0, 1), (-2, 1)])
def test_so_it_is_with_a_line(periods):
    here, there = place((0.8, 0.1)), place(np.add((0.8, 0.1), periods))
    first, second = (field(LATTICE, at, at + SIDES[0] * 0.3, 0.03) for at in (here, there))
    np.testing.assert_allclose(first, second, atol=1e-8)


@pytest.mark.parametrize("length", [0.0, 0.4], ids=["point", "line"])
@pytest.mark.parametrize("shift", [(0, 1), (1, 0), (3, 2), (5, 5)])
def test_a_shift_by_whole_elements_shifts_the_field(length, shift):
    """Elements are alike, so that the fields are, too, to rounding."""
    start, by = place((0.37, 0.41)), np.array(shift) / 6
    end = start + length * SIDES[0]
    first = field(LATTICE, start, end, 0.04)
    second = field(LATTICE, start + by @ SIDES, end + by @ SIDES, 0.04)
    middles = LATTICE.mesh.vertices[LATTICE.mesh.triangles].mean(axis=1)
    moved = np.linalg.solve(SIDES.T, (middles + by @ SIDES - (7, -3)).T).T % 1.0
    target, rs = locator_of(LATTICE).locate(np.array([7.0, -3.0]) + moved @ SIDES)
    (there,) = interpolate(LATTICE, [second], target, rs)
    target, rs = locator_of(LATTICE).locate(middles)
    (here,) = interpolate(LATTICE, [first], target, rs)
    np.testing.assert_allclose(there, here, atol=1e-7)


def test_a_line_from_edge_to_edge_has_no_end():
    made = field(ROW, place((0.0, 0.5)), place((1.0, 0.5)), 0.05)
    middle, height = place((0.0, 0.5))[1], ROW.y
    exact = np.exp(-(((height - middle) / 0.05) ** 2) / 2)
    longer = field(ROW, place((-0.7, 0.5)), place((1.6, 0.5)), 0.05)
    np.testing.assert_allclose(made, longer, atol=1e-9)
    assert np.abs(made - exact).max() < 0.1
    # On both ends of a row the same at the same height.
    assert ROW.integrate(made).sum() == pytest.approx(np.sqrt(2 * np.pi) * 0.05, rel=1e-8)


@pytest.mark.parametrize("corner", [(0.9, 0.85), (-0.2, 0.1), (0.4, 0.9), (2.3, -1.4)])
@pytest.mark.parametrize("size", [(0.3, 0.4), (1.4, 0.2)], ids=["small", "overlapping itself"])
def test_a_region_comes_in_where_it_has_left(corner, size):
    """Its area is that of all that it covers, once."""
    box = np.array([[0, 0], [size[0], 0], size, [0, size[1]]])
    ring = np.array([place(np.array(corner) + part) for part in box])
    elements, values = projected_inside(LATTICE, glue_of(LATTICE).outlines(ring))
    whole = np.zeros(LATTICE.shape)
    whole[elements] = values
    area = min(size[0], 1.0) * min(size[1], 1.0) * 0.8
    assert LATTICE.integrate(whole).sum() == pytest.approx(area, rel=1e-10)


@pytest.mark.parametrize("n", [3, 4, 6])
def test_a_wedge_closes_to_a_cone(n):
    """Both sides of 360 / n degrees are one; a point near the tip has its whole integral there."""
    turns = np.linspace(0, 2 * np.pi / n, 5)
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    inner = 0.5 * rim
    vertices = np.concatenate([[[0.0, 0.0]], inner, rim])
    triangles = [[0, 1 + i, 2 + i] for i in range(4)]
    for i in range(4):
        triangles += [[1 + i, 6 + i, 7 + i], [1 + i, 7 + i, 2 + i]]
    mesh = Mesh.plain(vertices, np.array(triangles))
    ends = mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]]
    tags = np.full(ends.shape[:2], -1, np.int32)
    for tag, line in enumerate(([0, 1, 6], [0, 5, 10])):
        tags[np.isin(ends, line).all(axis=2)] = tag
    mesh = replace(mesh, face_tags=tags, face_names=("one", "other")).checked()
    d = discretize(mesh, 4, [(("one",), ("other",))])
    radius = 0.02
    for distance in (0.0, 0.3):
        for turn in (0.0, 0.2 * math.pi / n, 2 * math.pi / n):
            at = (distance * math.cos(turn), distance * math.sin(turn))
            made = field(d, at, at, radius)
            share = 1 / n if distance == 0 else 1
            assert d.integrate(made).sum() == pytest.approx(share * 2 * np.pi * radius**2, rel=1e-7)
