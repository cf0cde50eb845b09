"""Arcs as bulges: through three points, with their area, and where polygons of them cross."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wavelab.meshing.graph.polygons import outline_problem
from wavelab.scene.model.shapes import Polygon, smooth_outline
from wavelab.scene.model.shapes.arcs import (
    LARGEST_BULGE,
    SMALLEST_BULGE,
    arc_points,
    bulge_through,
    circle_of,
    middle_of,
)
from wavelab.scene.model.shapes.shape import SMOOTH_TURN

coordinates = st.floats(-1e3, 1e3)
points = st.tuples(coordinates, coordinates)
sizes = st.floats(SMALLEST_BULGE, LARGEST_BULGE)
bulges = st.tuples(sizes, st.sampled_from([1, -1])).map(lambda pair: pair[0] * pair[1])


@settings(max_examples=50)
@given(points, points, points)
def test_an_arc_goes_through_three_points(start, end, point):
    bulge = bulge_through(start, end, point)
    if start == end or point in (start, end):
        assert bulge == 0
        return
    assume(SMALLEST_BULGE <= abs(bulge) <= LARGEST_BULGE)
    center, radius = circle_of(start, end, bulge)
    for on_it in (start, end, point):
        assert math.dist(center, on_it) == pytest.approx(radius, rel=1e-6)
    # And on the side of the chord where the arc is.
    assert bulge_through(end, start, point) == pytest.approx(-bulge)


@settings(max_examples=50)
@given(points, points, bulges, st.floats(0.05, 0.95))
def test_every_point_of_an_arc_tells_its_bulge(start, end, bulge, part):
    assume(math.dist(start, end) > 1e-3)
    center, radius = circle_of(start, end, bulge)
    angle = math.atan2(start[1] - center[1], start[0] - center[0]) + part * 4 * math.atan(bulge)
    point = (center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle))
    # As far as the point itself is known: a flat arc is a small difference of large numbers.
    noise = 1e-12 * (radius + 1e3) / math.dist(start, end) / part / (1 - part)
    found = bulge_through(start, end, point)
    assert found == pytest.approx(bulge, rel=1e-6 + 100 * noise, abs=noise * (1 + bulge**2))
    middle = bulge_through(start, end, middle_of(start, end, bulge))
    assert middle == pytest.approx(bulge, rel=1e-6, abs=1e-9)


def test_where_there_is_no_arc():
    assert bulge_through((0, 0), (1, 0), (0.3, 0)) == 0
    assert bulge_through((0, 0), (1, 0), (2, 0)) == math.inf
    assert bulge_through((0, 0), (0, 0), (2, 0)) == 0
    assert bulge_through((0, 0), (1, 0), (0.5, -0.5)) == pytest.approx(1)
    assert bulge_through((0, 0), (1, 0), (0.5, 1e-160)) == pytest.approx(0, abs=1e-100)


@settings(max_examples=50)
@given(points, points, bulges, st.floats(0.1, 30), st.floats(1, 1e4))
def test_the_points_of_an_arc_are_on_it_and_close_enough(start, end, bulge, turn, longest):
    assume(math.dist(start, end) > 1e-6)
    line = np.vstack([arc_points(start, end, bulge, longest, turn), end])
    center, radius = circle_of(start, end, bulge)
    assert np.hypot(*(line - center).T) == pytest.approx(np.full(len(line), radius), rel=1e-6)
    steps = 4 * math.atan(abs(bulge)) / (len(line) - 1)
    assert math.degrees(steps) <= turn * (1 + 1e-9)


@st.composite
def stars(draw: st.DrawFn) -> Polygon:
    """A polygon round the origin, with a bulge at some edges."""
    n = draw(st.integers(2, 7))
    radii = draw(st.lists(st.floats(0.2, 2.0), min_size=n, max_size=n))
    angles = [2 * math.pi * i / n for i in range(n)]
    if draw(st.booleans()):
        angles.reverse()
    vertices = tuple((r * math.cos(a), r * math.sin(a)) for r, a in zip(radii, angles, strict=True))
    straight = st.just(0.0) if n > 2 else st.nothing()
    small = st.floats(-1, 1).filter(lambda b: abs(b) >= SMALLEST_BULGE)
    return Polygon(vertices, tuple(draw(st.lists(straight | small, min_size=n, max_size=n))))


def area(shape: Polygon) -> float:
    """Of a polygon and the circular segments at its edges, positive if counterclockwise."""
    ring = (*shape.vertices, shape.vertices[0])
    total = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise(ring)) / 2
    for (start, end), bulge in zip(pairwise(ring), shape.bulges, strict=True):
        if bulge:
            _, radius = circle_of(start, end, bulge)
            turn = 4 * math.atan(bulge)
            total += radius**2 * (turn - math.sin(turn)) / 2
    return total


@settings(max_examples=50)
@given(stars())
def test_an_outline_has_the_area_of_its_segments_and_its_bounds(shape):
    ring, names = smooth_outline(shape)
    assert len(ring) == len(names)
    x, y = ring.T
    found = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2
    assert found >= 0  # counterclockwise
    # What chords that turn by one angle miss of an arc over a chord c: c^2 angle / 12 of its area,
    # c angle / 8 of its height, and less where the arc itself turns by less.
    chords = [math.dist(*ends) for ends in pairwise((*shape.vertices, shape.vertices[0]))]
    angle = math.radians(SMOOTH_TURN)
    missing = sum(chord**2 for chord in chords) * angle / 12
    assert found == pytest.approx(abs(area(shape)), abs=missing)
    if outline_problem(ring) is None:
        assert shapely.Polygon(ring).area == pytest.approx(found)
    (x0, y0), (x1, y1) = shape.bounds()
    lower = max(chords) * angle / 8
    assert (x0, y0) == pytest.approx(tuple(ring.min(axis=0)), abs=lower)
    assert (x1, y1) == pytest.approx(tuple(ring.max(axis=0)), abs=lower)


@settings(max_examples=50)
@given(stars())
def test_every_edge_starts_at_its_vertex(shape):
    ring, names = smooth_outline(shape)
    following = np.roll(ring, -1, axis=0)
    for name in shape.edge_names():
        own = [i for i, n in enumerate(names) if n == name]
        ends = np.vstack([ring[own], following[own]])
        for vertex in (int(name), (int(name) + 1) % len(shape.vertices)):
            assert np.hypot(*(ends - shape.vertices[vertex]).T).min() < 1e-9


@settings(max_examples=50)
@given(st.floats(0.2, 3), st.floats(0.1, 3), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_arcs_that_face_each_other_cross_where_they_must(width, height, lower, upper, turned):
    """Those of the two long sides of a box, bowed inward, when their heights exceed the box's."""
    corners = ((0, 0), (width, 0), (width, height), (0, height))
    inward = (-lower, 0.0, -upper, 0.0)
    if turned:  # then to the right is inward
        corners, inward = corners[::-1], (upper, 0.0, lower, 0.0)
    assume(all(b == 0 or abs(b) >= SMALLEST_BULGE for b in inward))
    reach = (lower + upper) * width / 2
    assume(abs(reach - height) > 1e-3 * width)
    problem = outline_problem(smooth_outline(Polygon(corners, inward))[0])
    assert (problem is not None) == (reach > height)
    if problem is not None:
        assert "itself" in problem.message
        assert -1e-9 <= problem.where[0] <= width + 1e-9
