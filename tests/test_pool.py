"""Child processes that do tasks."""

from __future__ import annotations

import os

import pytest

from wavelab.pool import NoAnswer, answers

WORKER = "tests.dying_worker"


def test_a_process_that_dies_costs_its_own_task_alone() -> None:
    tasks = [("a", "x"), ("b", "abort"), ("c", "x"), ("d", "exit"), ("e", "x")]
    found = dict(answers(WORKER, tasks, jobs=1))
    assert found["b"] == NoAnswer("its process ended with status -6")
    assert found["d"] == NoAnswer("its process ended with status 3")
    assert len({found[name] for name in "ace"}) == 3


def test_processes_are_gone_when_nobody_wants_more() -> None:
    coming = answers(WORKER, [(i, "x") for i in range(9)], jobs=2)
    _, first = next(coming)
    coming.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


def test_what_cannot_be_sent_is_told_for_its_own_task() -> None:
    tasks = [("a", "x"), ("b", lambda: 1), ("c", "x"), ("d", "unsent"), ("e", "x")]
    found = dict(answers(WORKER, tasks, jobs=1))
    assert "pickle" in found["b"].reason
    assert isinstance(found["d"], NoAnswer)
    assert all(isinstance(found[name], int) for name in "ace")
