"""``wavelab bench --ranks``: one mesh on several ranks or devices."""

from __future__ import annotations

import argparse

from wavelab.benchmark.ranks import DEFAULT_ELEMENTS, DEFAULT_ORDERS, RankRate, measure_ranks
from wavelab.cli.shared.output import Column, Table, progress, show_all
from wavelab.simulation.steppers.dealing_out import names_several
from wavelab.simulation.steppers.rank_group import RankGroup

_TABLE: Table[RankRate] = Table(
    Column("case", -6, lambda rate: rate.case),
    Column("order", 5, lambda rate: str(rate.order)),
    Column("ranks", 5, lambda rate: str(rate.ranks)),
    Column("elements", 10, lambda rate: f"{rate.elements:,}"),
    Column("border", 7, lambda rate: f"{rate.border:.1%}"),
    Column("sent", 9, lambda rate: f"{rate.sent:,}"),
    Column("us/stage", 9, lambda rate: f"{rate.stage_us:,.1f}"),
    Column("efficiency", 10, lambda rate: f"{rate.efficiency:.0%}"),
    Column("traces go", -16, lambda rate: rate.way),
    Column("exchange us", 11, lambda rate: f"{rate.exchange_us:,.1f}"),
    Column("seen us", 8, lambda rate: f"{rate.seen_us:,.1f}"),
    Column("hidden", 6, lambda rate: "" if rate.hidden is None else f"{rate.hidden:.0%}"),
)


def time_ranks(arguments: argparse.Namespace) -> int:
    """Print each case as it comes, or all as JSON; the exit status."""
    group, several = arguments.group, names_several(arguments.device)
    if group is None:
        group = RankGroup.of_threads(len(arguments.device.split(",")) if several else 1)
    rates = measure_ranks(
        group,
        arguments.orders or DEFAULT_ORDERS,
        elements=arguments.elements or DEFAULT_ELEMENTS,
        precision=arguments.precision,
        device=arguments.device,
        notify=progress,
    )
    try:
        return show_all(rates, arguments.json, _lines, RankRate.row)
    finally:
        if arguments.group is None:
            group.end()


def _lines(rate: RankRate, first: bool) -> str:
    """What a case adds to the table."""
    head = f"{rate.device}, {rate.precision} precision\n{_TABLE.head}\n" if first else ""
    return head + _TABLE.line(rate)
