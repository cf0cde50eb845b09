"""What is to come of sums of decaying modes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.numerics.spectra.remainder import remainder

factors = st.builds(
    lambda size, turn: size * np.exp(1j * turn), st.floats(0.1, 0.9), st.floats(0, 6.3)
)


@given(factors)
def test_a_geometric_series_is_summed_up(q):
    terms = np.outer(q ** np.arange(4), [1.0, 2j, -0.5])
    assert remainder(terms) == pytest.approx(q**4 / (1 - q) * np.array([1.0, 2j, -0.5]), rel=1e-9)


@pytest.mark.parametrize("n_modes", [1, 2, 4])
def test_several_modes_are_told_apart(n_modes):
    rng = np.random.default_rng(n_modes)
    q = 0.9 * np.exp(2j * np.pi * (np.arange(n_modes) + rng.random()) / n_modes)
    shapes = rng.normal(size=(n_modes, 50)) + 1j * rng.normal(size=(n_modes, 50))
    series = np.einsum("km,mn->kn", q[None] ** np.arange(9)[:, None], shapes)
    to_come = (q**9 / (1 - q)) @ shapes
    noise = 1e-4 * rng.normal(size=series.shape)
    found = remainder(series + noise)
    assert np.linalg.norm(found - to_come) < 2e-2 * np.linalg.norm(to_come)


def test_nothing_is_to_come_of_nothing_and_what_grows_ends():
    assert not remainder(np.zeros((8, 5), complex)).any()
    assert np.isfinite(remainder(np.outer(1.2 ** np.arange(8), [1.0, 1j]))).all()
