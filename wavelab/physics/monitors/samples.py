"""What a stepper samples after every few steps, for whoever reads it later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_energy import lost_power
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator


@dataclass(frozen=True, eq=False)
class Sampling:
    """Numbers that follow from the fields.

    Attributes
    ----------
    points : first the fields there;
    losses : then what each of these takes, see
        :func:`wavelab.physics.materials.auxiliary_energy.lost_power`: those of the stepper, or
        others without variables.
    """

    points: ProbePoints
    losses: tuple[AuxiliaryEquations, ...] = ()

    def __len__(self) -> int:
        return len(self.points) + len(self.losses)

    def sample(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], fields: Fields
    ) -> Array:
        """(n,) of given fields.

        Parameters
        ----------
        equations : whose variables the fields have.
        """
        memory_of = {id(e): m for e, m in zip(equations, fields.auxiliary, strict=True)}
        lost = [
            lost_power(e, fields, memory_of.get(id(e), np.zeros(e.shape)), operator)
            for e in self.losses
        ]
        return np.concatenate([self.points.sample(fields), lost])


class SamplingLog:
    """What was sampled and nobody has read yet.

    Parameters
    ----------
    n_values : how many numbers are sampled.
    every : after steps whose number is a multiple of it.
    """

    def __init__(self, n_values: int = 0, every: int = 1) -> None:
        self.n_values, self.every = n_values, every
        self._times: list[Array] = []
        self._values: list[Array] = []

    def due(self, step: int) -> bool:
        """Whether to sample after step number ``step``."""
        return self.n_values > 0 and step % self.every == 0

    def add(self, times: Array, values: Array) -> None:
        """Keep samples, (n,) and (n, n_values)."""
        self._times.append(times)
        self._values.append(values)

    def take(self) -> tuple[Array, Array]:
        """All since the last call: times (n,) and values (n, n_values)."""
        times, values = self._times, self._values
        self._times, self._values = [], []
        if not times:
            return np.zeros(0), np.zeros((0, self.n_values))
        return np.concatenate(times), np.concatenate(values)
