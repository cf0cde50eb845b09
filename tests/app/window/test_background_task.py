"""Work beside the window: what it finds, what goes wrong, and what is not told any more."""

from __future__ import annotations

import threading
import time

import pytest

from tests.app.leftovers import PATIENCE
from wavelab.app.window.background_task import BackgroundTask
from wavelab.errors import WavelabError


@pytest.fixture
def heard():
    return []


@pytest.fixture
def task(heard):
    task = BackgroundTask(
        "test",
        found=lambda result: heard.append(("found", result)),
        failed=lambda error: heard.append(("failed", error)),
        cancelled=lambda: heard.append(("cancelled", None)),
    )
    yield task
    assert task.close(PATIENCE)


def end(task) -> None:
    limit = time.monotonic() + PATIENCE
    while task.busy:
        assert time.monotonic() < limit
        task.look()


def until_cancelled(task):
    while not task.cancelled():
        time.sleep(0.001)
    raise RuntimeError("what work raises once it is cancelled does not matter")


def test_an_answer_is_told_once(task, heard):
    task.start(lambda task: 42)
    end(task)
    task.look()
    assert heard == [("found", 42)]


def test_errors_are_told_and_defects_in_words_too(task, heard):
    expected = WavelabError("no", remedy="Ask again.")

    def fail(error):
        raise error

    for error in (expected, KeyError("x")):
        task.start(lambda task, error=error: fail(error))
        end(task)
    (_, known), (_, defect) = heard
    assert known is expected
    assert isinstance(defect, WavelabError)
    assert "KeyError" in defect.message


def test_cancelling_is_told_and_abandoning_is_not(task, heard):
    task.start(until_cancelled)
    task.cancel()
    end(task)
    assert heard == [("cancelled", None)]
    task.start(until_cancelled)
    task.start(lambda task: 1)
    end(task)
    assert heard == [("cancelled", None), ("found", 1)]


def test_closing_waits_no_longer_than_it_may(task):
    go_on = threading.Event()
    task.start(lambda task: go_on.wait(10.0))
    assert not task.close(0.01)
    go_on.set()
    assert task.close(PATIENCE)
