"""A shape that is repeated is what its copies are, and all of them go where one is dragged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scene.strategies import grids, rows, screens, shapes
from wavelab.errors import SceneError
from wavelab.scene.model.material import Material
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import (
    Ellipse,
    Grid,
    Polygon,
    Rectangle,
    Repeated,
    Row,
    Screen,
    area_of,
    smooth_rings,
)
from wavelab.scene.rules.validate import check_scene

ROD = Ellipse((0.1, 0.2), (0.04, 0.02), 30)
BOX = Rectangle((0, 0), (0.2, 0.1))


def test_a_row_goes_on_by_its_pitch():
    row = Repeated(ROD, Row(4, (0.1, -0.05), (2,)))
    assert [part.center for part in row.parts()] == [(0.1, 0.2), (0.3, 0.1), (0.4, 0.05)]


def test_a_grid_of_60_degrees_gives_each_rod_inside_six_neighbours():
    a = 0.2
    grid = Repeated(Ellipse((0, 0), (0.05, 0.05)), Grid((5, 5), ((a, 0), (a / 2, a * 3**0.5 / 2))))
    centers = np.array([part.center for part in grid.parts()])
    away = np.hypot(*(centers[:, None] - centers).transpose(2, 0, 1))
    middle = int(np.argmin(np.hypot(*(centers - centers.mean(axis=0)).T)))
    assert sum(math.isclose(d, a, rel_tol=1e-9) for d in away[middle]) == 6


def test_a_line_that_is_left_out_leaves_the_others_where_they_are():
    pitches = ((0.1, 0.0), (0.0, 0.1))
    whole, rest = (
        {part.center for part in Repeated(ROD, Grid((3, 3), pitches, gone)).parts()}
        for gone in ((), ((1, 2), (2, 2), (3, 2)))
    )
    assert whole - rest == {(0.1, 0.3), (0.2, 0.3), (0.3, 0.3)}
    assert rest < whole


@given(shapes | screens, rows | grids)
def test_its_outlines_are_those_of_its_copies_and_its_box_lies_round_them(shape, repeat):
    repeated = Repeated(shape, repeat)
    rings = [ring for part in repeated.parts() for ring, _ in smooth_rings(part)]
    assert len(smooth_rings(repeated)) == len(rings)
    assert all(
        np.array_equal(a, b) for a, (b, _) in zip(rings, smooth_rings(repeated), strict=True)
    )
    corners = np.array([corner for part in repeated.parts() for corner in part.bounds()])
    scale = np.abs(corners).max() + 1e6
    (low, high), parts = repeated.bounds(), corners
    assert low == pytest.approx(parts.min(axis=0), abs=1e-9 * scale)
    assert high == pytest.approx(parts.max(axis=0), abs=1e-9 * scale)
    assert repeated.edge_names() == shape.edge_names()


@given(st.floats(0.05, 0.4), st.floats(0.05, 0.4))
def test_where_copies_overlap_they_cover_what_they_cover_together(x, y):
    grid = Repeated(BOX, Grid((2, 2), ((x, 0.0), (0.0, y))))
    assert area_of(grid).area == pytest.approx((0.2 + min(x, 0.2)) * (0.1 + min(y, 0.1)))


@pytest.mark.parametrize("gone", [(), (1,), (1, 2)])
def test_it_is_taken_by_its_first_copy_and_all_others_follow(gone):
    row = Repeated(BOX, Row(4, (0.3, 0.1), gone))
    first = row.first().corners()
    assert row.corners() == first
    wider, _ = row.with_corner(2, (first[2][0] + 0.05, first[2][1]))
    assert isinstance(wider, Repeated)
    assert wider.first().corners()[2] == pytest.approx((first[2][0] + 0.05, first[2][1]))
    for old, new in zip(row.parts(), wider.parts(), strict=True):
        assert new.bounds()[0] == pytest.approx(old.bounds()[0])
        assert new.bounds()[1][0] == pytest.approx(old.bounds()[1][0] + 0.05)
    rods = Repeated(ROD, Row(4, (0.3, 0.1), gone))
    x, y = rods.middle()
    larger, _ = rods.with_knob(0, (x + 0.07, y), True)
    assert {part.radii for part in larger.parts()} == {larger.single().radii}
    assert larger.middle() == pytest.approx((x, y))
    moved = rods.shifted((0.5, 0.25))
    assert moved.repeat == rods.repeat
    assert moved.middle() == pytest.approx((x + 0.5, y + 0.25))


REFUSED = [
    (BOX, Row(10**9, (0.1, 0)), "repeated 1,000,000,000 times\n  There can be 2,500 copies"),
    (BOX, Grid((10**9, 10**9), ((0.1, 0), (0, 0.1))), "There can be 2,500 copies"),
    (BOX, Grid((50, 51), ((0.1, 0), (0, 0.1))), "repeated 2,550 times"),
    (BOX, Row(0, (0.1, 0)), "repeated 0 times\n  A count is a whole number from 1 on"),
    (BOX, Grid((3, -1), ((0.1, 0), (0, 0.1))), "repeated -1 times"),
    (BOX, Row(3, (0, 0)), "all 3 copies of .* lie on each other: the pitch is 0"),
    (BOX, Grid((3, 2), ((0.1, 0), (0, 0))), "all 2 copies of"),
    (BOX, Grid((3, 2), ((0.1, 0.2), (0.2, 0.4))), "both pitches of .* lie along one line"),
    (BOX, Row(3, (math.nan, 0)), "is nan\n  Every number must be finite"),
    (BOX, Row(3, (1e30, 0)), "Lengths go from"),
    (BOX, Row(2500, (1e10, 0)), "reaches to the coordinate 2.499e\\+13"),
    (BOX, Row(3, (0.1, 0), (4,)), "without copy 4 of 3\n  Copies are counted from 1 to 3"),
    (BOX, Row(3, (0.1, 0), (0,)), "without copy 0 of 3"),
    (BOX, Grid((3, 2), ((0.1, 0), (0, 0.1)), ((2, 3),)), r"without copy \[2, 3\] of 3 . 2"),
    (BOX, Row(2, (0.1, 0), (1, 2)), "no copy of .* is left\n  Leave fewer out"),
    (Rectangle((1, 1), (0, 0)), Row(2, (0.1, 0)), "upper corner"),
    (
        Polygon(tuple((math.cos(i / 300), math.sin(i / 300)) for i in range(1800))),
        Row(2000, (3.0, 0)),
        "2,000 copies with 1,800 vertices each\n  Together there can be 500,000",
    ),
]


@pytest.mark.parametrize(("shape", "repeat", "words"), REFUSED)
def test_what_cannot_be_is_refused_before_it_is_made(shape, repeat, words):
    for items in (
        {"holes": (Hole("posts", Repeated(shape, repeat)),)},
        {"materials": (MaterialRegion("posts", Material(2.0), Repeated(shape, repeat)),)},
    ):
        with pytest.raises(SceneError, match=words):
            check_scene(Scene("t", Solver(), **items))


def test_a_screen_with_slits_can_be_a_row_of_obstacles_and_no_material():
    screens = Repeated(Screen((0.2, 0.5), 0.5, 0.1), Row(2, (0.3, 0)))
    check_scene(Scene("t", Solver(), holes=(Hole("gratings", screens),)))
    with pytest.raises(SceneError, match="screen with slits"):
        check_scene(
            Scene("t", Solver(), materials=(MaterialRegion("gratings", Material(2.0), screens),))
        )


def test_a_domain_is_one():
    with pytest.raises(SceneError, match="the domain is repeated"):
        check_scene(Scene("t", Solver(), outline=Repeated(BOX, Row(2, (0.1, 0)))))
