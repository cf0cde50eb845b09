"""Where along a line a medium ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.physics.materials.line_through import LineThrough

#: Its edges are where they are in no regular way.
MESH = jittered_square(7)
D = discretize(MESH, 2)


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.integers(0, 2**32 - 1), st.floats(0.2, 0.8))
def test_a_border_is_where_the_line_crosses_an_edge(low, high, seed, share):
    start, end = np.array([0.0, low]), np.array([1.0, high])
    far = float(np.hypot(*(end - start)))
    line = LineThrough(D, start, (end - start) / far)
    inside = np.random.default_rng(seed).random(D.n_elements) < share
    places = np.linspace(0, far, 4001)[1:-1]
    elements = line(places)
    change = np.flatnonzero(inside[elements[:-1]] & ~inside[elements[1:]])
    for i in change[:4]:
        found = line.border(places[i], places[i + 1], elements[i], lambda e: inside[e])
        assert places[i] <= found <= places[i + 1]
        beside = 1e-9
        assert inside[line(found - beside)[0]]
        assert not inside[line(found + beside)[0]]


def test_it_is_found_again_for_other_media_without_a_search(monkeypatch):
    line = LineThrough(D, np.array([0.0, 0.43]), np.array([1.0, 0.0]))
    places = np.linspace(0.001, 0.999, 500)
    elements = line(places)
    i = int(np.flatnonzero(elements[1:] != elements[:-1])[3])
    first = line.border(places[i], places[i + 1], elements[i], lambda e: e == elements[i])
    monkeypatch.setattr(LineThrough, "__call__", lambda *given: pytest.fail("searched"))
    other = line.border(places[i], places[i + 1], elements[i], lambda e: e != elements[i + 1])
    assert other == first
