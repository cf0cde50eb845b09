"""One rank: what it does when the first one asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.fields import Fields
from wavelab.physics.stepper import Stepper
from wavelab.physics.subdomains.partition import Subdomain

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class RankFacts:
    """What computes on a rank, and how.

    Attributes
    ----------
    driver : its version; "" in NumPy.
    config : of the kernels; None in NumPy.
    """

    backend: str
    device: str
    precision: str
    driver: str
    config: KernelConfig | None

    @classmethod
    def of(cls, stepper: Stepper) -> RankFacts:
        """Those of a stepper."""
        driver = getattr(getattr(stepper, "opencl_device", None), "driver_version", "").strip()
        config = getattr(stepper, "config", None)
        return cls(stepper.backend, stepper.device, stepper.precision, driver, config)


class SubdomainStepper:
    """A stepper of one rank, asked in terms of the rank's own elements, without the halo.

    What is the same for a part of a mesh is asked of the stepper itself.
    """

    def __init__(self, stepper: Stepper, subdomain: Subdomain) -> None:
        self.stepper = stepper
        self._own: Mask = subdomain.own
        #: Which elements the first rank is told of, in its order.
        self._shown: Indices = np.flatnonzero(self._own)
        self._equations: tuple[AuxiliaryEquations, ...] = ()

    def does(self, name: str, arguments: Sequence[Any]) -> Any:
        """What a method of the rank, or else of its stepper, gives."""
        return (getattr(self, name, None) or getattr(self.stepper, name))(*arguments)

    def facts(self) -> RankFacts:
        """What computes here."""
        return RankFacts.of(self.stepper)

    def set_fields(self, fields: Fields) -> None:
        def spread(field: Array) -> Array:
            return pieces([field], [self._shown], (len(self._own), field.shape[1]))

        self.stepper.set_fields(fields.of([*map(spread, fields.arrays)], fields.auxiliary))

    def fields(self) -> Fields:
        fields = self.stepper.fields()
        return replace(fields.at(self._shown), auxiliary=fields.auxiliary)

    def view(self, quantity: str) -> NDArray[np.float32]:
        return self.stepper.view(quantity)[self._shown]

    def element_energy(self) -> tuple[Array, float]:
        """Of the elements that the first rank is told of, and of all others together."""
        energy = self.stepper.element_energy()
        shown, others = energy[self._shown], self._own.copy()
        others[self._shown] = False
        return shown, float(energy[others].sum())

    def first_not_finite(self) -> tuple[int, Mask] | None:
        found = self.stepper.first_not_finite()
        return found and (found[0], found[1][self._shown])

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        self._equations = tuple(equations)
        self.stepper.set_auxiliary_equations(self._equations)

    def goes_direct(self) -> bool:
        """Whether traces go from device to device, and not through the host."""
        return bool(getattr(self.stepper, "direct", False))

    def set_exchanging(self, exchanging: bool) -> None:
        """Whether the halo is asked for, in OpenCL; without it fields are wrong."""
        vars(self.stepper)["exchanging"] = exchanging

    def set_sampling(
        self, points: ProbePoints, losses: Sequence[int | AuxiliaryEquations], every: int
    ) -> None:
        """Losses are those of others without variables, or of its own by their number."""
        of = tuple(self._equations[e] if isinstance(e, int) else e for e in losses)
        self.stepper.set_sampling(Sampling(points, of), every)


def pieces(
    values: Sequence[NDArray[Number]], rows: Sequence[Indices], shape: tuple[int, ...]
) -> NDArray[Number]:
    """An array of that shape of some of its rows, and others, which are 0 where nobody has them."""
    whole = np.zeros(shape, values[0].dtype)
    for part, of in zip(values, rows, strict=True):
        whole[of] = part
    return whole
