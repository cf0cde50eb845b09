"""Measuring cases, several at a time in processes of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import NoReturn

from wavelab.errors import WavelabError
from wavelab.pool import NoAnswer, answers
from wavelab.simulation.verification.case import ANYWHERE, Case, Row, Where
from wavelab.simulation.verification.worker import Task

_WORKER = "wavelab.simulation.verification.worker"


def check(
    cases: Iterable[Case],
    *,
    orders: Sequence[int] | None = None,
    full: bool = False,
    where: Where = ANYWHERE,
    jobs: int = 1,
) -> Iterator[Row]:
    """Measure cases, and tell of them in their order.

    Parameters
    ----------
    orders : those of each case's own that are wanted; None for the quick ones.
    full : all orders of each case.
    jobs : measured at a time, in processes of their own if there are several.

    Raises
    ------
    WavelabError : from meshing, discretizing or the device.
    """
    wanted = [
        (case, order)
        for case in cases
        for order in (case.orders if full or orders is not None else case.quick)
        if orders is None or order in orders
    ]
    if jobs == 1 or len(wanted) < 2:
        yield from (case.row(order, where) for case, order in wanted)
        return
    tasks = [(i, Task(c.name, c.scene, order, where)) for i, (c, order) in enumerate(wanted)]
    early: dict[int, Row | WavelabError | NoAnswer] = {}
    with closing(answers(_WORKER, tasks, jobs)) as coming:
        for i, (case, order) in enumerate(wanted):
            while i not in early:
                early.update([next(coming)])
            found = early.pop(i)
            if not isinstance(found, Row):
                _fail(found, case, order)
            yield found


def _fail(found: WavelabError | NoAnswer, case: Case, order: int) -> NoReturn:
    if isinstance(found, WavelabError):
        raise found
    raise WavelabError(
        found.reason, where=f'"{case.name}" at order {order}', remedy="Try it with --jobs 1."
    )
