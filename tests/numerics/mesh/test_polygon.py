"""The area of polygons."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from wavelab.numerics.mesh.polygon import signed_area

POINT = st.tuples(st.floats(-10, 10), st.floats(-10, 10))


@given(st.lists(POINT, min_size=3, max_size=12))
def test_the_way_round_is_the_sign(points: list[tuple[float, float]]) -> None:
    ring = np.array(points)
    assert signed_area(ring[::-1]) == pytest.approx(-signed_area(ring), abs=1e-9)


@given(st.lists(POINT, min_size=3, max_size=12))
def test_area_of_a_hull(points: list[tuple[float, float]]) -> None:
    hull = shapely.MultiPoint(points).convex_hull
    if not isinstance(hull, shapely.Polygon):  # all on one line
        return
    ring = np.array(shapely.geometry.polygon.orient(hull).exterior.coords)[:-1]
    assert signed_area(ring) == pytest.approx(hull.area, abs=1e-9)
