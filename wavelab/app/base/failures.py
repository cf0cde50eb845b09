"""Words for what went wrong, and what happens when something raises where nobody catches it.

PyQt5 ends the whole program for an exception in a slot unless ``sys.excepthook`` is ours.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

from wavelab.app.base import measures
from wavelab.app.base.qt import QTimer
from wavelab.errors import WavelabError

log = logging.getLogger(__name__)


def explain(
    error: Exception, restored: float | None = None, *, further: bool = False
) -> WavelabError:
    """An error as the message bar shows it; a defect is told as one and logged.

    ``restored`` is the simulated time the field was put back to, ``further`` whether one
    can go back further.
    """
    if not isinstance(error, WavelabError):
        log.error("a defect", exc_info=error)
        return WavelabError(
            f"something {_went_wrong(error)}",
            remedy="The present wave goes on; please report this.",
        )
    if restored is None:
        return error
    back = f"The field is back at t = {measures.time(restored)}, paused."
    if further:
        back += " Drag the bar of time below it to go back further."
    remedy = f"{error.remedy} {back}".strip()
    return WavelabError(error.message, where=error.where, remedy=remedy)


class ExceptionHook:
    """Shows each defect once and lets the program go on.

    Parameters
    ----------
    save : keeps the user's work safe.
    complain : shows an error the user can act on.
    show : shows a defect: title, text, report.
    """

    def __init__(
        self,
        *,
        save: Callable[[], None],
        complain: Callable[[WavelabError], None],
        show: Callable[[str, str, str], None],
    ) -> None:
        self._save = save
        self._complain = complain
        self._show = show
        self._seen: set[str] = set()
        self._before = sys.excepthook

    def install(self) -> None:
        sys.excepthook = self.caught

    def remove(self) -> None:
        if sys.excepthook == self.caught:
            sys.excepthook = self._before

    def caught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Called by Python, and by PyQt5 for exceptions in slots."""
        if isinstance(error, WavelabError):
            self._complain(error)
            return
        if not isinstance(error, Exception):
            self._before(kind, error, trace)
            return
        log.error("exception in the window", exc_info=(kind, error, trace))
        try:
            self._save()
        except Exception:
            log.exception("the scene could not be kept")
        report = "".join(traceback.format_exception(kind, error, trace))
        # A slot that fails at every tick of a timer must not open a dialog at every tick.
        if report in self._seen:
            return
        self._seen.add(report)
        # Not from inside the slot that failed, which may be a paint event.
        QTimer.singleShot(0, lambda: self._show("wavelab met a defect", _explained(error), report))


def _explained(error: Exception) -> str:
    return (
        f"Something {_went_wrong(error)}\n\n"
        "Your scene has been kept, and you can go on. The report below tells what happened."
    )


def _went_wrong(error: Exception) -> str:
    return f"went wrong inside the program: {type(error).__name__}: {error}"
