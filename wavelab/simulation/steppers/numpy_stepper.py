"""The stepper without OpenCL: the oracle's right-hand side and the Runge-Kutta loop.

It is the reference in tests, and what runs where there is no OpenCL at all.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import StepTimes
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.materials.auxiliary_equations import add_auxiliary_rates, auxiliary_at_rest
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import FluxDensities
from wavelab.physics.operator.maxwell_tm import MaxwellTM, constant_right_hand_side
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
        self._densities = FluxDensities(operator.media, operator.epsilon)
        self._fields_changed()

    def set_fields(self, fields: Fields) -> None:
        super().set_fields(fields)
        self._residual = replace(
            Fields.zeros(fields.ez.shape), auxiliary=auxiliary_at_rest(self._local)
        )

    def _fields_changed(self) -> None:
        self._densities.restart(self._fields, self.time)

    def _jumped(self) -> None:
        self._densities.follow(self._fields, self._residual, 0.0, self.time)

    def _step(self, part: float) -> None:
        q, residual, dt = self._fields, self._residual, part * self.dt
        scheme = self.scheme
        (times,) = StepTimes(np.array([self._now]), dt, self._piece).at((*scheme.c, 1.0))
        for a, b, time, end in zip(scheme.a, scheme.b, times[:-1], times[1:], strict=True):
            change = self._rates(float(time))
            for old, step, rate in zip(_arrays(q), _arrays(residual), _arrays(change), strict=True):
                step *= a
                step += dt * rate
                old += b * step
            self._densities.follow(q, residual, b, float(end))

    def _rates(self, t: float) -> Fields:
        """Rates of change: the equations, then sources, then auxiliary equations."""
        change = constant_right_hand_side(self.operator, self._fields)
        for source_term in self._source_terms:
            source_term.rates(self.operator, t).add_to(change)
        self._densities.conduct(change.ez, self._fields.ez, t)
        return replace(change, auxiliary=add_auxiliary_rates(self._local, self._fields, change))


def _arrays(fields: Fields) -> list[Array]:
    return [fields.hx, fields.hy, fields.ez, *fields.auxiliary]
