"""What ``wavelab bench`` can measure beside the stages, and how that is told.

Needs pyopencl: :mod:`wavelab.cli.benchmarks.bench` imports it once it is asked to measure.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

from tqdm import tqdm

from wavelab.benchmark import frames, setup
from wavelab.benchmark.frames import FrameCost, measure_frames
from wavelab.benchmark.live import LiveChange, measure_live
from wavelab.benchmark.local_steps import LocalGain, measure_local_steps
from wavelab.benchmark.setup import Setup, measure_setup
from wavelab.benchmark.steppers import SchemeCost, measure_schemes
from wavelab.benchmark.tuning import tune_orders
from wavelab.cli.benchmarks.bench_ranks import time_ranks
from wavelab.cli.benchmarks.bench_stages import time_stages
from wavelab.cli.benchmarks.bench_versus import compare_methods
from wavelab.cli.shared.arguments import scene_named
from wavelab.cli.shared.output import Column, Table, progress, show_all, shown, tuned_row
from wavelab.opencl.tuning.tuner import Outcome
from wavelab.scene.shelf import shipped_scenes

_OUTCOMES: Table[Outcome] = Table(
    Column("order", 5, lambda o: str(o.case.order)),
    Column("size", -5, lambda o: o.case.size),
    Column("configs", 6, lambda o: str(o.n_timed)),
    Column("seconds", 7, lambda o: f"{o.seconds:.1f}"),
    Column("speed", 6, lambda o: f"{o.gain:.2f}"),
    Column("fastest", -1, lambda o: ", ".join(f"{k} {v}" for k, v in asdict(o.config).items())),
)
_BAR = "{percentage:3.0f}% |{bar}| {n:.1f}/{total} orders"
_COSTS: Table[SchemeCost] = Table(
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
_GAINS: Table[LocalGain] = Table(
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

_CHANGES: Table[LiveChange] = Table(
    Column("change", -12, lambda c: c.kind),
    Column("scenes", 6, lambda c: str(c.scenes)),
    Column("median ms", 9, lambda c: f"{c.median_ms:.1f}"),
    Column("worst ms", 9, lambda c: f"{c.worst_ms:.1f}"),
    Column("a second", 9, lambda c: f"{1e3 / c.median_ms:.1f}"),
    Column("in", -1, lambda c: c.worst_in),
)


def tune_configs(arguments: argparse.Namespace) -> int:
    """``--tune``: time the configs of the kernels and remember the fastest for each order."""
    orders = arguments.orders or tuple(range(1, 10))
    with tqdm(total=len(orders), unit="order", disable=None, bar_format=_BAR, leave=False) as bar:
        outcomes = list(
            tune_orders(
                orders,
                elements=arguments.elements,
                precision=arguments.precision,
                device=arguments.device,
                progress=bar.update,
            )
        )
    if arguments.json:
        print(json.dumps([tuned_row(outcome) for outcome in outcomes]))
        return 0
    case = outcomes[0].case
    print(f"{case.device}, {arguments.precision} precision; speed relative to the untuned kernels")
    print("\n".join([_OUTCOMES.head, *map(_OUTCOMES.line, outcomes)]))
    return 0


def compare_schemes(arguments: argparse.Namespace) -> int:
    """``--steppers``: ways to step side by side."""
    costs = measure_schemes(
        arguments.orders or tuple(range(1, 9)),
        upwinding=1.0 if arguments.upwinding is None else arguments.upwinding,
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=progress,
    )
    if arguments.json:
        print(json.dumps([asdict(cost) for of_mesh in costs for cost in of_mesh]))
    else:
        shown(costs, _cost_lines)
    return 0


def _cost_lines(costs: Sequence[SchemeCost], first: bool) -> str:
    """All schemes on one mesh; the cheapest is marked."""
    c = costs[0]
    above = f"{c.device}, {c.precision} precision, upwinding {c.upwinding:g}"
    cheapest = min(costs, key=lambda c: c.cost)
    lines = [_COSTS.line(c) + (" *" if c is cheapest else "") for c in costs]
    return "\n".join([above, _COSTS.head, *lines] if first else lines)


def compare_local_steps(arguments: argparse.Namespace) -> int:
    """``--local``: local time stepping beside global steps."""
    gains = measure_local_steps(
        arguments.orders or (1, 2, 3, 4),
        elements=arguments.elements,
        precision=arguments.precision,
        device=arguments.device,
        notify=progress,
    )
    return show_all(gains, arguments.json, _gain_lines)


def _gain_lines(gain: LocalGain, first: bool) -> str:
    head = f"{gain.device}, {gain.precision} precision\n{_GAINS.head}\n" if first else ""
    return head + _GAINS.line(gain)


def time_setup(arguments: argparse.Namespace) -> int:
    """``--setup``: from a mesh file to the first step."""
    results = (
        measure_setup(
            arguments.setup, order=order, precision=arguments.precision, device=arguments.device
        )
        for order in arguments.orders or (setup.DEFAULT_ORDER,)
    )
    return show_all(results, arguments.json, _setup_lines)


def _setup_lines(result: Setup, first: bool) -> str:
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


def time_frames(arguments: argparse.Namespace) -> int:
    """``--frames``: the solver's loop with somebody who asks for frames."""
    results = (
        measure_frames(
            arguments.frames,
            elements=arguments.elements or frames.DEFAULT_ELEMENTS,
            order=order,
            precision=arguments.precision,
            device=arguments.device,
        )
        for order in arguments.orders or (frames.DEFAULT_ORDER,)
    )
    return show_all(results, arguments.json, _frame_lines)


def _frame_lines(r: FrameCost, first: bool) -> str:
    return (
        f"{r.device}, {r.precision} precision, {r.elements:,} elements of order {r.order}\n"
        f"  alone                {r.steps_alone_per_s:10,.0f} steps/s\n"
        f"  with {r.frames_per_s:5.1f} frames/s  {r.steps_with_frames_per_s:10,.0f} steps/s, "
        f"{r.kept:.1%} of the rate alone"
    )


def time_changes(arguments: argparse.Namespace) -> int:
    """``--live``: numbers that are changed while a wave runs."""
    names = arguments.live or shipped_scenes()
    scenes = {name: scene_named(name) for name in names}
    changes = measure_live(scenes, device=arguments.device, notify=progress)
    if arguments.json:
        print(json.dumps([asdict(change) for change in changes]))
    else:
        print("\n".join([_CHANGES.head, *map(_CHANGES.line, changes)]))
    return 0


#: By the option that asks for it; "" is what is measured without any.
MEASUREMENTS: dict[str, Callable[[argparse.Namespace], int]] = {
    "": time_stages,
    "tune": tune_configs,
    "steppers": compare_schemes,
    "local": compare_local_steps,
    "setup": time_setup,
    "frames": time_frames,
    "live": time_changes,
    "ranks": time_ranks,
    "versus": compare_methods,
}
