"""How much memory there may be for the past."""

from __future__ import annotations

from functools import cache

from wavelab.diagnosis.machine import memory_limit

#: MiB where nobody has said anything else, and where it is not known how much there is.
USUAL_MIB, _MOST_UNKNOWN = 256, 1_000_000


@cache
def most_mib() -> int:
    """Half of what the machine has: more would be taken from what the wave itself needs."""
    limit = memory_limit()
    return _MOST_UNKNOWN if limit is None else limit // 2 >> 20
