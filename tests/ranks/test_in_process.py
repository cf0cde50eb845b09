"""Ranks that are threads: what is sent arrives, and who waits for one that has failed is told."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from wavelab.errors import DeviceError
from wavelab.ranks.communicator import RankError
from wavelab.ranks.in_process import in_process


def test_messages_arrive_in_order_and_from_each_rank_apart():
    first, second, third = in_process(3)
    for number in range(3):
        second.send(0, ("of second", number))
        third.send(0, ("of third", number))
    assert [first.receive(2) for _ in range(3)] == [("of third", n) for n in range(3)]
    assert [first.receive(1) for _ in range(3)] == [("of second", n) for n in range(3)]


def test_an_exchange_goes_both_ways_at_once_and_leaves_what_is_sent():
    ranks = in_process(4)

    def exchanged(rank) -> list[np.ndarray]:
        others = [other for other in range(rank.size) if other != rank.rank]
        outgoing = {to: np.full(3, 10.0 * rank.rank + to) for to in others}
        incoming = {of: np.zeros(3) for of in others}
        pending = rank.exchange(outgoing, incoming)
        for numbers in outgoing.values():
            numbers[:] = -1  # the sender goes on
        pending.wait()
        return [incoming[of][0] for of in others]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(exchanged, ranks))
    assert found == [[10.0 * of + rank for of in range(4) if of != rank] for rank in range(4)]


@pytest.mark.parametrize("what", ["message", "traces"])
def test_who_waits_for_one_that_has_failed_is_told_of_what(what):
    first, second = in_process(2)
    threading.Timer(0.02, second.fail, [DeviceError("is lost", where="card 7")]).start()
    with pytest.raises(RankError) as caught:
        if what == "message":
            first.receive(1)
        else:
            first.exchange({}, {1: np.zeros(3)}).wait()
    assert caught.value.rank == 1
    assert str(caught.value.error) == "card 7: is lost"
    assert first.failed
    assert second.failed


def test_the_first_failure_counts():
    first, second, third = in_process(3)
    second.fail(DeviceError("is lost"))
    third.fail(DeviceError("has nobody to talk to"))
    with pytest.raises(RankError, match="rank 1: is lost"):
        first.receive(2)
