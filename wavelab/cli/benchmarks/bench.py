"""``wavelab bench``: how fast this machine is, and how close to what it could be."""

from __future__ import annotations

import argparse

from wavelab.cli.shared.arguments import (
    add_device,
    add_file,
    element_count,
    fraction,
    orders,
    positive,
)
from wavelab.cli.shared.command import Command
from wavelab.errors import DeviceError, WavelabError

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

With --live, scenes run as in the window (all that are shipped, unless some are named), and numbers
of them are changed, and an obstacle is moved: how long it takes until a frame shows that.

  wavelab bench --live
  wavelab bench --live welcome double_slit

With --ranks, a mesh is shared by the processes that mpiexec starts, or by several devices: how
long a stage takes beside one alone, on the same mesh (strong) and on one as many times larger
(weak), how long the exchange of traces takes by itself, and how much of that is seen.

  mpiexec -n 4 wavelab bench --ranks --elements 100000
  wavelab bench --ranks --device 0,1

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
    add_device(parser)
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
    add_file(stages, "--plot", "draw GFLOP/s over N (.png, .svg, .pdf)")
    add_file(stages, "--check", "compare with what --json printed before")
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
    live = parser.add_argument_group("changes while a wave runs")
    live.add_argument(
        "--live",
        nargs="*",
        metavar="SCENE",
        help="time them in these scenes (default: all that are shipped)",
    )
    ranks = parser.add_argument_group("several ranks")
    ranks.add_argument(
        "--ranks",
        action="store_true",
        help="measure them (10,000 elements a rank of order 4 unless --elements and --orders are "
        "given)",
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


#: Options that each ask for a measurement of its own; without any, the stages are measured.
_MEASUREMENTS = ("tune", "steppers", "local", "setup", "frames", "live", "ranks", "versus")
#: Options that not every measurement has, and those that have them; "" is that of the stages.
_TAKEN_BY = {
    "elements": ("", "tune", "steppers", "local", "frames", "ranks"),
    "variants": ("",),
    "plot": ("",),
    "check": ("",),
    "upwinding": ("steppers",),
    "longest": ("versus",),
}


def _execute(arguments: argparse.Namespace) -> int:
    wished = _wished(arguments)
    if arguments.group is not None and wished != "ranks":
        raise WavelabError(
            f"wavelab bench {f'--{wished} ' if wished else ''}runs as one process",
            remedy="Start it without mpiexec, or ask for --ranks.",
        )
    if arguments.longest is None:
        arguments.longest = _LONGEST
    try:
        from wavelab.cli.benchmarks.measurements import MEASUREMENTS
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}", remedy="Install pyopencl[pocl]."
        ) from error
    return MEASUREMENTS[wished](arguments)


def _wished(arguments: argparse.Namespace) -> str:
    """The option of the measurement that is asked for; "" for the stages.

    Raises
    ------
    WavelabError : two measurements at once, or an option that the measurement would ignore.
    """
    asked = [k for k in _MEASUREMENTS if getattr(arguments, k) not in (None, False)]
    wished, *others = asked or [""]
    if others:
        raise WavelabError(
            f"{' and '.join(f'--{key}' for key in (wished, *others))} are separate measurements",
            remedy="Ask for one at a time.",
        )
    for option, measurements in _TAKEN_BY.items():
        if getattr(arguments, option) is not None and wished not in measurements:
            beside = f"beside --{wished}" if wished else f"without --{measurements[0]}"
            raise WavelabError(f"--{option} has no effect {beside}", remedy="Leave it out.")
    return wished


COMMAND = Command(
    "bench",
    "measure speed against the limits of the device",
    DESCRIPTION,
    _arguments,
    _execute,
    on_ranks=True,
)
