"""A simulated time taken from one place to another."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.tools.tool import Point


@dataclass(frozen=True)
class Watch:
    """Begun at a place and a time; ``end`` is None while it runs."""

    start: Point
    begun: float
    end: Point | None = None
    ended: float = 0.0

    @property
    def runs(self) -> bool:
        return self.end is None

    def told(self, end: Point, time: float) -> str:
        """What it shows at ``time`` when it is taken to ``end``."""
        elapsed, away = time - self.begun, math.dist(self.start, end)
        told = f"t {measures.clock(elapsed, _figures)}"
        if away == 0 or elapsed <= 0:
            return told
        return f"{told}, {measures.length(away)}: speed {measures.speed(away / elapsed)}"


def _figures(elapsed: float) -> str:
    return f"{elapsed:.4f}" if elapsed < 1e4 else three_figures(elapsed)
