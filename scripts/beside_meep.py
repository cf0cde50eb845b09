"""Wavelab and Meep on the same problems, one thread each: processor time against error.

    python -m scripts.beside_meep ring [--rounds N] [--meep-python PYTHON]
    python -m scripts.beside_meep bend

Meep and scipy must be there for the other Python (Debian: ``python3-meep`` and
``python3-matplotlib``); what runs in it is ``scripts/in_meep.py``.  Both programs run in turn, each
as a process of its own, and of several rounds the least time counts.  *whole* is that of a process
and its children from its start to its end; *run* is without what they take when they import
everything and do nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POCL_MAX_PTHREAD_COUNT": "1",
    "POCL_CPU_MAX_CU_COUNT": "1",
}  # fmt: skip

#: A ring of index 3.4 in vacuum, and its modes with 3, 4 and 5 waves round it: m, near f and Q.
RING = {"index": 3.4, "inner": 1.0, "outer": 2.0, "band": (0.107, 0.187), "place": (1.3, 0.2)}
GUESSES = [[3, 0.118, 80.0], [4, 0.147, 350.0], [5, 0.176, 1700.0]]
#: Of Meep: resolution, time after the source, space before the layers and their thickness.
MEEP_RING = {"ringing": 200.0, "space": 2.0, "layer": 2.0}
RESOLUTIONS = (6, 8, 10, 12, 14, 16, 20)
#: Of wavelab: order, elements, radius of the domain, thickness of the layer.
ELEMENTS = ((2, 1.3), (2, 1.0), (3, 1.3), (3, 1.0), (4, 1.3), (4, 1.0), (5, 1.0), (6, 1.0))
DOMAIN, LAYER = 5.0, 2.0

RING_SCENE = """
[domain]
shape = "ellipse"
center = [0, 0]
radii = [{domain}, {domain}]

[[materials]]
name = "ring"
epsilon = {epsilon}
shape = "ellipse"
center = [0, 0]
radii = [{outer}, {outer}]

[[materials]]
name = "inside"
shape = "ellipse"
center = [0, 0]
radii = [{inner}, {inner}]

[[walls]]
edges = ["domain"]
kind = "open"
thickness = {layer}

[solver]
element_size = 1
order = 4
until = 1
"""

#: A strip along x, a quarter of a circle and along y, with lines across it for modes.
BEND = {
    "epsilon": 4.0, "width": 0.35, "radius": 1.5, "guide": 1.9, "lead": 2.9, "size": 7.0,
    "send": 1.2, "before": 2.0, "behind": 5.2, "line": 2.1, "frequency": 1.0, "layer": 0.6,
}  # fmt: skip
MEEP_BEND = BEND | {"fwidth": 0.2, "decayed": 1e-6}
BEND_RESOLUTIONS = (10, 15, 20, 30, 40)
BEND_ELEMENTS = ((3, 0.2), (4, 0.3), (4, 0.2), (5, 0.2))

BEND_SCENE = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [{size}, {size}]

[[walls]]
edges = ["domain"]
kind = "open"
thickness = {layer}

[[materials]]
name = "strip"
shape = "polygon"
vertices = [
    [0, {low}], [{lead}, {low}], [{far}, {end}], [{far}, {size}],
    [{near}, {size}], [{near}, {end}], [{lead}, {high}], [0, {high}],
]
bulges = [0, {bulge}, 0, 0, 0, -{bulge}, 0, 0]
epsilon = {epsilon}

[[monitors]]
name = "in"
kind = "modes"
vertices = [[{before}, {below}], [{before}, {above}]]
frequencies = [{frequency}]

[[monitors]]
name = "out"
kind = "modes"
vertices = [[{left}, {behind}], [{right}, {behind}]]
frequencies = [{frequency}]

[solver]
element_size = 0.2
order = 4
until = 60
"""


@dataclass
class Program:
    """One way to compute, with one setting.

    Attributes
    ----------
    command : what is started; the last line of its output is ``RESULT`` and JSON, or JSON.
    errors : of its answer, by name.
    """

    name: str
    setting: str
    command: list[str]
    errors: Callable[[dict[str, Any]], dict[str, float]]
    whole: float = math.inf
    found: dict[str, float] = field(default_factory=dict)

    def run(self) -> None:
        seconds, answer = timed(self.command)
        self.whole, self.found = min(self.whole, seconds), self.errors(answer)


