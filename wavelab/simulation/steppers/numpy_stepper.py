"""The stepper without OpenCL: the oracle's right-hand side and the Runge-Kutta loop.

It is the reference in tests, and what runs where there is no OpenCL at all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import StepTimes
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.materials.auxiliary_equations import add_auxiliary_rates, auxiliary_at_rest
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import FluxDensities
from wavelab.physics.operator.maxwell_tm import MaxwellTM, constant_right_hand_side
from wavelab.physics.sources.source_terms import Rates
from wavelab.physics.stepper import KeptState
from wavelab.physics.time.time_step import suited_scheme
from wavelab.simulation.steppers.host_stepper import HostStepper


class NumpyStepper(HostStepper):
    """Takes Runge-Kutta steps.

    Parameters
    ----------
    dt : time step.
    scheme : Runge-Kutta scheme; None for the one that suits the operator.
    """

    scheme: LowStorageScheme

    def __init__(
        self, operator: MaxwellTM, *, dt: float, scheme: LowStorageScheme | None = None
    ) -> None:
        super().__init__(operator, dt, scheme or suited_scheme(operator))
        self._residual = Fields.zeros(operator.discretization.shape)
        self._densities = FluxDensities(operator.media, operator.epsilon, operator.mu)
        self._fields_changed()

    def set_fields(self, fields: Fields) -> None:
        super().set_fields(fields)
        self._residual = replace(
            Fields.zeros(fields.ez.shape), auxiliary=auxiliary_at_rest(self._local)
        )

    def _changing(self) -> list[NDArray[Any]]:
        return [*super()._changing(), *self._densities.scaled]

    def put_back(self, kept: KeptState) -> None:
        super().put_back(kept)
        # A step begins with 0 times the residual, which is not 0 of what is not finite.
        for array in _arrays(self._residual):
            array[...] = 0

    def _fields_changed(self) -> None:
        self._densities.restart(self._fields, self.time)

    def _jumped(self) -> None:
        self._densities.follow(self._fields, self._residual, 0.0, self.time)

    def _step(self, part: float) -> None:
        q, residual, dt = self._fields, self._residual, part * self.dt
        scheme = self.scheme
        steps = StepTimes(np.array([self._now]), dt, self._piece)
        (times,), (moments,) = steps.at((*scheme.c, 1.0)), steps.at(scheme.moments)
        sources = [self._driven(float(moment)) for moment in moments]
        for stage, (a, b) in enumerate(zip(scheme.a, scheme.b, strict=True)):
            change = self._rates(q)
            for share, driven in zip(scheme.shares[stage], sources, strict=True):
                for rates in driven if share else ():
                    rates.add_to(change, share)
            self._densities.conduct(change, q, float(times[stage]))
            change = replace(change, auxiliary=add_auxiliary_rates(self._local, q, change))
            self._densities.turn(change)
            for old, step, rate in zip(_arrays(q), _arrays(residual), _arrays(change), strict=True):
                step *= a
                step += dt * rate
                old += b * step
            self._densities.follow(q, residual, b, float(times[stage + 1]))

    def _rates(self, fields: Fields) -> Fields:
        """Of change, before all that acts around the operator's constants."""
        return constant_right_hand_side(self.operator, fields)

    def _driven(self, time: float) -> list[Rates]:
        """What the sources add at a time."""
        return [source_term.rates(self.operator, time) for source_term in self._source_terms]


def _arrays(fields: Fields) -> list[Array]:
    return [fields.hx, fields.hy, fields.ez, *fields.auxiliary]
