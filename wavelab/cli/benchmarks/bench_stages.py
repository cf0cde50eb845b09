"""``wavelab bench``: Runge-Kutta stages by order and kernel variant."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from wavelab.benchmark.figure import check_plotting, plot_rates
from wavelab.benchmark.regression import compare, read_baseline
from wavelab.benchmark.stages import StageRate, measure_stages
from wavelab.cli.shared.output import Column, Table, progress, wrote

_TABLE: Table[StageRate] = Table(
    Column("variant", -14, lambda rate: rate.variant),
    Column("order", 5, lambda rate: str(rate.order)),
    Column("us/stage", 10, lambda rate: f"{rate.stage_us:,.1f}"),
    Column("GFLOP/s", 9, lambda rate: f"{rate.gflops:,.1f}"),
    Column("GB/s", 9, lambda rate: f"{rate.gbytes_per_s:,.1f}"),
    Column("of limit", 8, lambda rate: f"{rate.limit_share:.0%}"),
    Column("Munk/s", 11, lambda rate: f"{rate.unknowns_per_s / 1e6:,.1f}"),
)


def time_stages(arguments: argparse.Namespace) -> int:
    """Measure, print, draw and compare; the exit status."""
    if arguments.plot:
        check_plotting(arguments.plot)
    if arguments.check:
        read_baseline(arguments.check)  # what is wrong with it is said before the long measurement
    rates = measure_stages(
        arguments.orders or tuple(range(1, 10)),
        elements=arguments.elements,
        precision=arguments.precision,
        variants=None if arguments.variants in (None, "all") else arguments.variants.split(","),
        device=arguments.device,
        notify=progress,
    )
    print(json.dumps([rate.row() for rate in rates]) if arguments.json else _text(rates))
    if arguments.plot:
        plot_rates(rates, arguments.plot)
        if not arguments.json:
            wrote(arguments.plot)
    if not arguments.check:
        return 0
    slower = [c for c in compare(rates, arguments.check) if not c.ok]
    for c in slower:
        print(
            f"slower: {c.rate.variant}, order {c.rate.order}: "
            f"{c.rate.limit_share:.0%} of the limit, {c.recorded:.0%} before",
            file=sys.stderr,
        )
    return 1 if slower else 0


def _text(rates: Sequence[StageRate]) -> str:
    first = rates[0]
    return "\n".join(
        [
            f"{first.device}, {first.precision} precision, {first.elements:,} elements",
            f"limits: {first.copy_gbytes_per_s:,.1f} GB/s moved, {first.fma_gflops:,.1f} GFLOP/s",
            _TABLE.head,
            *map(_TABLE.line, rates),
        ]
    )
