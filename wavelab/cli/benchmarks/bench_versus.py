"""``wavelab bench --versus``: another method beside this one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wavelab.cli.shared.output import progress, show_all
from wavelab.cli.shared.output import row as _row

if TYPE_CHECKING:  # pyopencl may be missing where the other commands still run
    from wavelab.benchmark.versus.versus import Entry


#: Seconds of a single run.
LONGEST = 60.0


def compare_methods(arguments: argparse.Namespace) -> int:
    """Print each entry of the contest as it comes, or all as JSON; the exit status."""
    from wavelab.benchmark.versus.versus import compete, contests

    entries: list[Entry] = []

    def text(entry: Entry, first: bool) -> str:
        entries.append(entry)
        return _entry_lines(entries)

    found = compete(
        contests(),
        orders=arguments.orders or tuple(range(1, 10)),
        precision=arguments.precision,
        device=arguments.device,
        longest=arguments.longest or LONGEST,
        notify=progress,
    )
    return show_all(found, arguments.json, text, _entry_row)


def _entry_row(entry: Entry) -> dict[str, Any]:
    row = asdict(entry)
    trial = row.pop("trial")
    measured = ("order", "cells", "unknowns", "steps", "error", "seconds")
    return row | {"met": trial is not None} | {k: trial and trial[k] for k in measured}


_ENTRY_WIDTHS = (-15, 7, 7, -8, 8, 12, 8, 9, 9, 8)


def _entry_lines(entries: Sequence[Entry]) -> str:
    """What the last entry adds to the table."""
    entry, lines = entries[-1], []
    if len(entries) == 1:
        lines.append(f"{entry.device}, {entry.precision} precision")
        lines.append(
            _row(
                _ENTRY_WIDTHS,
                "case", "periods", "target", "method", "cells", "unknowns", "steps", "error",
                "seconds", "of limit",
            )
        )  # fmt: skip
    trial = entry.trial
    what = (entry.case, str(entry.periods), f"{entry.target:.1%}")
    if trial is None:
        lines.append(_row(_ENTRY_WIDTHS, *what, entry.method) + f"  not reached: {entry.reason}")
    else:
        method = entry.method if trial.order is None else f"{entry.method} N={trial.order}"
        lines.append(
            _row(
                _ENTRY_WIDTHS,
                *what,
                method,
                f"{trial.cells:,}",
                f"{trial.unknowns:,}",
                f"{trial.steps:,}",
                f"{trial.error:.2e}",
                f"{trial.seconds:.3g}",
                f"{entry.limit_share:.0%}",
            )
        )
    if len(entries) % 2 == 0:
        lines.append(_verdict(*entries[-2:]))
    return "\n".join(lines)


def _verdict(one: Entry, other: Entry) -> str:
    ran = [(entry.trial, entry.method) for entry in (one, other) if entry.trial is not None]
    if len(ran) < 2:
        return f"  only {ran[0][1]} got there" if ran else "  neither got there"
    (fast, faster), (slow, slower) = sorted(ran, key=lambda pair: pair[0].seconds)
    return (
        f"  {faster} is {slow.seconds / fast.seconds:.3g} times faster; "
        f"{slower} has {slow.unknowns / fast.unknowns:.3g} times as many unknowns"
    )
