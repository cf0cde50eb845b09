"""``wavelab reference``: a scene against the same one without an object, or against another."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import add_scene, positive, scene_named
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, wrote
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.errors import WavelabError
from wavelab.output.files.tables import SUFFIXES, write_table
from wavelab.scene.editing.left_out import objects_of, without
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Scale, Written
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.studies.reference import referenced

DESCRIPTION = """\
Run a scene and a reference, as a rule the same scene without an object, and say what the monitors
of lines, guides and contours find in both at their frequencies: the mean power with the object,
without it, and of the difference of the fields, and the first and the last over the second.  In
front of a plate the last quotient is minus its reflection, behind it the first one is its
transmission.  In a table monitors are numbers from 1, as the scene has them.

  wavelab reference glass_bend
  wavelab reference my_scene.toml --without plate
  wavelab reference my_scene.toml --to empty.toml -o plate.csv
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--without",
        nargs="+",
        default=[],
        metavar="NAME",
        help="the reference is the scene without these materials and obstacles (default: all)",
    )
    which.add_argument("--to", metavar="SCENE", help="the reference is another scene")
    parser.add_argument("--until", type=positive, metavar="T", help="simulated time both run to")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a row for each monitor and frequency"
    )
    add_study_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        until=arguments.until, order=arguments.order, element_size=arguments.element_size
    )
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    if arguments.output is not None:
        check_target(arguments.output, SUFFIXES)
    other = _other(scene, arguments, options)
    with progress() as tell:
        found = referenced(
            scene, other, backend=arguments.backend, device=arguments.device, tell=tell
        )
    for notice in found.notices:
        note(notice)
    columns = found.columns()
    if arguments.output is not None:
        names = list(found.monitors)
        numbers = np.array([names.index(name) + 1 for name in columns["monitor"]])
        written = {**columns, "monitor": numbers}
        write_table(arguments.output, tuple(written), tuple(written.values()))
    if arguments.json:
        print_json(scene, {name: _plain(values) for name, values in columns.items()})
        return 0
    print(_table(columns, scale_of(scene)).expandtabs(14))
    wrote(arguments.output)
    return 0


def _other(scene: Scene, arguments: argparse.Namespace, options: BatchOptions) -> Scene:
    if arguments.to is None:
        return without(scene, arguments.without or objects_of(scene))
    other = options.applied(scene_named(arguments.to, []))
    if other.physics != scene.physics:
        raise WavelabError(
            f"the reference {arguments.to} has waves of another kind",
            remedy="Give it the same physics.",
        )
    return other


def _plain(values: NDArray) -> list[object]:
    """JSON knows no nan: what cannot be divided is null."""
    return [None if value != value else value for value in values.tolist()]


def _table(columns: Mapping[str, NDArray], scale: Scale | None) -> str:
    lines, written = ["\t".join(columns)], Written(scale, "{:.6g}".format)
    for name, frequency, *numbers in zip(*columns.values(), strict=True):
        told = (f"{number:.6g}" for number in numbers)
        lines.append("\t".join([str(name), written.frequency(float(frequency)), *told]))
    return "\n".join(lines)


COMMAND = Command(
    "reference", "compare with a run without an object", DESCRIPTION, _arguments, _execute
)
