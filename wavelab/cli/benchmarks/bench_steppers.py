"""``wavelab bench --steppers``: ways to step side by side."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import row

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.benchmark.steppers import SchemeCost

_COST_WIDTHS = (5, 9, -7, 6, 10, 10, 10, 9, 9, 6)


def compare_schemes(
    arguments: argparse.Namespace, upwinding: float, notify: Callable[[str], None]
) -> int:
    """Measure, and print a table or JSON."""
    from wavelab.benchmark.steppers import measure_schemes

    found: list[SchemeCost] = []
    for costs in measure_schemes(
        arguments.orders or tuple(range(1, 9)),
        upwinding=upwinding,
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=notify,
    ):
        if not arguments.json:
            print(_cost_lines(costs, first=not found), flush=True)
        found += costs
    if arguments.json:
        print(json.dumps([asdict(cost) for cost in found]))
    return 0


def _cost_lines(costs: Sequence[SchemeCost], first: bool) -> str:
    """All schemes on one mesh; the cheapest is marked."""
    lines = []
    if first:
        c = costs[0]
        lines.append(f"{c.device}, {c.precision} precision, upwinding {c.upwinding:g}")
        lines.append(
            row(
                _COST_WIDTHS,
                "order", "elements", "scheme", "stages", "step", "stages/t", "ms/t", "error",
                "of space", "cost",
            )
        )  # fmt: skip
    cheapest = min(costs, key=lambda c: c.cost)
    for c in costs:
        line = row(
            _COST_WIDTHS,
            str(c.order),
            f"{c.elements:,}",
            c.stepper,
            f"{c.n_stages:.3g}",
            f"{c.stable_step:.3e}",
            f"{c.stages_per_time:,.0f}",
            f"{1e3 * c.seconds_per_time:,.1f}",
            f"{c.error:.2e}",
            f"{c.error / c.space_error:.2f}",
            f"{c.cost:.2f}",
        )
        lines.append(line + (" *" if c is cheapest else ""))
    return "\n".join(lines)
