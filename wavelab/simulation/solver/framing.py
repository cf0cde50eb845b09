"""Making the frames that the window asks for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import offered
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.account import Account
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.messages.frames import Frame, Mailbox, PastSpan, SampleLog
from wavelab.simulation.solver.frame_delivery import FrameDelivery
from wavelab.simulation.views.arrows import ArrowPoints, ComingArrows, begin_arrows
from wavelab.simulation.views.views import begin_view
from wavelab.timeline import Timeline

#: A frame of a running wave shows an energy that is this old, because summing it up costs more than
#: the frame, or older where that would take more than this share of the time; paused frames show
#: that of the moment.
_ENERGY_SECONDS, _ENERGY_SHARE = 0.1, 0.02
#: Wall time between two looks at the watched monitor, and rows of its time series that are shown.
_MONITOR_SECONDS, _MONITOR_ROWS = 0.3, 8000
_NO_VALUES = np.zeros((0, 0), np.float32)


class Framing:
    """Knows what the window looks at, and what it has seen.

    Attributes
    ----------
    changed : whether there is something that a frame would show.
    delivery : of the frames that are on their way.

    Parameters
    ----------
    mailbox : where frames go, and where the window asks for them.
    clock : wall time in seconds.
    """

    def __init__(self, mailbox: Mailbox, clock: Callable[[], float], timeline: Timeline) -> None:
        self.changed = False
        self._mailbox, self._clock, self._timeline = mailbox, clock, timeline
        self._quantity = "ez"
        self._arrows: tuple[str, ArrowPoints, int] | None = None
        self._energy, self._energy_at = 0.0, -math.inf  # of the last frame that summed it up
        self._energy_seconds = _ENERGY_SECONDS
        self._watched: int | None = None
        self._watched_at = -math.inf
        self._samples = SampleLog()
        self.delivery = FrameDelivery(mailbox, timeline)

    def show(self, quantity: str) -> None:
        """One of ``wavelab.scene.view.quantities.QUANTITIES``."""
        self._quantity = quantity
        self.changed = True

    def show_arrows(self, kind: str, points: ArrowPoints | None, generation: int) -> None:
        """Have frames of the problem ``generation`` bring arrows; none any more if ``points`` is
        None."""
        self._arrows = None if points is None else (kind, points, generation)
        self.changed = True

    def watch(self, monitor: int | None) -> None:
        """The number of a monitor, or none."""
        self._watched, self._watched_at = monitor, -math.inf
        self.changed = True

    def restart(self, simulation: Simulation) -> None:
        """Nothing seen so far belongs to what comes now."""
        self.probes_changed(simulation)
        self.moved()

    def moved(self) -> None:
        """The run is at another time of its own past."""
        self._energy_at = self._watched_at = -math.inf
        self.changed = True

    def probes_changed(self, simulation: Simulation) -> None:
        """Samples from now on are of other probes."""
        self._samples.restart(simulation.probes.names)
        self.changed = True

    def sampled(self, times: Array, values: Array) -> None:
        """Steps ended at (m,) times, with (m, n_probes) values at the probes."""
        self._samples.append(times, values)
        self.changed = True

    def publish(
        self,
        simulation: Simulation,
        generation: int,
        ledger: Ledger | None,
        past: PastSpan | None,
        *,
        playing: bool,
        steps_per_second: float,
    ) -> bool:
        """Begin a frame if one is wanted and would show something new; whether it was.

        Raises
        ------
        Exception : what went wrong with the frame before, or with the device now.
        """
        self.changed |= self.delivery.was_lost()
        if not self.changed or not self._mailbox.wanted.is_set() or self.delivery.busy:
            return False
        self.changed = False  # first: a read-back that fails must not be tried again and again
        with self._timeline.span("frame"):
            # Until a window says otherwise: waves of another system may not have what was shown.
            has = offered(system_of(simulation.problem.scene))
            quantity = self._quantity if self._quantity in has else "ez"
            frame = Frame(
                generation,
                quantity,
                _NO_VALUES,
                time=simulation.time,
                steps=simulation.steps,
                dt=simulation.dt,
                steps_per_second=steps_per_second,
                energy=self.energy_of(simulation, playing=playing),
                playing=playing,
                probes=self._samples.drain(),
                ledger=_account(simulation, ledger, playing),
                monitor=self._monitor_of(simulation, playing),
                past=past,
            )
            coming = begin_view(simulation, quantity)
            arrows = self._begin_arrows(simulation, generation)
            self._mailbox.accept()
            self.delivery.send(frame, coming, arrows)
        return True

    def _begin_arrows(self, simulation: Simulation, generation: int) -> ComingArrows | None:
        """Those that were asked for; none while they are for another mesh."""
        if self._arrows is None or self._arrows[2] != generation:
            return None
        kind, points, _ = self._arrows
        return begin_arrows(simulation, kind, points)

    def energy_of(self, simulation: Simulation, *, playing: bool) -> float:
        """Of the whole field, as old as ``_ENERGY_SECONDS`` says while the wave is playing."""
        began = self._clock()
        if not playing or began - self._energy_at >= self._energy_seconds:
            self._energy, self._energy_at = simulation.check(), self._clock()
            self._energy_seconds = max(_ENERGY_SECONDS, (self._energy_at - began) / _ENERGY_SHARE)
        return self._energy

    def _monitor_of(self, simulation: Simulation, playing: bool) -> MonitorResult | None:
        """What the watched monitor has measured, if it is time to look."""
        number, now = self._watched, self._clock()
        if number is None or number >= len(simulation.problem.monitors):
            return None
        if playing and now - self._watched_at < _MONITOR_SECONDS:
            return None
        self._watched_at = now
        with self._timeline.span("monitor"):
            return simulation.measured_by(number, _MONITOR_ROWS)


def _account(simulation: Simulation, ledger: Ledger | None, playing: bool) -> Account | None:
    if ledger is None:
        return None
    if not playing:
        ledger.update(simulation)
    return ledger.account
