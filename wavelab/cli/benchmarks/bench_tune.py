"""``wavelab bench --tune``: the fastest config of the kernels for each order."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from tqdm import tqdm

from wavelab.cli.shared.output import Column, Table, tuned_row

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.tuning.tuner import Outcome

_TABLE: Table[Outcome] = Table(
    Column("order", 5, lambda o: str(o.case.order)),
    Column("size", -5, lambda o: o.case.size),
    Column("configs", 6, lambda o: str(o.n_timed)),
    Column("seconds", 7, lambda o: f"{o.seconds:.1f}"),
    Column("speed", 6, lambda o: f"{o.gain:.2f}"),
    Column("fastest", -1, lambda o: ", ".join(f"{k} {v}" for k, v in asdict(o.config).items())),
)
_BAR = "{percentage:3.0f}% |{bar}| {n:.1f}/{total} orders"


def tune_configs(arguments: argparse.Namespace) -> int:
    """Time the configs, remember the winners and print them; the exit status."""
    from wavelab.benchmark.tuning import tune_orders

    orders = arguments.orders or tuple(range(1, 10))
    with tqdm(total=len(orders), unit="order", disable=None, bar_format=_BAR, leave=False) as bar:
        outcomes = list(
            tune_orders(
                orders,
                elements=arguments.elements,
                precision=arguments.precision,
                device=arguments.device,
                progress=bar.update,
            )
        )
    if arguments.json:
        print(json.dumps([tuned_row(outcome) for outcome in outcomes]))
        return 0
    case = outcomes[0].case
    print(f"{case.device}, {arguments.precision} precision; speed relative to the untuned kernels")
    print("\n".join([_TABLE.head, *map(_TABLE.line, outcomes)]))
    return 0
