import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

from wavelab.meshing.graph.polygons import distinct_vertices, outline_problem

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("points", "says", "where"),
    [
        ([], "at least 3 different vertices, but has none", None),
        ([(0, 0), (1, 1)], "at least 3 different vertices, but has 2", (0, 0)),
        ([(0, 0), (1, 1), (0, 0), (1, 1)], "vertices, but has 2", (0, 0)),
        ([(0, 0), (1, 0), (math.nan, 1)], "vertex 2 is (nan, 1)", None),
        ([(0, 0), (math.inf, 0), (0, 1)], "vertex 1 is (inf, 0)", None),
        ([(0, 0), (1, 0), (2, 0)], "lie on one line", (1, 0)),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "crosses itself at (0.5, 0.5)", (0.5, 0.5)),
        ([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2), (1, 1)], "touches itself at (1, 1)", (1, 1)),
        ([(0, 0), (1, 0), (1, 1), (1, 2), (1, 1), (0, 1)], "touches itself at (1, 1)", (1, 1)),
        # In binary numbers the third vertex lies beside the last edge.
        ([(0.1, 0.1), (0.1, 0.5), (0.2, 0.2), (0.4, 0.4)], "touches itself at (0.2,", (0.2, 0.2)),
    ],
)
def test_problems_are_named_and_placed(points, says, where):
    problem = outline_problem(points)
    assert says in problem.message
    assert problem.where == (pytest.approx(where) if where else None)
    assert says in str(problem.error("hole 1"))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e5, 1e90])
def test_a_square_of_any_size_is_fine(scale):
    assert outline_problem(np.array(SQUARE) * scale) is None


def test_trouble_is_placed_in_scene_units():
    problem = outline_problem(np.array([(0, 0), (1, 1), (1, 0), (0, 1)]) * 1e-9 + 5e-9)
    assert problem.where == pytest.approx((5.5e-9, 5.5e-9), rel=1e-12)


def test_repeated_and_nearly_equal_vertices_are_one():
    assert outline_problem([*SQUARE, SQUARE[0]]) is None
    ring = np.array([(0, 0), (1, 0), (1, 1e-9), (1, 1), (0, 1), (1e-9, 0)], dtype=float)
    # The edge that leaves a vertex keeps its number, so the last of a run of equal ones stays.
    assert distinct_vertices(ring).tolist() == [0, 2, 3, 4]
    assert distinct_vertices(np.array([*SQUARE, SQUARE[0]], dtype=float)).tolist() == [0, 1, 2, 3]


coordinates = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-1e6, 1e6), st.floats(-1e90, 1e90), st.just(np.nan)
)


@given(st.lists(st.tuples(coordinates, coordinates), max_size=12))
@example([(0, 0), (0, 1.4e-289), (1.4e-289, 0)])
def test_any_points_give_a_verdict_that_shapely_shares(points):
    problem = outline_problem(points)
    if problem is None:
        # In a unit frame: shapely multiplies coordinates, and of the smallest that underflows.
        ring = np.array(points) / np.abs(points).max()
        polygon = shapely.Polygon(ring[distinct_vertices(ring)])
        assert polygon.is_valid
        assert polygon.area > 0
