"""Probes as the steppers see them: an element and interpolation weights each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ProbePoints:
    """Ez at probe p is sum_n weights[p, n] Ez[elements[p], n].

    Attributes
    ----------
    names : one name per probe.
    elements : (n_probes,) int32.
    weights : (n_probes, nodes_per_element) float64.
    """

    names: tuple[str, ...]
    elements: NDArray[np.int32]
    weights: NDArray[np.float64]

    @classmethod
    def none(cls, nodes_per_element: int) -> ProbePoints:
        return cls((), np.zeros(0, np.int32), np.zeros((0, nodes_per_element)))

    def __len__(self) -> int:
        return len(self.names)
