"""What a case of verification is, and how cases become rows of one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavelab.scene.model.scene import Scene


@dataclass(frozen=True)
class Where:
    """What computes: see :func:`wavelab.simulation.steppers.steppers.make_stepper`."""

    backend: str = "auto"
    device: str | None = None


ANYWHERE = Where()


@dataclass(frozen=True)
class Reading:
    """What a case measures at one order.

    Attributes
    ----------
    h : size of the elements of the finest mesh; for a case about time, the shortest step.
    error : there.
    rate : measured order of convergence, None if only the error itself is judged.
    required : the least rate, or the largest error if there is no rate.
    """

    h: float
    error: float
    rate: float | None
    required: float


Measure = Callable[[int, Where], Reading]


@dataclass(frozen=True)
class Case:
    """Something with an exact answer.

    Attributes
    ----------
    about : what is compared with what.
    orders : that it is measured at; ``quick`` of them unless all are asked for.
    scene : whose exact solution it compares with, if it is not a case of ours.
    """

    name: str
    about: str
    measure: Measure
    orders: tuple[int, ...]
    quick: tuple[int, ...]
    scene: Scene | None = None

    def row(self, order: int, where: Where) -> Row:
        """Measure it.

        Raises
        ------
        WavelabError : from meshing, discretizing or the device.
        """
        found = self.measure(order, where)
        return Row(self.name, order, found.h, found.error, found.rate, found.required)


@dataclass(frozen=True)
class Row:
    """A reading with its verdict; see :class:`Reading`."""

    case: str
    order: int
    h: float
    error: float
    rate: float | None
    required: float

    @property
    def ok(self) -> bool:
        # Written so that NaN fails.
        return self.error <= self.required if self.rate is None else self.rate >= self.required
