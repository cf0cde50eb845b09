"""Who does what: everything once, and no element by two groups that have not met in between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.opencl.persistent.schedule import schedule
from wavelab.opencl.persistent.sites import NotPersistentError

N_ELEMENTS = 24


@st.composite
def touching(draw):
    """Sites whose units touch blocks of elements, single ones, or anything."""
    sites = []
    for _ in range(draw(st.integers(1, 6))):
        size = draw(st.sampled_from([1, 2, 4, 8, None]))
        if size is None:
            sites.append((None, draw(st.integers(1, 9))))
            continue
        blocks = draw(
            st.lists(st.integers(0, N_ELEMENTS // size - 1), min_size=1, max_size=8, unique=True)
        )
        sites.append((np.array(blocks)[:, None] * size + np.arange(size), len(blocks)))
    return sites


@given(touching(), st.integers(1, 7))
def test_each_unit_has_its_turn_and_groups_meet_before_they_share_an_element(sites, n_groups):
    """In a stage, and in the next one."""
    touched, n_units = zip(*sites, strict=True)
    found = schedule(touched, n_units, n_groups, range(len(sites)), len(sites))
    for n, turn in zip(n_units, found.turns, strict=True):
        assert sorted(turn.order) == list(range(n))
        assert (turn.starts[0], turn.starts[-1]) == (0, n)
        assert np.all(np.diff(turn.starts) >= 0)
    groups_of: list[set[int]] = [set() for _ in range(N_ELEMENTS)]
    for place, (elements, turn) in enumerate(2 * list(zip(touched, found.turns, strict=True))):
        if turn.meet or (place == len(sites) and found.seen):
            groups_of = [set() for _ in range(N_ELEMENTS)]
        for group in range(n_groups):
            for unit in turn.order[turn.starts[group] : turn.starts[group + 1]]:
                mine = range(N_ELEMENTS) if elements is None else elements[unit]
                for element in mine:
                    groups_of[element].add(group if elements is not None else -1)
        assert all(len(groups) <= 1 for groups in groups_of)


@given(st.integers(1, 40), st.integers(1, 9))
def test_blocks_are_dealt_out_evenly_and_need_no_meeting(n_blocks, n_groups):
    blocks = np.arange(4 * n_blocks).reshape(-1, 4)
    found = schedule([blocks, blocks.reshape(-1, 1)], [n_blocks, 4 * n_blocks], n_groups, [0, 1], 2)
    whole, single = found.turns
    assert not found.seen
    assert np.ptp(np.diff(whole.starts)) <= 1
    assert not whole.meet
    assert not single.meet
    assert np.array_equal(4 * whole.starts, single.starts)


def test_two_units_that_share_an_element_are_refused_in_different_groups():
    with pytest.raises(NotPersistentError, match="at the same time"):
        schedule([np.array([[0], [1]]), np.array([[0, 1], [1, 0]])], [2, 2], 2, [0, 1], 2)


def test_who_begins_with_what_others_end_with_waits_for_them():
    one, other = np.array([[0], [1]]), np.array([[1, 0]])
    # The second site has element 0 in the group of element 1.
    found = schedule([one, other], [2, 1], 2, [0, 1], 2)
    assert found.turns[1].meet
    assert found.seen
    # After all stages it is looked at alone.
    assert not schedule([one, other], [2, 1], 2, [0, 1], 1).seen