def timed(command: list[str]) -> tuple[float, dict[str, Any]]:
    """Processor seconds of a process and its children, and what it answers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env={**os.environ, **ONE_THREAD}, stdout=subprocess.PIPE, check=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [line.removeprefix("RESULT ") for line in done.stdout.splitlines()]
    answers = [line for line in lines if line.startswith("{")]
    return seconds, json.loads(answers[-1]) if answers else {}


def meep(python: str, case: str, settings: dict[str, Any]) -> list[str]:
    return [python, str(HERE / "in_meep.py"), case, json.dumps(settings)]


def wavelab(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "wavelab", *arguments, "--json"]


def ring_programs(python: str, folder: Path) -> list[Program]:
    exact = timed(meep(python, "exact", {**RING, "guesses": GUESSES}))[1]["modes"]
    for (m, *_), (f, q) in zip(GUESSES, exact, strict=True):
        print(f"exact, m = {m}: f = {f:.12g}, Q = {q:.10g}")

    def errors(modes: list[list[float]]) -> dict[str, float]:
        """The worst mode: relative errors of f, and of the complex frequency."""
        of_f, of_both = 0.0, 0.0
        for f, q in exact:
            near = [mode for mode in modes if abs(mode[0] / f - 1) < 0.03 and mode[1] > 20]
            if not near:
                return {"f": math.inf, "f and decay": math.inf, "Q": math.inf}
            wrong = [(abs(g / f - 1), abs(g / f - 1 - 0.5j * (1 / p - 1 / q))) for g, p in near]
            # Of a double mode both must be right, and of Harminv's the nearest counts.
            kept = sorted(wrong)[: 2 if len(wrong) == 2 else 1]
            of_f = max(of_f, *(a for a, _ in kept))
            of_both = max(of_both, *(b for _, b in kept))
        last = exact[0][1]
        q = min((abs(p / last - 1) for f, p in modes if abs(f / exact[0][0] - 1) < 0.03 and p > 20))
        return {"f": of_f, "f and decay": of_both, "Q": q}

    scene = folder / "ring.toml"
    values = {**RING, "epsilon": RING["index"] ** 2, "domain": DOMAIN, "layer": LAYER}
    scene.write_text(RING_SCENE.format(**values), encoding="utf-8")
    programs = []
    for order, size in ELEMENTS:
        command = wavelab("resonances", str(scene), "--band", "0.11", "0.185")
        programs.append(
            Program(
                "wavelab", f"order {order}, elements of {size}",
                [*command, "--order", str(order), "--h", str(size)],
                lambda a: errors([[m["frequency"], m["q"] or math.inf] for m in a["modes"]]),
            )
        )  # fmt: skip
    for averaging in (True, False):
        for resolution in RESOLUTIONS:
            settings = {**RING, **MEEP_RING, "resolution": resolution, "averaging": averaging}
            name = "Meep" if averaging else "Meep, no averaging"
            programs.append(
                Program(
                    name, f"resolution {resolution}", meep(python, "ring", settings),
                    lambda a: errors(a["modes"]),
                )
            )  # fmt: skip
    return programs


def bend_programs(python: str, folder: Path) -> list[Program]:
    def through(answer: dict[str, Any]) -> dict[str, float]:
        if "through" in answer:
            return {"through": answer["through"]}
        channels = [c["port"] for c in answer["channels"]]
        j, i = channels.index("out"), channels.index("in")
        sent = list(zip(answer["to"], answer["from"], strict=True)).index((j + 1, i + 1))
        return {"through": answer["abs"][sent] ** 2}

    scene, half = folder / "bend.toml", BEND["width"] / 2
    middle, guide = BEND["lead"] + BEND["radius"], BEND["guide"]
    places = {
        "low": guide - half, "high": guide + half, "end": guide + BEND["radius"],
        "far": middle + half, "near": middle - half, "bulge": math.tan(math.pi / 8),
        "below": guide - BEND["line"] / 2, "above": guide + BEND["line"] / 2,
        "left": middle - BEND["line"] / 2, "right": middle + BEND["line"] / 2,
    }  # fmt: skip
    scene.write_text(BEND_SCENE.format(**BEND, **places), encoding="utf-8")
    programs = [
        Program(
            "wavelab", f"order {order}, elements of {size}",
            wavelab("scatter", str(scene), "--order", str(order), "--h", str(size)),
            through,
        )
        for order, size in BEND_ELEMENTS
    ]  # fmt: skip
    for resolution in BEND_RESOLUTIONS:
        settings = {**MEEP_BEND, "resolution": resolution, "averaging": True}
        programs.append(
            Program("Meep", f"resolution {resolution}", meep(python, "bend", settings), through)
        )
    return programs


def start_up(name: str, python: str) -> float:
    """Processor seconds of a program that has imported everything and does nothing; of wavelab
    those of the process that makes the mesh, too."""
    of_each = ["meep, scipy.optimize, scipy.special"]
    if name == "wavelab":
        mesher = "wavelab.meshing.worker, wavelab.meshing.triangulation.mesher"
        of_each, python = ["wavelab.cli.resonances, wavelab.cli.scatter", mesher], sys.executable
    commands = [[python, "-c", f"import {imports}"] for imports in of_each]
    return sum(min(timed(command)[0] for _ in range(3)) for command in commands)


def cost_at(programs: list[Program], what: str, error: float, started: float) -> float:
    """Least seconds to an error: of what is cheapest that is at least so right, or between two by
    straight lines in logarithms."""
    points = sorted((p.whole - started, p.found[what]) for p in programs)
    front: list[tuple[float, float]] = []
    for seconds, wrong in points:
        if not front or wrong < front[-1][1]:
            front.append((seconds, wrong))
    seconds, wrong = np.log([max(s, 1e-3) for s, _ in front]), np.log([w for _, w in front])
    if math.log(error) < wrong[-1]:
        return math.nan
    if math.log(error) > wrong[0]:
        return math.exp(seconds[0])
    return math.exp(float(np.interp(-math.log(error), -wrong, seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("case", choices=("ring", "bend"))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--meep-python", default="/usr/bin/python3", metavar="PYTHON")
    given = parser.parse_args()
    python = given.meep_python
    with tempfile.TemporaryDirectory() as name:
        make = ring_programs if given.case == "ring" else bend_programs
        programs = make(python, Path(name))
        for _ in range(given.rounds):
            # In turn: what else the machine does falls on both.
            for program in sorted(programs, key=lambda p: p.setting.split()[-1]):
                program.run()
    if given.case == "bend":
        best = {p.name: p.found["through"] for p in programs}  # the last of each is the finest
        print("finest:", ", ".join(f"{name} {value:.6f}" for name, value in best.items()))
        if np.ptp(list(best.values())) > 1e-3:
            print("they do not agree: errors are only distances from the finest of wavelab")
        for p in programs:
            p.found["error"] = abs(p.found["through"] / best["wavelab"] - 1)
    names = list(dict.fromkeys(p.name for p in programs))
    started = {name: start_up(name, python) for name in names}
    print("program\tsetting\twhole, s\trun, s\t" + "\t".join(programs[0].found))
    for p in programs:
        told = "\t".join(f"{value:.3g}" for value in p.found.values())
        print(f"{p.name}\t{p.setting}\t{p.whole:.2f}\t{p.whole - started[p.name]:.2f}\t{told}")
    what = "error" if given.case == "bend" else "f"
    for error in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4):
        for part, less in (("whole", dict.fromkeys(names, 0.0)), ("run", started)):
            costs = {
                name: cost_at([p for p in programs if p.name == name], what, error, less[name])
                for name in names
            }
            told = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in costs.items())
            times = ", ".join(
                f"{costs[name] / costs['wavelab']:.1f}" for name in names if name != "wavelab"
            )
            print(f"error {error:g}, {part}: {told}; times that of wavelab: {times}")


if __name__ == "__main__":
    main()
