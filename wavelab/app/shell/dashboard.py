"""Keeps the numbers of the window up to date: those of the frames, and those under the pointer."""

from __future__ import annotations

import numpy as np

from wavelab.app.session.presenter import Presenter
from wavelab.app.session.readout import at_point
from wavelab.app.session.session import Session
from wavelab.app.window.window import Window
from wavelab.simulation.messages.frames import Frame

#: Seconds between two changes of the numbers and curves: fast enough to follow, slow enough to
#: read, and the time saved goes to the picture.
NUMBERS_INTERVAL = 0.1
#: Parts of the range shown below which a trace says nothing: the method lets a little run ahead
#: of every wave, far less than this, and that is not to fill the plot before the wave is there.
_ROUNDING = {"single": 100 * float(np.finfo(np.float32).eps), "double": 1e-9}


class Dashboard:
    """Writes what the frames say into the panels of ``window``."""

    def __init__(self, session: Session, presenter: Presenter, window: Window) -> None:
        self._session = session
        self._presenter = presenter
        self._window = window
        self._numbers_due = self._rate = 0.0
        self._pointer: tuple[float, float] | None = None
        window.canvas.hovered.connect(self._hovered)
        window.canvas.left.connect(self._left)

    def show_frame(self, frame: Frame, now: float, rate: float) -> None:
        """``frame`` is on the canvas, one of ``rate`` a second, since ``now`` (monotonic time)."""
        if frame.playing and now < self._numbers_due:
            return
        self._numbers_due, self._rate = now + NUMBERS_INTERVAL, rate
        self._show(frame)

    def show_again(self) -> None:
        """The numbers of what is on the canvas, in other units."""
        if (frame := self._presenter.frame) is not None:
            self._show(frame)

    def _show(self, frame: Frame) -> None:
        window, limit = self._window, self._presenter.limit
        running = self._session.running
        if frame.quantity == "ez" and running is not None:
            rounding = _ROUNDING[running.scene.solver.precision]
            window.probe_panel.plot.floor = rounding * limit
        window.probe_panel.refresh()
        window.status.show_frame(frame, self._rate)
        window.ledger_panel.show_account(frame.ledger)
        window.field_panel.show_limit(limit)
        window.legend.show_frame(frame.time, limit)
        window.transport.speed.show_reached(frame.steps_per_second * frame.dt)
        self._show_readout()

    def _hovered(self, x: float, y: float) -> None:
        self._pointer = (x, y)
        self._show_readout()

    def _left(self) -> None:
        self._pointer = None
        self._show_readout()

    def _show_readout(self) -> None:
        """The place under the pointer and the field there."""
        text = ""
        if self._pointer is not None:
            value, quantity = None, "ez"
            frame, running = self._presenter.frame, self._session.running
            if frame is not None and running is not None and frame.generation == running.generation:
                value = running.reader.value(*self._pointer, frame.values)
                quantity = frame.quantity
            text = at_point(self._pointer, quantity, value)
        self._window.transport.readout.setText(text)
