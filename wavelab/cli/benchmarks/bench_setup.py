"""``wavelab bench --setup``: from a mesh file to the first step."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import show_all

if TYPE_CHECKING:  # pyopencl may be missing where the other commands still run
    from wavelab.benchmark.setup import Setup


def time_setup(arguments: argparse.Namespace) -> int:
    """Measure, and print lines or JSON."""
    from wavelab.benchmark.setup import DEFAULT_ORDER, measure_setup

    results = (
        measure_setup(
            arguments.setup, order=order, precision=arguments.precision, device=arguments.device
        )
        for order in arguments.orders or (DEFAULT_ORDER,)
    )
    return show_all(results, arguments.json, _text)


def _text(result: Setup, first: bool) -> str:
    lines = [
        f"{result.device}, {result.precision} precision, {result.elements:,} elements of "
        f"order {result.order}"
    ]
    seconds = result.seconds | {
        "from mesh to first step": result.total_s,
        "from mesh file to first step": result.from_file_s,
    }
    lines += [f"  {what:34} {took:8.3f} s" for what, took in seconds.items()]
    if result.peak_mib is not None and result.before_mib is not None:
        lines.append(
            f"  {'peak memory':34} {result.peak_mib:8,.0f} MiB, {result.before_mib:,.0f} before"
        )
    return "\n".join(lines)
