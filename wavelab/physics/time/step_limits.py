"""Which elements limit the time step, and what it would be without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.time.time_step import element_rates, stable_step

#: Parts of all elements, the fastest first, that are left out on trial.
FRACTIONS = (0.001, 0.01, 0.1)


@dataclass(frozen=True, eq=False)
class StepLimits:
    """What sets the step.

    Attributes
    ----------
    step : largest stable one.
    fastest : (n_elements,) element numbers, those that limit the step first.
    rates : (n_elements,) speed over inradius of each element, in element order.
    without : part of the elements -> (how many these are, largest stable step without them).
    """

    step: float
    fastest: Indices
    rates: Array
    without: dict[float, tuple[int, float]]

    def gain(self, fraction: float) -> float:
        """How many times longer the step would be without that part of the elements."""
        return self.without[fraction][1] / self.step

    @property
    def outliers(self) -> Indices:
        """Elements so fast that others would allow a step half as long again, at most 5 %."""
        typical = float(np.percentile(self.rates, 90))
        count = int((self.rates > 1.5 * typical).sum())
        return self.fastest[: min(count, max(1, len(self.rates) // 20))]


def step_limits(
    operator: MaxwellTM,
    scheme: LowStorageScheme | None = None,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> StepLimits:
    """The elements by how much they limit the step, with trials by the spectrum of the rest.

    Parameters
    ----------
    scheme : of Runge-Kutta; None for the one that suits the operator.
    auxiliary_equations : that hold beside the operator.
    """
    rates = element_rates(operator)
    fastest = np.argsort(-rates, kind="stable")
    without = {}

    def step_without(elements: Indices | None) -> float:
        return stable_step(
            operator, scheme=scheme, without=elements, auxiliary_equations=auxiliary_equations
        )

    for fraction in FRACTIONS:
        count = min(max(1, round(fraction * len(rates))), len(rates) - 1)
        if count > 0:
            without[fraction] = (count, step_without(fastest[:count]))
    return StepLimits(step_without(None), fastest, rates, without)
