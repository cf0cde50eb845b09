"""``wavelab verify``: everything that has an exact answer, against that answer."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict

from wavelab.cli.shared.arguments import add_device_options, add_jobs, orders, scene_named
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import Column, Table, shown
from wavelab.errors import SceneError, WavelabError
from wavelab.simulation.verification import CASES, Case, Row, Where, case_of, check

DESCRIPTION = """\
Measure what has an exact answer, in double precision.  Most cases are run on three meshes, each
half as coarse as the one before, and the error must fall as fast as the theory says: as h^(N+1),
with a slope of at least N + 0.7.  Schemes in time are measured by shortening the step.  Where a
single number is to be right, its error must stay below a bound.  The exit status is 1 if anything
fails.

  wavelab verify                       # the quick orders of each case
  wavelab verify --full                # all orders
  wavelab verify --case "open edge" --orders 2-6
  wavelab verify --scene my_scene.toml # a scene of yours with [exact], orders 1 to 6

The error is the L2 norm over all fields at the end time unless the case says otherwise; h is the
edge of the equilateral triangle of the mean element area on the finest mesh, of a scheme in time
the shortest step.
"""
#: Each has a processor to itself for what its device does not do, and memory for a few meshes.
_JOBS = min(8, os.cpu_count() or 1)
_TABLE: Table[Row] = Table(
    Column("case", -18, lambda r: r.case),
    Column("order", 5, lambda r: str(r.order)),
    Column("h", 7, lambda r: f"{r.h:.4f}"),
    Column("error", 8, lambda r: f"{r.error:.2e}"),
    Column("rate", 5, lambda r: "" if r.rate is None else f"{r.rate:.2f}"),
    Column(
        "required", 8, lambda r: f"< {r.required:.0e}" if r.rate is None else f"{r.required:.1f}"
    ),
    Column("verdict", -7, lambda r: "ok" if r.ok else "FAILED"),
)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--case",
        action="append",
        metavar="CASE",
        help=f"may be repeated (default: all of {', '.join(CASES)})",
    )
    parser.add_argument(
        "--scene",
        action="append",
        metavar="SCENE",
        help="a scene with [exact] in place of the cases; may be repeated",
    )
    parser.add_argument(
        "--orders",
        type=orders,
        metavar="N",
        help='like "3", "1-4" or "1,3,5" (default: a few that suit the case)',
    )
    parser.add_argument("--full", action="store_true", help="all orders of every case")
    add_jobs(parser, "cases", _JOBS, "one for each processor, up to 8")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    add_device_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    scenes = [_scene_case(name) for name in arguments.scene or ()]
    named = [_case(name) for name in arguments.case or ()]
    cases = [*named, *scenes] or list(CASES.values())
    where = Where(arguments.backend, arguments.device)
    results = check(
        cases, orders=arguments.orders, full=arguments.full, where=where, jobs=arguments.jobs
    )
    if arguments.json:
        found = list(results)
    else:
        found = shown(results, lambda r, first: (_TABLE.head + "\n") * first + _TABLE.line(r))
    if not found:
        there = sorted({order for case in cases for order in case.orders})
        raise WavelabError(
            "nothing was measured at these orders",
            remedy=f"Of these cases there are orders {', '.join(map(str, there))}.",
        )
    good = sum(result.ok for result in found)
    if arguments.json:
        print(json.dumps([asdict(result) | {"ok": result.ok} for result in found]))
    else:
        print(f"{good} of {len(found)} as they should be")
    return 0 if good == len(found) else 1


def _case(name: str) -> Case:
    if name not in CASES:
        raise WavelabError(f'there is no case "{name}"', remedy=f"There are: {', '.join(CASES)}.")
    return CASES[name]


def _scene_case(name: str) -> Case:
    scene = scene_named(name)
    if scene.exact is None:
        raise SceneError(
            "has no exact solution to compare with",
            where=name,
            remedy="Add an [exact] table with formulas of x, y and t for hx, hy and ez.",
        )
    return case_of(name, scene)


COMMAND = Command("verify", "compare with exact answers", DESCRIPTION, _arguments, _execute)
