"""What it costs to share a mesh between ranks: strong and weak scaling, and the exchange."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wavelab.benchmark import timing
from wavelab.benchmark.meshes import square_mesh
from wavelab.benchmark.stages import Notify, conducting_room
from wavelab.benchmark.timing import side_by_side, steps_per_batch, timed
from wavelab.physics.time.time_step import suited_scheme
from wavelab.simulation.steppers.dealing_out import dealt_out
from wavelab.simulation.steppers.one_device import on_device
from wavelab.simulation.steppers.partitioned import PartitionedStepper
from wavelab.simulation.steppers.rank_group import RankGroup

#: Elements of a rank, and orders, where nothing else is asked for.
DEFAULT_ELEMENTS, DEFAULT_ORDERS = 10_000, (4,)

#: Ways that traces take.
_DIRECT, _BY_HOST = "device to device", "through the host"


@dataclass(frozen=True)
class RankRate:
    """One mesh on some ranks.

    Attributes
    ----------
    case : "alone" for the first rank by itself; "strong" for the same mesh on all, "weak" for one
        that is as many times larger as there are ranks.
    border : largest part of the elements of a rank that wait for the halo.
    sent : most bytes that a rank sends in a stage.
    stage_us : microseconds per stage: that part of a whole step.
    efficiency : time alone over that on all, which a strong case multiplies with their number.
    way : that traces take; "" where there is one rank.
    exchange_us : of a stage, with nothing to do meanwhile.
    seen_us : how much longer a stage takes than without it.
    """

    case: str
    ranks: int
    device: str
    precision: str
    order: int
    elements: int
    border: float
    sent: int
    stage_us: float
    efficiency: float
    way: str
    exchange_us: float
    seen_us: float

    @property
    def hidden(self) -> float | None:
        """The part of the exchange that takes no time; None without an exchange."""
        return max(0.0, 1 - self.seen_us / self.exchange_us) if self.exchange_us else None

    def row(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self) | {"hidden": self.hidden}


def measure_ranks(
    ranks: RankGroup,
    orders: Sequence[int],
    *,
    elements: int,
    precision: str = "single",
    device: str | None = None,
    notify: Notify = lambda text: None,
) -> Iterator[RankRate]:
    """For each order: alone, strong, weak; the latter two by each way that traces can take.

    Parameters
    ----------
    elements : about how many, of a rank.
    device : as for :func:`wavelab.simulation.steppers.steppers.make_stepper`.

    Raises
    ------
    WavelabError : no such device, or it fails.
    """
    for order in orders:
        notify(f"order {order}: alone")
        alone = _alone(ranks, order, elements, precision, device)
        yield alone
        for case, count in (("strong", elements), ("weak", elements * ranks.size)):
            if ranks.size > 1:
                notify(f"order {order}: {case}")
                share = ranks.size if case == "strong" else 1
                how = ranks, order, count, precision, device, alone, share
                first = _together(case, *how, direct=True)
                yield first
                if first.way == _DIRECT:
                    yield _together(case, *how, direct=False)


def _alone(
    ranks: RankGroup, order: int, elements: int, precision: str, device: str | None
) -> RankRate:
    operator, fields, dt = conducting_room(square_mesh(elements), order)
    scheme = suited_scheme(operator)
    chosen = ranks.own.device(device, precision)
    maker = on_device(operator, scheme, precision=precision, device=chosen)
    stepper = maker.stepper(operator, dt, scheme)
    with closing(stepper):
        stepper.set_fields(fields)
        stage = side_by_side([stepper])[0] / scheme.n_stages
        return RankRate(
            "alone", 1, stepper.device, precision, order, operator.discretization.n_elements, 0.0,
            0, stage * 1e6, 1.0, "", 0.0, 0.0,
        )  # fmt: skip


def _together(
    case: str,
    ranks: RankGroup,
    order: int,
    elements: int,
    precision: str,
    device: str | None,
    alone: RankRate,
    share: int,
    *,
    direct: bool,
) -> RankRate:
    operator, fields, dt = conducting_room(square_mesh(elements), order)
    scheme = suited_scheme(operator)
    stepper = dealt_out(
        operator, ranks, dt=dt, scheme=scheme, backend="opencl", device=device,
        precision=precision, direct=direct,
    )  # fmt: skip
    with closing(stepper):
        stepper.set_fields(fields)
        stage, without, exchange = (t * 1e6 for t in _times(stepper, scheme.n_stages))
        n_fp = operator.discretization.element.nodes_per_face
        faces = [sum(len(f) for f, _ in part.sends.values()) for part in stepper.parts]
        return RankRate(
            case=case,
            ranks=ranks.size,
            device=stepper.device,
            precision=precision,
            order=order,
            elements=operator.discretization.n_elements,
            border=max(part.n_border / len(part.mine) for part in stepper.parts),
            # The upwind flux needs one number of a node.
            sent=max(faces) * n_fp * np.dtype(precision).itemsize,
            stage_us=stage,
            efficiency=alone.stage_us / (stage * share),
            way=_DIRECT if ranks.ask("goes_direct")[0] else _BY_HOST,
            exchange_us=exchange,
            seen_us=max(0.0, stage - without),
        )


def _times(stepper: PartitionedStepper, n_stages: int) -> tuple[float, float, float]:
    """Seconds of a stage, of one without an exchange, and of an exchange: the least of batches in
    turns, so that whatever slows the machine slows them alike."""
    ask = stepper.ranks.ask
    count = steps_per_batch(stepper)

    def steps(exchanging: bool) -> Callable[[], float]:
        def taken() -> float:
            ask("set_exchanging", exchanging)
            return timed(stepper, count) / (count * n_stages)

        return taken

    def exchanges() -> float:
        began = time.perf_counter()
        ask("exchange_alone", count * n_stages)
        return (time.perf_counter() - began) / (count * n_stages)

    measured = (steps(True), steps(False), exchanges)
    rounds = [[measure() for measure in measured] for _ in range(timing.BATCHES)]
    ask("set_exchanging", True)
    with_, without, alone = np.min(rounds, axis=0).tolist()
    return with_, without, alone
