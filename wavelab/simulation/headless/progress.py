"""How far a headless run has come, and how long it will take, said before it costs a night."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TextIO

from tqdm import tqdm

from wavelab.errors import WavelabError
from wavelab.simulation.core.forecast import LONG, Intervals, in_words
from wavelab.simulation.core.pacing import StepMeter

#: Runs that would take longer are refused unless they are wished for: 30 days.
LONGEST = 30 * 86400.0
#: Seconds after the first steps when the last second tells how long the rest takes: drivers compile
#: some kernels only when they are first used.
_LOOK = 3.0


class Progress:
    """Of a run of ``n_steps`` steps to the time ``until``.

    Parameters
    ----------
    begun : of them, steps that an earlier process has taken.
    bar : a bar on stderr; None shows it if stderr is a terminal.
    log : gets a line now and then, at once and for good.
    notify : told the forecast of a run that takes more than a minute.
    long : whether it may take longer than ``LONGEST``.
    clock : seconds of wall time.
    make_bar : makes the bar, as ``tqdm`` does.
    """

    def __init__(
        self,
        title: str,
        n_steps: int,
        until: float,
        *,
        begun: int = 0,
        bar: bool | None = None,
        log: TextIO | None = None,
        notify: Callable[[str], None] = lambda text: None,
        long: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        make_bar: Callable[..., tqdm] = tqdm,
    ) -> None:
        self._n_steps, self._until = n_steps, until
        self._log, self._notify, self._long, self._clock = log, notify, long, clock
        self._taken = begun
        self._meter = StepMeter()
        self._since: tuple[float, int] | None = None  #: when so many steps were taken
        self._forecast = False
        # tqdm's own rule for None: hidden unless the stream is a terminal.
        disable = None if bar is None else not bar
        self._bar = make_bar(
            total=n_steps, initial=begun, unit="step", file=sys.stderr, disable=disable, desc=title
        )

    def __enter__(self) -> Progress:
        self._lines = Intervals(self._clock())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._bar.close()

    def took(self, steps: int) -> None:
        """So many steps more were taken.

        Raises
        ------
        WavelabError : the run would take longer than anybody waits.
        """
        self._taken += steps
        # A terminal that has gone must not cost the run its files.
        with suppress(OSError):
            self._bar.update(steps)
        now = self._clock()
        self._meter.add(steps, now)
        if self._since is None:
            self._since = now, self._taken
        began, before = self._since
        if self._taken == before or self._taken >= self._n_steps:
            return
        if not self._forecast and now - began >= _LOOK:
            self._forecast = True
            self._since = now, self._taken
            rate = self._meter.rate
            left = (self._n_steps - self._taken) / rate
            self._say_forecast(left, rate)
            if left > Intervals.APART:
                self._write(rate, left)
        elif self._forecast and self._lines.due(now):
            rate = (self._taken - before) / (now - began)
            self._write(rate, (self._n_steps - self._taken) / rate)

    def _say_forecast(self, left: float, rate: float) -> None:
        what = (
            f"{in_words(left)}: {self._n_steps:,} steps to t = {self._until:g}, "
            f"{rate:,.3g} a second here"
        )
        if left > LONGEST and not self._long:
            day = self._until * 86400 * rate / self._n_steps
            raise WavelabError(
                f"the run would take {what}",
                remedy=f"In a day it comes to t = {day:.2g} (--until); --long runs it anyway.",
            )
        if left > LONG:
            self._notify(f"the run takes {what}; Ctrl-C ends it earlier, with all files whole")

    def _write(self, rate: float, left: float) -> None:
        if self._log is None:
            return
        part = self._taken / self._n_steps
        with suppress(OSError):
            print(
                f"{100 * part:5.1f} %  t = {part * self._until:.4g} of {self._until:g}, "
                f"{rate:,.3g} steps/s, {in_words(left)} left",
                file=self._log,
                flush=True,
            )
