"""``wavelab bench --steppers``: ways to step side by side."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import Column, Table, progress

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.benchmark.steppers import SchemeCost

_TABLE: Table[SchemeCost] = Table(
    Column("order", 5, lambda c: str(c.order)),
    Column("elements", 9, lambda c: f"{c.elements:,}"),
    Column("scheme", -7, lambda c: c.stepper),
    Column("stages", 6, lambda c: f"{c.n_stages:.3g}"),
    Column("step", 10, lambda c: f"{c.stable_step:.3e}"),
    Column("stages/t", 10, lambda c: f"{c.stages_per_time:,.0f}"),
    Column("ms/t", 10, lambda c: f"{1e3 * c.seconds_per_time:,.1f}"),
    Column("error", 9, lambda c: f"{c.error:.2e}"),
    Column("of space", 9, lambda c: f"{c.error / c.space_error:.2f}"),
    Column("cost", 6, lambda c: f"{c.cost:.2f}"),
)


def compare_schemes(arguments: argparse.Namespace) -> int:
    """Measure, and print a table or JSON."""
    from wavelab.benchmark.steppers import measure_schemes

    costs = measure_schemes(
        arguments.orders or tuple(range(1, 9)),
        upwinding=1.0 if arguments.upwinding is None else arguments.upwinding,
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=progress,
    )
    found: list[SchemeCost] = []
    for of_mesh in costs:
        if not arguments.json:
            print(_lines(of_mesh, first=not found), flush=True)
        found += of_mesh
    if arguments.json:
        print(json.dumps([asdict(cost) for cost in found]))
    return 0


def _lines(costs: Sequence[SchemeCost], first: bool) -> str:
    """All schemes on one mesh; the cheapest is marked."""
    c = costs[0]
    above = f"{c.device}, {c.precision} precision, upwinding {c.upwinding:g}"
    cheapest = min(costs, key=lambda c: c.cost)
    lines = [_TABLE.line(c) + (" *" if c is cheapest else "") for c in costs]
    return "\n".join([above, _TABLE.head, *lines] if first else lines)
