"""``wavelab bench``: how fast this machine is, and how close to what it could be."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from wavelab.cli.benchmarks.bench_local import compare_local_steps
from wavelab.cli.benchmarks.bench_steppers import compare_schemes
from wavelab.cli.benchmarks.bench_tune import tune_configs
from wavelab.cli.benchmarks.bench_versus import compare_methods
from wavelab.cli.shared.arguments import element_count, fraction, orders, positive
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import progress, wrote
from wavelab.cli.shared.output import row as _row
from wavelab.errors import DeviceError, WavelabError

if TYPE_CHECKING:  # pyopencl may be missing where the other commands still run
    from wavelab.benchmark.stages import StageRate

DESCRIPTION = """\
Time whole steps of the stepper and compare them with the limits of the device: how fast it copies
memory, and how fast it multiplies and adds, both measured in the same run.  Flops and bytes are
those of the unavoidable work, the same for every variant, so 100 % cannot be had for nothing.

  wavelab bench --orders 1-9 --plot bench.png
  wavelab bench --json > baseline.json      # and later, on the same device:
  wavelab bench --check baseline.json       # status 1 if a share of the limit fell below 80 %
                                            # of what it was

Kernels come in configs, of which the fastest is found by timing.  --tune does that for all orders
asked for, and every later run here takes what was found.  (The window does it by itself,
behind the running wave, for the kind of run that is shown.)

  wavelab bench --tune --orders 1-9

With --steppers, the Runge-Kutta schemes are compared: the largest stable step of each, right-hand
sides and wall time per unit of simulated time, the error after ten periods against that of the
elements alone, and the cost at equal error, relative to Carpenter and Kennedy's scheme.

  wavelab bench --steppers --orders 1-8

With --local, local time stepping runs beside global steps, on an even mesh and on one of which 1 %
of the elements are 20 times smaller.

  wavelab bench --local --orders 1-4

With --setup, what comes before the first step is timed: from a mesh file to fields on the device.

  wavelab bench --setup 100000

With --frames, the solver's loop runs by turns alone and with somebody who asks for so many frames a
second, and the step rates are compared.

  wavelab bench --frames 60

