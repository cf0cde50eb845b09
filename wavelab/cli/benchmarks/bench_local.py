"""``wavelab bench --local``: local time stepping beside global steps."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import row

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.benchmark.local_steps import LocalGain

_WIDTHS = (-5, 5, 9, 8, 13, 9, 11, 10, 6)


def compare_local_steps(arguments: argparse.Namespace, notify: Callable[[str], None]) -> int:
    """Measure, and print a table or JSON."""
    from wavelab.benchmark.local_steps import measure_local_steps

    found: list[LocalGain] = []
    for gain in measure_local_steps(
        arguments.orders or (1, 2, 3, 4),
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=notify,
    ):
        if not arguments.json:
            if not found:
                print(f"{gain.device}, {gain.precision} precision")
                print(
                    row(
                        _WIDTHS,
                        "mesh", "order", "elements", "clusters", "fewer updates", "less work",
                        "global ms/t", "local ms/t", "faster",
                    )
                )  # fmt: skip
            print(_line(gain), flush=True)
        found.append(gain)
    if arguments.json:
        print(json.dumps([asdict(gain) for gain in found]))
    return 0


def _line(gain: LocalGain) -> str:
    return row(
        _WIDTHS,
        gain.mesh,
        str(gain.order),
        f"{gain.elements:,}",
        str(len(gain.clusters)),
        f"{gain.fewer_updates:.1f}",
        f"{gain.less_work:.2f}",
        f"{1e3 * gain.global_seconds:,.0f}",
        f"{1e3 * gain.local_seconds:,.0f}",
        f"{gain.global_seconds / gain.local_seconds:.2f}",
    )
