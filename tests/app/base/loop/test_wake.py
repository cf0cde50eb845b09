"""A word from any thread to the window's."""

from __future__ import annotations

import threading

import pytest

from wavelab.app.base.loop.wake import Wake


@pytest.fixture
def wake(application):
    made, threads = Wake(), []
    made.heard.connect(lambda: threads.append(threading.current_thread()))
    return made, threads


def test_what_is_posted_in_any_thread_is_heard_once_in_that_of_the_window(wake, application):
    made, heard = wake
    others = [threading.Thread(target=made.post) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    made.post()
    assert heard == []
    application.processEvents()
    assert heard == [threading.current_thread()]


def test_it_can_be_heard_at_once_and_is_not_heard_again(wake, application):
    made, heard = wake
    made.settle()
    assert heard == []
    made.post("what a signal brings along")
    made.settle()
    application.processEvents()
    assert len(heard) == 1


def test_what_is_posted_while_it_is_heard_is_heard_again(wake, application):
    made, heard = wake
    made.heard.connect(lambda: made.post() if len(heard) == 1 else None)
    made.post()
    made.settle()
    application.processEvents()
    assert len(heard) == 2


def test_closed_it_is_silent(wake, application):
    made, heard = wake
    made.post()
    made.close()
    made.post()
    made.settle()
    application.processEvents()
    assert heard == []
