"""Scenes that were given up do not pile up, however fast others follow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.simulation.conftest import cavity, square
from wavelab.app.session import preparation
from wavelab.app.session.preparation import Preparation, Settling

SECONDS = 20.0


class Slow:
    """Does something as soon as it may, and counts how many are at it."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self._does, self._lock = does, threading.Lock()
        self.may, self.begun = threading.Event(), threading.Semaphore(0)
        self.at_work = self.most = self.calls = 0

    def __call__(self, *given: Any) -> Any:
        with self._lock:
            self.calls += 1
            self.at_work += 1
            self.most = max(self.most, self.at_work)
        self.begun.release()
        assert self.may.wait(SECONDS)
        with self._lock:
            self.at_work -= 1
        return self._does(*given)


@pytest.mark.parametrize(("name", "most"), [("discretize_scene", 2), ("settled", 1)])
def test_few_are_at_work_at_a_time_and_the_newest_comes_through(name, most, monkeypatch):
    mesh = square(2)
    whole = Preparation(cavity(), 0, given=mesh)
    assert whole.join(SECONDS)
    prepared = whole.result()
    slow = Slow(getattr(preparation, name))
    monkeypatch.setattr(preparation, name, slow)
    monkeypatch.setattr(preparation, "SETTLED_SECONDS", 0.0)

    def begin(number: int) -> Preparation | Settling:
        if name == "settled":
            return Settling(prepared)
        return Preparation(cavity(), number, given=mesh)

    works = [begin(number) for number in range(1, 7)]
    for _ in range(most):
        assert slow.begun.acquire(timeout=SECONDS)
    for work in works[:-1]:
        work.cancel()
    # Those that wait for their turn end before it comes.
    end = time.monotonic() + SECONDS
    while sum(work.done for work in works[:-1]) < len(works) - 1 - most:
        assert time.monotonic() < end
        time.sleep(0.01)
    slow.may.set()
    assert all(work.join(SECONDS) for work in works)
    assert works[-1].result() is not None
    assert slow.most == most
    assert slow.calls <= most + 1
