"""All probe samples of a headless run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class ProbeRecord:
    """Collects what ``Simulation.advance`` returns.

    Parameters
    ----------
    names : (p,) names of the probes.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._times: list[Array] = []
        self._values: list[Array] = []

    def append(self, times: Array, values: Array) -> None:
        """Add (m,) times and (m, p) values."""
        if self.names:
            self._times.append(times)
            self._values.append(values)

    @property
    def times(self) -> Array:
        """(n,)."""
        return np.concatenate([np.zeros(0), *self._times])

    @property
    def values(self) -> Array:
        """(n, p)."""
        return np.concatenate([np.zeros((0, len(self.names))), *self._values])

    def summary(self) -> dict[str, Any]:
        """{name: {"t": (n,), "ez": (n,)}}."""
        times, values = self.times, self.values
        return {name: {"t": times, "ez": values[:, i]} for i, name in enumerate(self.names)}
