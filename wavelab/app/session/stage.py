"""What a scene on its way is at."""

from __future__ import annotations

from dataclasses import dataclass

#: What the solver is at when a scene was given to it: seconds the first time, nothing later on.
COMPILING = "Compiling for this device, which is kept for the next time"


@dataclass(frozen=True)
class Stage:
    """What it is at, since when (``time.monotonic``)."""

    text: str
    since: float
    can_be_cancelled: bool = True
