"""When a run ends that waits for the wave to die away."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.shapes import Shape

#: In place of a time: until the wave has died away.
UNTIL_DECAYED = "decayed"
#: Part of its largest energy at which a wave has died away, where nobody says another.
DECAYED = 1e-6
#: How often light may cross the domain, along its diagonal and in vacuum, before such a run gives
#: up.
_CROSSINGS = 300


def latest_end(outline: Shape | None, sources: Sequence[Source]) -> float:
    """The time at which such a run ends if the wave does not die away.

    Raises
    ------
    ItemError : the domain is that of a mesh file, which alone knows how large it is.
    """
    if outline is None:
        raise ItemError(
            'until = "decayed" does not say how long to wait at most: only the mesh file knows how '
            "large the domain is",
            remedy="Name the longest time, and when the wave counts as gone: until = 500, "
            f"decayed = {DECAYED:g}.",
            item=("solver", "until"),
        )
    (x0, y0), (x1, y1) = outline.bounds()
    waves = [w.function() for s in sources if (w := getattr(s, "waveform", None)) is not None]
    driven = [w.origin + w.settled for w in waves if w.settled is not None]
    latest = max(0.0, *driven, 0.0) + _CROSSINGS * math.hypot(x1 - x0, y1 - y0)
    return float(f"{latest:.2g}")
