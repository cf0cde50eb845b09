"""Work beside the window: what it finds, what goes wrong, and what is not told any more."""

from __future__ import annotations

import threading
import time

import pytest

from wavelab.app.window.background_task import Inquiry
from wavelab.errors import WavelabError


@pytest.fixture
def heard():
    return []


@pytest.fixture
def inquiry(heard):
    inquiry = Inquiry(
        "test",
        found=lambda result: heard.append(("found", result)),
        failed=lambda error: heard.append(("failed", error)),
        cancelled=lambda: heard.append(("cancelled", None)),
    )
    yield inquiry
    assert inquiry.close(10.0)


def end(inquiry) -> None:
    limit = time.monotonic() + 10.0
    while inquiry.busy:
        assert time.monotonic() < limit
        inquiry.poll()


def until_cancelled(task):
    while not task.cancelled():
        time.sleep(0.001)
    raise RuntimeError("what work raises once it is cancelled does not matter")


def test_an_answer_is_told_once(inquiry, heard):
    inquiry.start(lambda task: 42)
    end(inquiry)
    inquiry.poll()
    assert heard == [("found", 42)]


def test_errors_are_told_and_defects_in_words_too(inquiry, heard):
    expected = WavelabError("no", remedy="Ask again.")

    def fail(error):
        raise error

    for error in (expected, KeyError("x")):
        inquiry.start(lambda task, error=error: fail(error))
        end(inquiry)
    (_, known), (_, defect) = heard
    assert known is expected
    assert isinstance(defect, WavelabError)
    assert "KeyError" in defect.message


def test_cancelling_is_told_and_abandoning_is_not(inquiry, heard):
    inquiry.start(until_cancelled)
    inquiry.cancel()
    end(inquiry)
    assert heard == [("cancelled", None)]
    inquiry.start(until_cancelled)
    inquiry.start(lambda task: 1)
    end(inquiry)
    assert heard == [("cancelled", None), ("found", 1)]


def test_closing_waits_no_longer_than_it_may(inquiry):
    go_on = threading.Event()
    inquiry.start(lambda task: go_on.wait(10.0))
    assert not inquiry.close(0.01)
    go_on.set()
    assert inquiry.close(10.0)
