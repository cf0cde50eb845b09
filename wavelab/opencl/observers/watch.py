"""Whether the fields are still finite, looked at on the device while steps are queued."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Indices, Mask
from wavelab.opencl.device.properties import kind_of
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.physics.stepper import LOOK_EVERY

_WORD = np.dtype(np.int32)
_LARGEST = np.iinfo(_WORD).max


class Watch:
    """Notes for each element after how many steps its field was seen not to be finite.

    A look reads one number of each element: with the derivatives and lifts of a stage or two what
    is not finite at one node is so at all.
    """

    def __init__(self, stages: Stages) -> None:
        variant, self._memory = stages.variant, stages.memory
        self._n_elements = stages.operator.discretization.n_elements
        # The first says whether there is any; an even number, which is whole in any precision.
        n_words = (self._n_elements + 2) // 2 * 2
        self._seen = self._memory.empty(n_words * _WORD.itemsize)
        self._launch = variant.kernels.bound(
            "watch_elements", variant.fields, self._seen, 0, items=self._n_elements
        )
        self._start = 0
        # On a processor a look costs a hundredth of a step or less.  On a graphics card, where
        # small meshes wait for launches and not for arithmetic, it would be more.
        self._every = 1 if kind_of(self._memory.device) == "CPU" else LOOK_EVERY

    def restart(self, steps: int) -> None:
        """The fields were replaced, or are those after other ``steps``."""
        self._start = steps
        self._memory.clear(self._seen)

    def looks(self, steps: Indices) -> list[Look]:
        """At the fields after these numbers of steps, where it is time to."""
        since = np.minimum(steps - self._start, _LARGEST)
        return [Look(self._launch, np.where(steps % self._every, -1, since))]

    def first(self) -> tuple[int, Mask] | None:
        """As :meth:`wavelab.physics.stepper.Stepper.first_not_finite`."""
        if not self._memory.read(self._seen, (1,), _WORD)[0]:
            return None
        seen = self._memory.read(self._seen, (1 + self._n_elements,), _WORD)[1:]
        first = seen[seen > 0].min()
        return self._start + int(first), seen == first
