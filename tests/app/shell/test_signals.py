"""A window that is asked to end ends, however early that comes."""

from __future__ import annotations

import os
import signal

import pytest

from wavelab.app.base.qt import QTimer, QtWidgets
from wavelab.app.shell import main
from wavelab.ctrl_c import ENDING, hear_all

WHEN = ("made", "before it is shown", "shown", "running")


class Quick:
    """A window in place of the program's, which is asked to end at some moment."""

    when = ""
    closed = False

    def __init__(self, *given: object, **others: object) -> None:
        self.window = QtWidgets.QWidget()
        self.asked_for("made")

    def asked_for(self, when: str) -> None:
        if when == self.when:
            os.kill(os.getpid(), signal.SIGTERM)

    def start(self) -> None:
        self.asked_for("before it is shown")
        QtWidgets.QApplication.processEvents()  # as while pictures are made
        self.window.show()
        self.asked_for("shown")
        QTimer.singleShot(50, lambda: self.asked_for("running"))

    def leave(self) -> None:
        pass

    def close(self) -> None:
        Quick.closed = True
        self.window.deleteLater()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="SIGTERM ends a program there at once")
@pytest.mark.parametrize("when", WHEN)
def test_a_window_that_is_asked_to_end_ends_however_early(application, monkeypatch, when):
    before = {number: signal.getsignal(number) for number in ENDING}
    for name in ("end_without_destructors", "keep_errors", "give_back_early"):
        monkeypatch.setattr(main, name, lambda *given: None)
    monkeypatch.setattr(main.gc, "freeze", lambda: None)
    monkeypatch.setattr(main, "make_application", lambda: application)
    monkeypatch.setattr(main, "Program", Quick)
    monkeypatch.setattr(Quick, "when", when)
    monkeypatch.setattr(Quick, "closed", False)
    looking = QTimer()  # so that Python hears of signals
    looking.timeout.connect(lambda: None)
    looking.start(20)
    hear_all()
    try:
        assert main.run_window(None) == 0
    finally:
        looking.stop()
        for number, handler in before.items():
            signal.signal(number, handler)
    assert Quick.closed
