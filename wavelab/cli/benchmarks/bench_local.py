"""``wavelab bench --local``: local time stepping beside global steps."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import Column, Table, progress, show_all

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.benchmark.local_steps import LocalGain

_TABLE: Table[LocalGain] = Table(
    Column("mesh", -5, lambda gain: gain.mesh),
    Column("order", 5, lambda gain: str(gain.order)),
    Column("elements", 9, lambda gain: f"{gain.elements:,}"),
    Column("clusters", 8, lambda gain: str(len(gain.clusters))),
    Column("fewer updates", 13, lambda gain: f"{gain.fewer_updates:.1f}"),
    Column("less work", 9, lambda gain: f"{gain.less_work:.2f}"),
    Column("global ms/t", 11, lambda gain: f"{1e3 * gain.global_seconds:,.0f}"),
    Column("local ms/t", 10, lambda gain: f"{1e3 * gain.local_seconds:,.0f}"),
    Column("faster", 6, lambda gain: f"{gain.global_seconds / gain.local_seconds:.2f}"),
)


def compare_local_steps(arguments: argparse.Namespace) -> int:
    """Measure, and print a table or JSON."""
    from wavelab.benchmark.local_steps import measure_local_steps

    def text(gain: LocalGain, first: bool) -> str:
        head = f"{gain.device}, {gain.precision} precision\n{_TABLE.head}\n" if first else ""
        return head + _TABLE.line(gain)

    gains = measure_local_steps(
        arguments.orders or (1, 2, 3, 4),
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=progress,
    )
    return show_all(gains, arguments.json, text)
