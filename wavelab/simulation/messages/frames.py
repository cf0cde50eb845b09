"""What the window sees of the solver: frames in a mailbox where the newest wins.

The window asks (``Mailbox.request``) at the rate it can draw; the solver has a frame read back
from the device only then, so a window that nobody sees costs nothing.  Probe samples are the
exception to "newest wins": each frame carries all samples since the frame before, and those of a
frame that was never taken are handed on to its successor.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.output.arrows import Arrows
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.simulation.energy.account import Account
from wavelab.simulation.records.series import Series

#: Samples of all probes kept for a window that takes no frames; older ones are dropped.
MAX_SAMPLES = 1_000_000


@dataclass(frozen=True)
class ProbeSamples:
    """Ez at the probes after each of m steps.

    Attributes
    ----------
    series : number that changes whenever earlier samples stop belonging to the same trace
        (reset, other probes, another field); the window then clears its plots.
    names : (p,) names of the probes.
    times : (m,) simulated times, which begin again at an earlier one where the run went back; what
        was sampled then comes once more, or another future does.
    values : (m, p).
    """

    series: int
    names: tuple[str, ...]
    times: Array
    values: Array

    def __len__(self) -> int:
        return len(self.times)

    def none(self) -> ProbeSamples:
        """No more of the same series."""
        return replace(self, times=self.times[:0], values=self.values[:0])

    def followed_by(self, later: ProbeSamples) -> ProbeSamples:
        """Both, oldest first, the newest ``MAX_SAMPLES`` numbers at most; ``later`` alone if it
        begins a new series."""
        if later.series != self.series or not len(self):
            return later
        rows = max(1, MAX_SAMPLES // max(1, len(self.names)))
        return replace(
            later,
            times=np.concatenate([self.times, later.times])[-rows:],
            values=np.concatenate([self.values, later.values])[-rows:],
        )


@dataclass(frozen=True)
class PastSpan:
    """What can be gone back to.

    Attributes
    ----------
    first, newest : steps that it reaches from and to, with their simulated times.
    moments, n_bytes : how many are kept, and the memory that they take.
    since : what it begins with, in words.
    needed : bytes that one moment takes if that is more than there may be, so that nothing is kept;
        0 otherwise.
    """

    first: int
    first_time: float
    newest: int
    newest_time: float
    moments: int
    n_bytes: int
    since: str
    needed: int = 0


@dataclass(frozen=True)
class Frame:
    """One look at the running wave.

    Attributes
    ----------
    generation : of the problem it belongs to; a window that already shows another drops it.
    quantity : one of ``wavelab.scene.view.quantities.QUANTITIES``.
    values : (n_elements, nodes_per_element) float32.
    time, steps, dt : simulated time, steps since the start, time step.
    steps_per_second : of wall time, averaged over the last second; 0 when paused.
    energy : of the whole field.
    playing : False when paused.
    probes : samples since the frame before.
    ledger : the energy account, up to a moment shortly before ``time``.
    monitor : what the watched monitor has measured; None between looks, and if none is watched.
    arrows : the energy flow at the points that were asked for; None if none were.
    past : what is kept of the run; None if nothing is to be.
    """

    generation: int
    quantity: str
    values: NDArray[np.float32]
    time: float
    steps: int
    dt: float
    steps_per_second: float
    energy: float
    playing: bool
    probes: ProbeSamples
    ledger: Account | None = None
    monitor: MonitorResult | None = None
    arrows: Arrows | None = None
    past: PastSpan | None = None


class SampleLog:
    """Probe samples on their way into the next frame; bounded like :class:`ProbeSamples`."""

    def __init__(self) -> None:
        self._number = 0
        self._names: tuple[str, ...] = ()
        self._samples = Series(0)

    def restart(self, names: tuple[str, ...]) -> None:
        """Begin a new series; samples not yet handed out are dropped."""
        self._number += 1
        self._names, self._samples = names, Series(len(names), MAX_SAMPLES)

    def append(self, times: NDArray, values: NDArray) -> None:
        """Add (m,) times and (m, p) values."""
        self._samples.append(times, values)

    def drain(self) -> ProbeSamples:
        """All samples since the last call."""
        times, values = self._samples.rows()
        self._samples.clear()
        return ProbeSamples(self._number, self._names, times, values)


class Mailbox:
    """Holds at most one frame; safe to use from two threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._left: ProbeSamples | None = None  # of frames whose values never came
        self.wanted = threading.Event()

    def request(self) -> None:
        """Ask for a frame."""
        self.wanted.set()

    def accept(self) -> None:
        """Lower ``wanted``: the frame that was asked for is on its way."""
        self.wanted.clear()

    def put(self, frame: Frame) -> None:
        """Replace what is in the box."""
        with self._lock:
            if self._frame is not None:
                frame = replace(
                    frame,
                    probes=self._frame.probes.followed_by(frame.probes),
                    monitor=frame.monitor or self._frame.monitor,
                )
            elif self._left is not None:
                frame = replace(frame, probes=self._left.followed_by(frame.probes))
            self._frame, self._left = frame, None

    def pass_on(self, samples: ProbeSamples) -> None:
        """Those of a frame that will not be put: they come with another."""
        with self._lock:
            if self._frame is not None:
                samples = self._frame.probes.followed_by(samples)
                self._frame = replace(self._frame, probes=samples)
            else:
                self._left = self._left.followed_by(samples) if self._left else samples

    def take(self) -> Frame | None:
        """The newest frame, once; None if there is none since the last call."""
        with self._lock:
            frame, self._frame = self._frame, None
        return frame
