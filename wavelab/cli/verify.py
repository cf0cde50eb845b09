"""``wavelab verify``: measured rates of convergence."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from wavelab.cli.arguments import add_device_options, orders, scene_path
from wavelab.cli.command import Command
from wavelab.errors import SceneError
from wavelab.scene.scene import Scene
from wavelab.scene.toml_io import load_scene
from wavelab.simulation.verification import ORDERS, SCENES, Convergence, verify

DESCRIPTION = """\
Run scenes with exact solutions on three meshes, each half as coarse as the one before, in double
precision, and check that the error falls as fast as the theory says: as h^(N+1).

The error is the L2 norm over all fields at the end time; h is the edge of the equilateral triangle
of the mean element area.  The rate over the three meshes must be at least N + 0.7, or the exit
status is 1.
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scene",
        action="append",
        metavar="SCENE",
        help=f"a scene with [exact]; may be repeated (default: {', '.join(SCENES)})",
    )
    parser.add_argument(
        "--orders",
        type=orders,
        default=ORDERS,
        metavar="N",
        help='like "3", "1-4" or "1,3,5" (default: 1-6)',
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    add_device_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    scenes = [(name, _exact_scene(name)) for name in arguments.scene or SCENES]
    results: list[Convergence] = []
    if not arguments.json:
        print(_row("case", "order", "elements", "h", "error", "rate", "slope", "needed", ""))
    for result in verify(
        scenes, arguments.orders, backend=arguments.backend, device=arguments.device
    ):
        results.append(result)
        if not arguments.json:
            print(_lines(result), flush=True)
    failed = [result for result in results if not result.ok]
    if arguments.json:
        print(json.dumps([asdict(result) | {"ok": result.ok} for result in results]))
    else:
        print(f"{len(results) - len(failed)} of {len(results)} converge as they should")
    return 1 if failed else 0


def _exact_scene(name: str) -> Scene:
    scene = load_scene(scene_path(name))
    if scene.exact is None:
        raise SceneError(
            "has no exact solution to compare with",
            where=name,
            remedy="Add an [exact] table with formulas of x, y and t for hx, hy and ez.",
        )
    return scene


def _lines(result: Convergence) -> str:
    lines = []
    for run in result.measurements:
        last = run is result.measurements[-1]
        lines.append(
            _row(
                result.scene,
                str(result.order),
                str(run.elements),
                f"{run.h:.4f}",
                f"{run.error:.3e}",
                "" if run.rate is None else f"{run.rate:.2f}",
                f"{result.rate:.2f}" if last else "",
                f"{result.required:.1f}" if last else "",
                ("ok" if result.ok else "FAILED") if last else "",
            )
        )
    return "\n".join(lines)


def _row(*cells: str) -> str:
    widths = (-16, 5, 8, 8, 10, 6, 6, 7, -6)
    return "  ".join(
        f"{c:<{-w}}" if w < 0 else f"{c:>{w}}" for c, w in zip(cells, widths, strict=True)
    ).rstrip()


COMMAND = Command("verify", "measure rates of convergence", DESCRIPTION, _arguments, _execute)
