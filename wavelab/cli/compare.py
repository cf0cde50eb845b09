"""``wavelab compare``: two runs of a scene in step, their difference and their cost."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import (
    add_ending,
    add_file,
    add_scene,
    scene_named,
    setting,
    whole,
)
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, row, wrote
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.output import picture
from wavelab.output.palette import DEFAULT_DIVERGING, palette_info
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.side_by_side.changes import other_run
from wavelab.simulation.side_by_side.in_step import PIXELS, Look, in_step, summary
from wavelab.simulation.side_by_side.pictures import Scales, one_picture
from wavelab.simulation.side_by_side.words import cost_table, sentence

DESCRIPTION = """\
Run a scene and another one that differs in what --with says, in step, and say how far Ez of the two
is apart and what each has cost.  Both begin at time 0, with the scene's pings.

  --with order=6               elements of another order
  --with upwinding=0           central in place of upwind fluxes
  --with h=0.02                another element size
  --with walls=absorbing       other walls around the domain
  --with grid=equal            finite differences on a square grid, with as many unknowns
  --with grid=0.01             ... with cells of that size
  --with grid=points:20        ... with so many cells in the shortest wavelength
  --with NAME=VALUE            whatever --set may set: a parameter, materials.rod.epsilon

  wavelab compare disk --with grid=equal --until 2 --picture both.png
"""

#: Of a picture's longer side; fewer have no room for the words.
_FEWEST, _MOST = 160, 4000


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--with",
        type=setting,
        action="append",
        default=[],
        dest="changes",
        metavar="NAME=VALUE",
        help="what the other run has otherwise; can be repeated: all of them hold for it",
    )
    add_ending(parser)
    add_file(parser, "--picture", "both runs at the end, and their difference (.png)")
    parser.add_argument(
        "--pixels",
        type=whole(_FEWEST, _MOST),
        default=PIXELS,
        metavar="N",
        help=f"longer side of each picture; the difference is taken at its pixels "
        f"(default: {PIXELS})",
    )
    add_study_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        until=arguments.until,
        decayed=arguments.decayed,
        order=arguments.order,
        element_size=arguments.element_size,
    )
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    if arguments.picture is not None:
        check_target(arguments.picture, picture.SUFFIXES)
    look = _last(scene, arguments)
    name = other_run(scene, arguments.changes).name
    if arguments.picture is not None:
        _write(arguments.picture, look, scene, name)
    if arguments.json:
        print_json(scene, summary(scene, name, look.progress))
        return 0
    for line in _lines(cost_table(look.progress, name, scale_of(scene))):
        print(line)
    print(system_of(scene).in_words(sentence(look.progress, scale_of(scene))))
    wrote(arguments.picture)
    return 0


def _last(scene: Scene, arguments: argparse.Namespace) -> Look:
    until = _end(scene, arguments)
    with progress() as tell:
        looks = in_step(
            scene,
            arguments.changes,
            until,
            backend=arguments.backend,
            device=arguments.device,
            pixels=arguments.pixels,
            tell=lambda text: tell(0.0, text),
        )
        look = next(looks)
        for look in looks:
            tell(look.progress.part, f"t = {look.progress.times[-1]:.3g}")
    return look


def _end(scene: Scene, arguments: argparse.Namespace) -> float:
    """That of both runs; if the scene waits for its wave to die away, a run of it finds it."""
    if not scene.solver.decayed:
        return scene.solver.until
    alone = replace(scene, probes=(), monitors=())
    how = BatchOptions(backend=arguments.backend, device=arguments.device, long=True)
    end: float = run_batch(alone, how, notify=note)["time"]
    note(f"both are run to t = {end:.6g}, where the run of the scene as it is ends")
    return end


def _write(path: Path, look: Look, scene: Scene, name: str) -> None:
    chosen = scene.view.palette
    palette = chosen if chosen and palette_info(chosen).diverging else DEFAULT_DIVERGING
    methods = look.progress.this.method, look.progress.other.method
    other = name if methods[0] == methods[1] else f"{name}: {methods[1]}"
    names = (f"as it is: {methods[0]}", other, "difference")
    symbol = system_of(scene).scalar.symbol
    rgb = one_picture(Scales().pictures(look, palette), names, palette, symbol)
    picture.write_png(path, rgb)


def _lines(cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    return [row([-widths[0], *widths[1:]], *line) for line in cells]


COMMAND = Command(
    "compare", "run a scene beside one that differs", DESCRIPTION, _arguments, _execute
)
