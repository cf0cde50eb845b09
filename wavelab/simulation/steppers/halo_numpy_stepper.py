"""The NumPy stepper of one rank's part of a mesh."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
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
        operator: Operator,
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
            rank: np.stack([u[elements] for u in fields.arrays])
            for rank, (elements, _) in self._subdomain.sends.items()
        }
        shape = fields.shape[1:]
        incoming = {
            rank: np.empty((len(fields.names), len(elements), *shape))
            for rank, (elements, _) in self._subdomain.receives.items()
        }
        self._communicator.exchange(outgoing, incoming).wait()
        for rank, (elements, _) in self._subdomain.receives.items():
            for array, values in zip(fields.arrays, incoming[rank], strict=True):
                array[elements] = values
        return super()._rates(fields)
