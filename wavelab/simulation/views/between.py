"""What is seen between two steps: the straight line from one to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.output.arrows import Arrows


def values_between(
    start: NDArray[np.float32], goal: NDArray[np.float32], part: float
) -> NDArray[np.float32]:
    """Nodal values at that part of the way, 0 to 1, on the same elements."""
    return start + np.float32(part) * (goal - start)


def arrows_between(start: Arrows | None, goal: Arrows | None, part: float) -> Arrows | None:
    """The same of arrows; those of the goal where they are at other points."""
    if start is None or goal is None or not np.array_equal(start.positions, goal.positions):
        return goal
    return replace(goal, vectors=start.vectors + part * (goal.vectors - start.vectors))
