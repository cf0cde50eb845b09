"""Which elements a wave can get to from which."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.numerics.mesh.parts import parts_of


def neighbors(chains: list[list[int]], count: int) -> np.ndarray:
    """(count, 3) of elements that are joined in chains."""
    found = np.repeat(np.arange(count)[:, None], 3, axis=1)
    for chain in chains:
        found[chain[1:], 0] = chain[:-1]
        found[chain[:-1], 1] = chain[1:]
    return found


@pytest.mark.parametrize(
    ("chains", "parts"),
    [
        ([], [0, 1, 2, 3, 4]),
        ([[0, 1, 2, 3, 4]], [0, 0, 0, 0, 0]),
        ([[4, 0], [3, 1]], [0, 1, 2, 1, 0]),
        ([[2, 4, 0, 3]], [0, 1, 0, 0, 0]),
    ],
)
def test_what_is_joined_is_one_part(chains, parts):
    assert parts_of(neighbors(chains, 5)).tolist() == parts


def test_long_chains_in_any_order_are_followed_to_their_ends():
    rng = np.random.default_rng(5)
    order = rng.permutation(30_000)
    chains = [piece.tolist() for piece in np.split(order, [7000, 7001, 20_000])]
    part = parts_of(neighbors(chains, len(order)))
    assert sorted(np.bincount(part).tolist()) == [1, 7000, 10_000, 12_999]
    assert all(len(set(part[chain].tolist())) == 1 for chain in chains)