With --versus fdtd, second-order finite differences (Yee) run beside it: on a square and on a round
cavity each method looks for the grid on which it is fastest at an error of 1 % and of 0.1 %.
"""


#: Seconds of a single run beside another method.
_LONGEST = 60.0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--orders",
        type=orders,
        metavar="N",
        help='like "3", "1-4" or "1,3,5" (default: 1-9)',
    )
    parser.add_argument(
        "--precision", choices=("single", "double"), default="single", help="(default: single)"
    )
    parser.add_argument(
        "--device",
        metavar="D",
        help="number or part of the name of an OpenCL device (see: wavelab devices)",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    stages = parser.add_argument_group("stages")
    stages.add_argument(
        "--elements",
        type=element_count,
        metavar="K",
        help="about how many (default: 320,000 on a GPU, 10,000 on a CPU)",
    )
    stages.add_argument(
        "--variants",
        "--designs",
        metavar="NAMES",
        help='of the kernels, "all" or "A,B" (default: all)',
    )
    stages.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw GFLOP/s over N (.png, .svg, .pdf)"
    )
    stages.add_argument(
        "--check", type=Path, metavar="FILE", help="compare with what --json printed before"
    )
    stages.add_argument(
        "--tune",
        action="store_true",
        help="time the configs that the kernels can take, and remember the fastest for all runs",
    )
    steppers = parser.add_argument_group("Runge-Kutta schemes")
    steppers.add_argument(
        "--steppers",
        action="store_true",
        help="compare them (orders 1 to 8 unless --orders are given)",
    )
    steppers.add_argument(
        "--upwinding",
        type=fraction,
        metavar="A",
        help="of the flux that they are compared with, 0 to 1 (default: 1)",
    )
    local = parser.add_argument_group("local time stepping")
    local.add_argument(
        "--local", action="store_true", help="measure it (orders 1 to 4 unless --orders are given)"
    )
    setup = parser.add_argument_group("set-up")
    setup.add_argument(
        "--setup",
        type=element_count,
        metavar="K",
        help="from a mesh file of about so many elements to the first step (order 4 unless "
        "--orders are given)",
    )
    frames = parser.add_argument_group("frames")
    frames.add_argument(
        "--frames",
        type=positive,
        metavar="F",
        help="frames a second to ask for (10,000 elements of order 4 unless --elements and "
        "--orders are given)",
    )
    versus = parser.add_argument_group("another method")
    versus.add_argument("--versus", choices=("fdtd",), help="run it beside discontinuous Galerkin")
    versus.add_argument(
        "--longest",
        type=positive,
        metavar="S",
        help="seconds a single run may take; what needs more counts as not reached "
        f"(default: {_LONGEST:g})",
    )


#: Options that each measure something else than the stages.
_MEASUREMENTS = ("tune", "steppers", "local", "setup", "frames", "versus")
#: Options that not every measurement has, and those that have them; "" is that of the stages.
_TAKEN_BY = {
    "elements": ("", "tune", "steppers", "local", "frames"),
    "variants": ("",),
    "plot": ("",),
    "check": ("",),
    "upwinding": ("steppers",),
    "longest": ("versus",),
}


def _execute(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    try:
        import wavelab.opencl.device.device  # noqa: F401
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}", remedy="Install pyopencl[pocl]."
        ) from error
    if arguments.setup:
        return _setup(arguments)
    if arguments.frames:
        return _frames(arguments)
    if arguments.steppers:
        return compare_schemes(
            arguments, 1.0 if arguments.upwinding is None else arguments.upwinding, progress
        )
    if arguments.local:
        return compare_local_steps(arguments, progress)
    arguments.orders = arguments.orders or tuple(range(1, 10))
    if arguments.tune:
        return tune_configs(arguments)
    if arguments.versus:
        return compare_methods(arguments, arguments.longest or _LONGEST, progress)
    return _stages(arguments)


def _check_options(arguments: argparse.Namespace) -> None:
    """
    Raises
    ------
    WavelabError : two measurements at once, or an option that the measurement would ignore.
    """
    wished = [key for key in _MEASUREMENTS if getattr(arguments, key)] or [""]
    if len(wished) > 1:
        raise WavelabError(
            f"{' and '.join(f'--{key}' for key in wished)} are separate measurements",
            remedy="Ask for one at a time.",
        )
    for option, measurements in _TAKEN_BY.items():
        if getattr(arguments, option) is not None and wished[0] not in measurements:
            beside = f"beside --{wished[0]}" if wished[0] else f"without --{measurements[0]}"
            raise WavelabError(f"--{option} has no effect {beside}", remedy="Leave it out.")


def _stages(arguments: argparse.Namespace) -> int:
    from wavelab.benchmark.figure import check_plotting, plot_rates
    from wavelab.benchmark.regression import compare, read_baseline
    from wavelab.benchmark.stages import measure_stages

    if arguments.plot:
        check_plotting(arguments.plot)
    if arguments.check:
        read_baseline(arguments.check)  # what is wrong with it is said before the long measurement
    rates = measure_stages(
        arguments.orders,
        elements=arguments.elements,
        precision=arguments.precision,
        variants=None if arguments.variants in (None, "all") else arguments.variants.split(","),
        device=arguments.device,
        notify=progress,
    )
    print(json.dumps([rate.row() for rate in rates]) if arguments.json else _stage_table(rates))
    if arguments.plot:
        plot_rates(rates, arguments.plot)
        if not arguments.json:
            wrote(arguments.plot)
    if not arguments.check:
        return 0
    slower = [c for c in compare(rates, arguments.check) if not c.ok]
    for c in slower:
        print(
            f"slower: {c.rate.variant}, order {c.rate.order}: "
            f"{c.rate.limit_share:.0%} of the limit, {c.recorded:.0%} before",
            file=sys.stderr,
        )
    return 1 if slower else 0


_STAGE_WIDTHS = (-14, 5, 10, 9, 9, 8, 11)


def _stage_table(rates: Sequence[StageRate]) -> str:
    first = rates[0]
    lines = [
        f"{first.device}, {first.precision} precision, {first.elements:,} elements",
        f"limits: {first.copy_gbytes_per_s:,.1f} GB/s moved, {first.fma_gflops:,.1f} GFLOP/s",
        _row(
            _STAGE_WIDTHS, "variant", "order", "us/stage", "GFLOP/s", "GB/s", "of limit", "Munk/s"
        ),
    ]
    for rate in rates:
        lines.append(
            _row(
                _STAGE_WIDTHS,
                rate.variant,
                str(rate.order),
                f"{rate.stage_us:,.1f}",
                f"{rate.gflops:,.1f}",
                f"{rate.gbytes_per_s:,.1f}",
                f"{rate.limit_share:.0%}",
                f"{rate.unknowns_per_s / 1e6:,.1f}",
            )
        )
    return "\n".join(lines)


def _setup(arguments: argparse.Namespace) -> int:
    from wavelab.benchmark.setup import DEFAULT_ORDER, measure_setup

    results = [
        measure_setup(
            arguments.setup, order=order, precision=arguments.precision, device=arguments.device
        )
        for order in arguments.orders or (DEFAULT_ORDER,)
    ]
    if arguments.json:
        print(json.dumps([asdict(result) for result in results]))
        return 0
    for result in results:
        print(
            f"{result.device}, {result.precision} precision, {result.elements:,} elements of "
            f"order {result.order}"
        )
        for what, seconds in result.seconds.items():
            print(f"  {what:34} {seconds:8.3f} s")
        print(f"  {'from mesh to first step':34} {result.total_s:8.3f} s")
        print(f"  {'from mesh file to first step':34} {result.from_file_s:8.3f} s")
        if result.peak_mib is not None and result.before_mib is not None:
            print(
                f"  {'peak memory':34} {result.peak_mib:8,.0f} MiB, {result.before_mib:,.0f} before"
            )
    return 0


def _frames(arguments: argparse.Namespace) -> int:
    from wavelab.benchmark.frames import DEFAULT_ELEMENTS, DEFAULT_ORDER, measure_frames

    results = [
        measure_frames(
            arguments.frames,
            elements=arguments.elements or DEFAULT_ELEMENTS,
            order=order,
            precision=arguments.precision,
            device=arguments.device,
        )
        for order in arguments.orders or (DEFAULT_ORDER,)
    ]
    if arguments.json:
        print(json.dumps([asdict(result) for result in results]))
        return 0
    for r in results:
        print(
            f"{r.device}, {r.precision} precision, {r.elements:,} elements of order {r.order}\n"
            f"  alone                {r.steps_alone_per_s:10,.0f} steps/s\n"
            f"  with {r.frames_per_s:5.1f} frames/s  {r.steps_with_frames_per_s:10,.0f} steps/s, "
            f"{r.kept:.1%} of the rate alone"
        )
    return 0


COMMAND = Command(
    "bench", "measure speed against the limits of the device", DESCRIPTION, _arguments, _execute
)
