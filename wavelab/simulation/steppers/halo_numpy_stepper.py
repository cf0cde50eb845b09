"""The NumPy stepper of one rank's part of a mesh."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


class HaloNumpyStepper(NumpyStepper):
    """Asks other ranks for the fields of the halo before each stage.

    It is the reference for those that exchange less: here an element is sent as it is.

    Parameters
    ----------
    operator : of :func:`wavelab.physics.subdomains.restriction.operator_on`.
    """

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        dt: float,
        scheme: LowStorageScheme,
        subdomain: Subdomain,
        communicator: Communicator,
    ) -> None:
        super().__init__(operator, dt=dt, scheme=scheme)
        self._subdomain, self._communicator = subdomain, communicator

    def _rates(self, fields: Fields) -> Fields:
        outgoing = {
            rank: np.stack([fields.hx[elements], fields.hy[elements], fields.ez[elements]])
            for rank, (elements, _) in self._subdomain.sends.items()
        }
        shape = fields.ez.shape[1:]
        incoming = {
            rank: np.empty((3, len(elements), *shape))
            for rank, (elements, _) in self._subdomain.receives.items()
        }
        self._communicator.exchange(outgoing, incoming).wait()
        for rank, (elements, _) in self._subdomain.receives.items():
            fields.hx[elements], fields.hy[elements], fields.ez[elements] = incoming[rank]
        return super()._rates(fields)
