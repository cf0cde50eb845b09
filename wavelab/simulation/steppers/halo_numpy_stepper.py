"""The NumPy steppers of one rank's part of a mesh."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.time.clusters import Clusters
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper
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


class LocalHaloNumpyStepper(LocalNumpyStepper):
    """Asks other ranks for what elements publish before each moment's predictions and corrections.

    It is the reference for those that exchange less: here all is sent that lies at a border,
    whichever clusters are at their turn.

    Parameters
    ----------
    operator : of :func:`wavelab.physics.subdomains.restriction.operator_on`.
    scheme : of :meth:`wavelab.numerics.time.clusters.Clusters.part`.
    """

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        dt: float,
        scheme: Clusters,
        subdomain: Subdomain,
        communicator: Communicator,
    ) -> None:
        super().__init__(operator, dt=dt, scheme=scheme)
        self._subdomain, self._communicator = subdomain, communicator

    def _before(self, act: str) -> None:
        # Of all these the faces come third and second from the end.
        for published in [self._leaving] if act == "predict" else [self._halves, self._summed]:
            self._exchange(published)

    def _exchange(self, published: Array) -> None:
        outgoing = {
            rank: np.ascontiguousarray(published[..., elements, faces, :])
            for rank, (elements, faces) in self._subdomain.sends.items()
        }
        receives = self._subdomain.receives
        incoming = {
            rank: np.empty((*published.shape[:-3], len(faces), published.shape[-1]))
            for rank, (_, faces) in receives.items()
        }
        self._communicator.exchange(outgoing, incoming).wait()
        for rank, (elements, faces) in receives.items():
            published[..., elements, faces, :] = incoming[rank]
