"""Words for what went wrong."""

from __future__ import annotations

import logging

from wavelab.app.base.numbers import three_figures
from wavelab.errors import WavelabError

log = logging.getLogger(__name__)


def explain(error: Exception, restored: float | None = None) -> WavelabError:
    """An error as the message bar shows it; a defect is told as one and logged.

    ``restored`` is the simulated time the field was put back to.
    """
    if not isinstance(error, WavelabError):
        log.error("a defect", exc_info=error)
        return WavelabError(
            f"something went wrong inside the program: {type(error).__name__}: {error}",
            remedy="The present wave goes on; please report this.",
        )
    if restored is None:
        return error
    back = f"The field is back at t = {three_figures(restored)}, paused."
    remedy = f"{error.remedy} {back}".strip()
    return WavelabError(error.message, where=error.where, remedy=remedy)
