"""The three fields of the transverse-magnetic system at the nodes of every element."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array

#: In the order in which steppers number them.
FIELD_NAMES = ("hx", "hy", "ez")


@dataclass(frozen=True)
class Fields:
    """hx, hy, ez: (n_elements, nodes_per_element) float64 nodal values.

    ``auxiliary`` belongs to auxiliary equations, one array each (see
    :mod:`wavelab.physics.materials.auxiliary_equations`); without any it is 0.
    """

    hx: Array
    hy: Array
    ez: Array
    auxiliary: tuple[Array, ...] = ()

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> Fields:
        return cls(np.zeros(shape), np.zeros(shape), np.zeros(shape))

    @property
    def vanish(self) -> bool:
        """Whether all three are 0 everywhere."""
        return not any(field.any() for field in (self.hx, self.hy, self.ez))

    @property
    def n_bytes(self) -> int:
        return sum(a.nbytes for a in (self.hx, self.hy, self.ez, *self.auxiliary))

    def copy(self) -> Fields:
        auxiliary = tuple(a.copy() for a in self.auxiliary)
        return Fields(self.hx.copy(), self.hy.copy(), self.ez.copy(), auxiliary)
