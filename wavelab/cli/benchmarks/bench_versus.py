"""``wavelab bench --versus``: another method beside this one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from wavelab.benchmark.versus import versus
from wavelab.benchmark.versus.versus import Entry
from wavelab.cli.shared.output import Column, Table, progress, show_all


def _measured(name: str, form: str) -> Callable[[Entry], str]:
    """A number of the run, if there was one."""
    return lambda entry: "" if entry.trial is None else format(getattr(entry.trial, name), form)


def _method(entry: Entry) -> str:
    order = entry.trial.order if entry.trial is not None else None
    return entry.method if order is None else f"{entry.method} N={order}"


_TABLE: Table[Entry] = Table(
    Column("case", -15, lambda entry: entry.case),
    Column("periods", 7, lambda entry: str(entry.periods)),
    Column("target", 7, lambda entry: f"{entry.target:.1%}"),
    Column("method", -8, _method),
    Column("cells", 8, _measured("cells", ",")),
    Column("unknowns", 12, _measured("unknowns", ",")),
    Column("steps", 8, _measured("steps", ",")),
    Column("error", 9, _measured("error", ".2e")),
    Column("seconds", 9, _measured("seconds", ".3g")),
    Column("of limit", 8, lambda e: "" if e.limit_share is None else f"{e.limit_share:.0%}"),
)


def compare_methods(arguments: argparse.Namespace) -> int:
    """Print each entry of the contest as it comes, or all as JSON; the exit status."""
    entries: list[Entry] = []

    def text(entry: Entry, first: bool) -> str:
        """What the entry adds to the table."""
        entries.append(entry)
        lines = [f"{entry.device}, {entry.precision} precision", _TABLE.head] if first else []
        reason = f"  not reached: {entry.reason}" if entry.trial is None else ""
        lines.append(_TABLE.line(entry) + reason)
        if len(entries) % 2 == 0:
            lines.append(_verdict(*entries[-2:]))
        return "\n".join(lines)

    found = versus.compete(
        versus.contests(),
        orders=arguments.orders or tuple(range(1, 10)),
        precision=arguments.precision,
        device=arguments.device,
        longest=arguments.longest,
        notify=progress,
    )
    return show_all(found, arguments.json, text, _entry_row)


def _entry_row(entry: Entry) -> dict[str, Any]:
    row = asdict(entry)
    trial = row.pop("trial")
    measured = ("order", "cells", "unknowns", "steps", "error", "seconds")
    return row | {"met": trial is not None} | {k: trial and trial[k] for k in measured}


def _verdict(one: Entry, other: Entry) -> str:
    ran = [(entry.trial, entry.method) for entry in (one, other) if entry.trial is not None]
    if len(ran) < 2:
        return f"  only {ran[0][1]} got there" if ran else "  neither got there"
    (fast, faster), (slow, slower) = sorted(ran, key=lambda pair: pair[0].seconds)
    return (
        f"  {faster} is {slow.seconds / fast.seconds:.3g} times faster; "
        f"{slower} has {slow.unknowns / fast.unknowns:.3g} times as many unknowns"
    )
