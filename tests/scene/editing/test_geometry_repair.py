"""Details much smaller than the elements are found, named and repaired; walls keep their place."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.scene.editing.close_features import close_features
from wavelab.scene.editing.geometry_repair import coarsen_small_ellipses, merge_close_vertices
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, Repeated, Row
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall, MagneticWall

#: A square whose right side has two vertices 0.0007 apart.
NICKED = Polygon(((0, 0), (1, 0), (1, 0.5), (1.0005, 0.5005), (1, 1), (0, 1)))


def scene(*holes: Hole, outline=NICKED, walls=(), size=0.1) -> Scene:
    return Scene("s", Solver(element_size=size), outline=outline, holes=holes, walls=walls)


def area(shape) -> float:
    return shapely.Polygon(shape.outline(0.001)[0]).area


def test_a_short_edge_is_named_with_its_length():
    (found,) = close_features(scene())
    assert found.kind == "edge"
    assert found.text == 'edge "domain.2" is only 0.000707 long'
    assert found.where == pytest.approx((1.00025, 0.50025))


def test_a_gap_a_small_hole_and_a_sharp_corner_are_named():
    square = Rectangle((0, 0), (1, 1))
    near = Hole("bar", Rectangle((0.3, 0.004), (0.7, 0.3)))
    dot = Hole("dot", Ellipse((0.5, 0.7), (0.01, 0.01)))
    spike = Hole("spike", Polygon(((0.1, 0.5), (0.4, 0.5), (0.4, 0.55))))
    found = close_features(scene(near, dot, spike, outline=square))
    gaps = [f for f in found if f.kind == "gap"]
    assert all(f.size == pytest.approx(0.004) for f in gaps)
    assert {f.text.split(" are")[0] for f in gaps} >= {'"bar.bottom" and "domain.bottom"'}
    assert gaps[0].distance((0.5, 0.002)) == pytest.approx(0.002, rel=0.01)
    (chord,) = (f for f in found if f.kind == "chord")
    assert 'the rim of "dot"' in chord.text
    assert chord.size == pytest.approx(2 * 0.01 * math.sin(math.pi / 12))
    (corner,) = (f for f in found if f.kind == "corner")
    assert "9.5 degrees" in corner.text
    assert found[-1] is corner


def test_copies_that_nearly_touch_are_named_once_and_all_are_repaired():
    square = Rectangle((0, 0), (1, 1))
    bars = Hole("bars", Repeated(Rectangle((0.2, 0.3), (0.296, 0.7)), Row(5, (0.1, 0.0))))
    found = close_features(scene(bars, outline=square))
    assert len({f.text for f in found if f.kind == "gap"}) == len(found) > 0
    assert min(f.size for f in found) == pytest.approx(0.004)
    dots = Hole("dots", Repeated(Ellipse((0.2, 0.5), (0.01, 0.01)), Row(3, (0.2, 0.1), (1,))))
    (whole,) = coarsen_small_ellipses(scene(dots, outline=square)).holes
    assert whole.shape.repeat == dots.shape.repeat
    for old, new in zip(dots.shape.parts(), whole.shape.parts(), strict=True):
        assert isinstance(new, Polygon)
        assert new.middle() == pytest.approx(old.center, abs=1e-6)


def test_neighbours_that_share_an_edge_are_no_gap():
    outline = Rectangle((0, 0), (1, 1))
    touching = Hole("h", Rectangle((0.4, 0.4), (0.6, 0.6)))
    assert close_features(scene(touching, outline=outline)) == []


def test_merging_keeps_walls_where_they_are():
    walls = (
        AbsorbingWall(("domain.4", "domain.2")),
        MagneticWall(("domain.2",)),
        ImpedanceWall(("domain.1", "domain.3"), 2.0),
    )
    merged, moved = merge_close_vertices(scene(walls=walls), 0.01)
    assert merged.outline.vertices == ((0, 0), (1, 0), (1, 0.5), (1, 1), (0, 1))
    assert moved == pytest.approx(0.0005 * math.sqrt(2))
    # Edge 4 is the top and stays so under its new number; edge 2 is gone.
    assert merged.walls == (
        AbsorbingWall(("domain.3",)),
        ImpedanceWall(("domain.1", "domain.2"), 2.0),
    )
    assert close_features(merged) == []
    assert merge_close_vertices(merged, 0.01) is None


def test_vertices_are_merged_across_the_first_one_too():
    ring = Polygon(((0, 0), (1, 0), (1, 1), (0, 1), (0, 0.001)))
    merged, _ = merge_close_vertices(scene(outline=ring), 0.01)
    assert merged.outline.vertices == ((0, 0), (1, 0), (1, 1), (0, 1))


def test_a_shape_that_would_vanish_stays():
    tiny = Hole("h", Polygon(((0.5, 0.5), (0.501, 0.5), (0.5, 0.501))))
    assert merge_close_vertices(scene(tiny, outline=Rectangle((0, 0), (1, 1))), 0.01) is None


@settings(max_examples=50, deadline=None)
@given(
    count=st.integers(3, 30),
    tolerance=st.floats(0.001, 0.5),
    seed=st.integers(0, 1000),
)
def test_what_is_merged_moves_by_less_than_the_tolerance(count, tolerance, seed):
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0, 2 * np.pi, count))
    ring = Polygon(tuple((math.cos(a), math.sin(a)) for a in angles))
    walls = tuple(AbsorbingWall((f"domain.{i}",)) for i in range(count))
    result = merge_close_vertices(scene(outline=ring, walls=walls), tolerance)
    if result is None:
        return
    merged, moved = result
    assert moved < tolerance
    kept = merged.outline.vertices
    assert set(kept) <= set(ring.vertices)
    assert 3 <= len(kept) < count
    named = [edge for wall in merged.walls for edge in wall.edges]
    assert named == [f"domain.{i}" for i in range(len(kept))]


def test_small_ellipses_become_polygons_of_the_same_area():
    dot = Hole("dot", Ellipse((0.5, 0.7), (0.012, 0.008), 30.0))
    large = Hole("large", Ellipse((0.3, 0.3), (0.15, 0.15)))
    walls = (AbsorbingWall(("dot.rim", "large.rim", "domain")),)
    before = scene(dot, large, outline=Rectangle((0, 0), (1, 1)), walls=walls, size=0.05)
    after = coarsen_small_ellipses(before)
    small = after.holes[0].shape
    assert isinstance(small, Polygon)
    assert len(small.vertices) == 6
    assert area(small) == pytest.approx(math.pi * 0.012 * 0.008)
    assert np.mean(small.vertices, axis=0) == pytest.approx((0.5, 0.7))
    assert after.holes[1] == large
    assert after.walls == (AbsorbingWall(("dot", "large.rim", "domain")),)
    assert coarsen_small_ellipses(after) is None
