"""What is launched after steps to look at the fields."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Indices
from wavelab.opencl.device.launch import Launch


@dataclass(frozen=True, eq=False)
class Look:
    """One launch, in the steps that come next.

    Attributes
    ----------
    lasts : (n_steps,) its last argument after each of them; negative where it is not launched.
    """

    launch: Launch
    lasts: Indices

    def due(self, step: int) -> bool:
        """Whether it is launched after a step, then with the right argument."""
        last = self.lasts[step]
        if last < 0:
            return False
        self.launch.set_last(np.int32(last))
        return True
