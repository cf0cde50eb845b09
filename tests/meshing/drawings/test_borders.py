"""Areas with holes become shapes without any, and nothing is lost in silence."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.drawings import borders
from wavelab.meshing.drawings.borders import Piece, without_overlaps

HOLES = [
    shapely.Point(x, y).buffer(0.2, 2)
    for x, y in np.random.default_rng(4).permutation(
        [(i + 0.4 * (j % 7) / 7, j + 0.4 * (i % 5) / 5) for i in range(12) for j in range(12)]
    )
]
SIEVE = shapely.difference(shapely.box(-1, -1, 13, 13), shapely.union_all(HOLES))


def test_of_any_number_of_holes_none_is_filled():
    shapes = [shape for _, shape in without_overlaps([Piece(0, SIEVE)], 1e-6)]
    whole = sum(shapely.Polygon(shape.vertices).area for shape in shapes)
    bows = [bulge for shape in shapes for bulge in shape.bulges]
    assert not any(bows)
    assert whole == pytest.approx(SIEVE.area, rel=1e-6)


def test_too_many_holes_are_told(monkeypatch):
    monkeypatch.setattr(borders, "_MOST_CUTS", 5)
    with pytest.raises(GeometryError, match="5 cuts do not part") as caught:
        without_overlaps([Piece(0, SIEVE)], 1e-6)
    assert "layer of their own" in caught.value.remedy
