"""Points at which steppers sample the fields: an element and interpolation weights each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.physics.operator.fields import Fields


@dataclass(frozen=True)
class ProbePoints:
    """The field at probe p is sum_n weights[p, n] u[elements[p], n], u its component.

    Attributes
    ----------
    names : one name per probe.
    elements : (n_probes,) int32.
    weights : (n_probes, nodes_per_element) float64.
    components : (n_probes,) names of the fields that are sampled; "ez" by default.
    """

    names: tuple[str, ...]
    elements: NDArray[np.int32]
    weights: Array
    components: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.components) != len(self.names):
            object.__setattr__(self, "components", ("ez",) * len(self.names))

    @classmethod
    def none(cls, nodes_per_element: int) -> ProbePoints:
        return cls((), np.zeros(0, np.int32), np.zeros((0, nodes_per_element)))

    def __len__(self) -> int:
        return len(self.names)

    def of(self, component: str, sign: float = 1.0) -> ProbePoints:
        """The same points for another field, or for minus that."""
        return ProbePoints(self.names, self.elements, sign * self.weights, (component,) * len(self))

    def numbers(self, of: type[Fields]) -> NDArray[np.int32]:
        """(n_probes,) numbers of the fields of a system that are sampled."""
        known = {name: of.index(name) for name in set(self.components)}
        return np.array([known[name] for name in self.components], np.int32)

    def sample(self, fields: Fields) -> Array:
        """(n_probes,) values of given fields."""
        values = np.empty(len(self))
        numbers = self.numbers(type(fields))
        for index in np.unique(numbers):
            chosen = numbers == index
            nodal = fields.arrays[index][self.elements[chosen]]
            values[chosen] = np.einsum("pn,pn->p", self.weights[chosen], nodal)
        return values


def joined(points: Sequence[ProbePoints]) -> ProbePoints:
    """All of them, one after the other; at least one is given, empty or not."""
    return ProbePoints(
        tuple(chain.from_iterable(p.names for p in points)),
        np.concatenate([p.elements for p in points]),
        np.concatenate([p.weights for p in points]),
        tuple(chain.from_iterable(p.components for p in points)),
    )
