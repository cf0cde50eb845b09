"""Edges as lines on the screen."""

from __future__ import annotations

import numpy as np

from wavelab.output.edge_lines import nearest_edge

BOTTOM = np.array([[0.0, 0.0], [1.0, 0.0]])


def test_an_edge_that_nothing_is_left_of_is_near_nowhere():
    edges = {"hole 1.left": (), "domain.bottom": (BOTTOM,)}
    assert nearest_edge(edges, 0.5, 0.1, 0.2) == "domain.bottom"
    assert nearest_edge(edges, 0.5, 0.5, 0.2) is None
