"""What tests leave behind is found, and told with where it was begun."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from PyQt5.QtCore import QTimer

from tests.app import leftovers
from tests.app.lent_meshers import LENT
from wavelab.app.base.qt import QtWidgets


@pytest.fixture
def found(monkeypatch):
    """Says what an action leaves."""
    monkeypatch.setattr(leftovers, "PATIENCE", 0.2)

    def by(action) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            left = leftovers.Leftovers(patch)
            kept = action()
            told = left.found()
        del kept
        return told

    return by


def test_a_widget_that_lives_on(application, found):
    (told,) = found(lambda: QtWidgets.QLabel("left", objectName="the label"))
    assert "QLabel the label" in told
    assert found(lambda: QtWidgets.QLabel("gone").deleteLater()) == []


def test_a_widget_that_only_holds_itself_is_none(application, found):
    def circle() -> None:
        label = QtWidgets.QLabel()
        label.itself = label

    assert found(circle) == []


def test_a_timer_that_goes_on(application, found):
    def begin() -> QTimer:
        timer = QTimer()
        timer.start(777)
        return timer

    def stopped() -> QTimer:
        timer = begin()
        timer.stop()
        return timer

    (told,) = found(begin)
    assert "QTimer every 777 ms" in told
    assert "test_leftovers.py" in told
    assert "in begin" in told
    assert found(stopped) == []


def test_a_thread_that_goes_on(found):
    over = threading.Event()

    def begin() -> None:
        threading.Thread(target=over.wait, name="the thread").start()

    (told,) = found(begin)
    over.set()
    assert "thread the thread" in told
    assert "in begin" in told


def test_a_child_that_goes_on(found):
    children = []

    def begin() -> None:
        words = [sys.executable, "-c", "input()"]
        children.append(subprocess.Popen(words, stdin=subprocess.PIPE))

    (told,) = found(begin)
    children[0].communicate()
    assert f"child {children[0].pid}" in told
    assert "input()" in told
    assert "in begin" in told


def test_a_lent_child_that_nobody_ends(found):
    kept = [LENT()]  # one that waits from now on
    kept.pop().end()
    (told,) = found(lambda: kept.append(LENT()))
    assert f"child {kept[0].process.pid}" in told
    kept[0].end()
    assert kept[0].process.pid in LENT.waiting()


def test_a_lent_child_that_died_is_lent_no_more():
    child = LENT()
    child.process.kill()
    child.process.wait()
    child.end()
    other = LENT()
    assert other.process.pid != child.process.pid
    other.end()
