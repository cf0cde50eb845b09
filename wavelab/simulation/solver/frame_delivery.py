"""Brings frames to the mailbox whose values are still on their way from the device.

Copying a large field costs more than the steps of a batch, so neither the device nor the solver
thread waits for it.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from dataclasses import replace

from wavelab.physics.stepper import ComingView
from wavelab.simulation.messages.frames import Frame, Mailbox
from wavelab.simulation.views.arrows import ComingArrows
from wavelab.timeline import NO_TIMELINE, Timeline

#: How long a stepper that is to be replaced waits for the last frame to be copied out of it.
_FRAME_SECONDS = 1.0

_Errand = tuple[Frame, ComingView, ComingArrows | None]


class FrameDelivery:
    """A thread that waits for one frame at a time.

    Parameters
    ----------
    mailbox : where the frames go.
    timeline : gets the time that copying takes.
    """

    def __init__(self, mailbox: Mailbox, timeline: Timeline = NO_TIMELINE) -> None:
        self._mailbox, self._timeline = mailbox, timeline
        self._errands: queue.SimpleQueue[_Errand | None] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._troubles: queue.SimpleQueue[Exception] = queue.SimpleQueue()
        self._lost = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a frame is on its way; no other may be sent."""
        return not self._idle.is_set()

    def send(self, frame: Frame, values: ComingView, arrows: ComingArrows | None = None) -> None:
        """Put ``frame`` with ``values`` and ``arrows`` into the mailbox, now or when they are
        here."""
        if self.busy:
            raise RuntimeError("a frame is still on its way")
        if values.here and (arrows is None or arrows.here):
            self._deliver(frame, values, arrows)
            return
        self._idle.clear()
        if self._thread is None:
            # A daemon, so that a driver that hangs cannot keep the program from ending.
            self._thread = threading.Thread(target=self._work, name="frames", daemon=True)
            self._thread.start()
        self._errands.put((frame, values, arrows))

    def raise_trouble(self) -> None:
        """The first thing that went wrong with a frame and was not told yet, if anything did, in
        the thread of the caller."""
        with contextlib.suppress(queue.Empty):
            raise self._troubles.get_nowait()

    def was_lost(self) -> bool:
        """Whether the stepper of a frame was closed before its values were here, told once; its
        samples come with the next."""
        lost = self._lost.is_set()
        self._lost.clear()
        return lost

    def settle(self, seconds: float = _FRAME_SECONDS) -> None:
        """Wait for the frame on its way, but no longer than this: what has not come until its
        stepper is closed is lost."""
        self._idle.wait(seconds)

    def close(self) -> None:
        """Let the thread end; a frame that is on its way may still arrive."""
        self._errands.put(None)

    def _work(self) -> None:
        while (errand := self._errands.get()) is not None:
            try:
                with self._timeline.span("copy frame"):
                    self._deliver(*errand)
            except Exception as error:  # drivers fail in every way there is
                self._troubles.put(error)
            self._idle.set()

    def _deliver(self, frame: Frame, coming: ComingView, arrows: ComingArrows | None) -> None:
        values = coming.values()
        if values is None:
            self._mailbox.pass_on(frame.probes)
            self._lost.set()
            return
        there = arrows.values() if arrows is not None else None
        self._mailbox.put(replace(frame, values=values, arrows=there))
