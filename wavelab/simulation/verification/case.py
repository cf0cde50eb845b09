"""What a case of verification is, and how cases become rows of one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Where:
    """What computes: see :func:`wavelab.simulation.steppers.steppers.make_stepper`."""

    backend: str = "auto"
    device: str | None = None


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
    """

    name: str
    about: str
    measure: Measure
    orders: tuple[int, ...]
    quick: tuple[int, ...]


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


def check(
    cases: Iterable[Case],
    *,
    orders: Sequence[int] | None = None,
    full: bool = False,
    where: Where = Where(),
) -> Iterator[Row]:
    """Measure cases one after the other.

    Parameters
    ----------
    orders : those of each case's own that are wanted; None for the quick ones.
    full : all orders of each case.

    Raises
    ------
    WavelabError : from meshing, discretizing or the device.
    """
    for case in cases:
        own = case.orders if full or orders is not None else case.quick
        for order in own:
            if orders is None or order in orders:
                reading = case.measure(order, where)
                yield Row(
                    case.name, order, reading.h, reading.error, reading.rate, reading.required
                )
