"""When a run fails: what goes on, what is logged, and what need not be known."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from wavelab.errors import DeviceError, WavelabError
from wavelab.simulation.solver.run import Run

log = logging.getLogger(__name__)

#: A device that fails again within this time is not begun with anew a second time.
_ANEW_SECONDS = 10.0


class Anew:
    """Begins with a device anew that was reset, as after a sleep of the computer, and has lost all
    that was on it.  Not again and again.

    Parameters
    ----------
    replace : makes another run of the same, on a device that is begun with anew, and gives it.
    notify : told what came of it.
    clock : wall time in seconds.
    """

    def __init__(
        self,
        replace: Callable[[Run], Run],
        notify: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        self._replace, self._notify, self._clock = replace, notify, clock
        self._last = -math.inf

    def begin(self, run: Run | None, error: DeviceError) -> bool:
        """Whether a run goes on after this error."""
        before, self._last = self._last, self._clock()
        if run is None or self._last - before < _ANEW_SECONDS:
            return False
        try:
            simulation = self._replace(run).simulation
        except Exception as second:  # the first is told
            log_defect(second)
            return False
        self._notify(
            f"{error.where or 'The device'} failed ({error.message}); "
            f"the wave goes on from t = {simulation.time:.6g}, on {simulation.stepper.device}"
        )
        return True


def close_unneeded(run: Run) -> None:
    """Nobody needs it any more, so nobody needs to know if its device fails now."""
    try:
        run.close()
    except Exception as error:
        log.warning("a run could not be closed", exc_info=error)


def log_defect(error: Exception) -> None:
    """What is no trouble that users can do something about."""
    if not isinstance(error, WavelabError):
        log.error("the solver thread caught an exception", exc_info=error)
