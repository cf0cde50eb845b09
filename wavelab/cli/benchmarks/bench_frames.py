"""``wavelab bench --frames``: the solver's loop with somebody who asks for frames."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from wavelab.cli.shared.output import show_all

if TYPE_CHECKING:  # pyopencl may be missing where the other commands still run
    from wavelab.benchmark.frames import FrameCost


def time_frames(arguments: argparse.Namespace) -> int:
    """Measure, and print lines or JSON."""
    from wavelab.benchmark.frames import DEFAULT_ELEMENTS, DEFAULT_ORDER, measure_frames

    results = (
        measure_frames(
            arguments.frames,
            elements=arguments.elements or DEFAULT_ELEMENTS,
            order=order,
            precision=arguments.precision,
            device=arguments.device,
        )
        for order in arguments.orders or (DEFAULT_ORDER,)
    )
    return show_all(results, arguments.json, _text)


def _text(r: FrameCost, first: bool) -> str:
    return (
        f"{r.device}, {r.precision} precision, {r.elements:,} elements of order {r.order}\n"
        f"  alone                {r.steps_alone_per_s:10,.0f} steps/s\n"
        f"  with {r.frames_per_s:5.1f} frames/s  {r.steps_with_frames_per_s:10,.0f} steps/s, "
        f"{r.kept:.1%} of the rate alone"
    )
