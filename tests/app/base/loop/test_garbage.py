"""What is left of windows goes in their own thread, whoever makes objects meanwhile."""

from __future__ import annotations

import gc
import threading
import time
import weakref

from wavelab.app.base.loop.garbage import GONE_SECONDS, GarbageTimer
from wavelab.app.base.qt import QtWidgets


class Circle:
    def __init__(self) -> None:
        self.me = self


def make_circles(until: threading.Event) -> None:
    while not until.is_set():
        for _ in range(1000):
            Circle()
        time.sleep(0.001)


def test_a_widget_that_nobody_holds_goes_in_the_thread_of_the_window(application):
    gone_in: list[threading.Thread] = []
    enough = threading.Event()
    other = threading.Thread(target=make_circles, args=(enough,))
    gc.enable()
    garbage = GarbageTimer()
    other.start()
    try:
        end = time.monotonic() + 60
        while len(gone_in) < 20 and time.monotonic() < end:
            box = QtWidgets.QComboBox()
            box.textActivated.connect(lambda _, box=box: box.hide())
            box.circle = box
            weakref.finalize(box, lambda: gone_in.append(threading.current_thread()))
            del box
            application.processEvents()
            time.sleep(0.02)
    finally:
        enough.set()
        other.join()
        garbage.close()
    assert gc.isenabled()
    gc.disable()  # as tests of windows are run
    assert len(gone_in) >= 20
    assert set(gone_in) == {threading.current_thread()}


def test_what_a_large_thing_leaves_behind_goes_soon_after_it_was_replaced(application):
    now = [0.0]
    garbage = GarbageTimer(lambda: now[0])
    try:
        gc.collect()
        shown = [Circle()]
        garbage.large = lambda: shown[0]
        gone = weakref.ref(shown[0])
        garbage.look()
        shown[0] = Circle()
        garbage.look()
        assert gone() is not None  # somebody may still show it
        now[0] = GONE_SECONDS
        garbage.look()
        assert gone() is None
        kept = weakref.ref(Circle())
        now[0] = 10 * GONE_SECONDS
        garbage.look()
        assert kept() is not None  # nothing large has gone since
    finally:
        garbage.close()


def test_it_waits_while_one_large_thing_after_the_other_is_replaced(application, monkeypatch):
    looked = []
    monkeypatch.setattr(GarbageTimer, "_look_through", lambda self, n: looked.append(n))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    now, shown = [0.0], [Circle()]
    garbage = GarbageTimer(lambda: now[0])
    try:
        garbage.large = lambda: shown[0]
        garbage.look()
        for _ in range(20):  # as a slider does
            now[0] += GONE_SECONDS / 4
            shown[0] = Circle()
            garbage.look()
        assert not looked
        now[0] += GONE_SECONDS
        garbage.look()
        assert looked == [2]
    finally:
        garbage.close()
