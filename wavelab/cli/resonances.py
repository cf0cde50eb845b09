"""``wavelab resonances``: the modes of a scene, their frequencies and quality factors."""

from __future__ import annotations

import argparse

from wavelab.cli.shared.arguments import add_file, add_scene, positive, scene_named, size, whole
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import wrote
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.errors import WavelabError
from wavelab.scene.model.units import Written
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.studies.modes.mode_files import check_mode_files, write_mode_files
from wavelab.simulation.studies.modes.resonances import MOST_MODES, find_resonances

DESCRIPTION = """\
Find the resonances of a scene: ping it, invert the records harmonically, and refine what comes out
by diagonalizing the operator on the modes' shapes.  Sources and initial fields are left out; walls
and media may lose energy, and then each mode has its quality factor.

  wavelab resonances disk
  wavelab resonances accelerator --modes 12 --picture modes.png --json > modes.json
  wavelab resonances my_scene.toml --band 2.5 3.5 --shapes modes.h5
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--modes",
        type=whole(1, MOST_MODES),
        metavar="N",
        help=f"how many, the lowest, or of a band the sharpest, up to {MOST_MODES} "
        "(default: 6; all in a band)",
    )
    parser.add_argument(
        "--band",
        type=positive,
        nargs=2,
        metavar=("F0", "F1"),
        help="frequencies between which to look (default: from the lowest mode on)",
    )
    add_file(parser, "--picture", "shapes of the modes, in rows (.png)")
    add_file(parser, "--shapes", "fields of the modes (.h5)")
    parser.add_argument(
        "--size", type=size, default=(1200, 800), metavar="WxH", help="pixels of the picture"
    )
    add_study_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    band = tuple(arguments.band) if arguments.band is not None else None
    if band is not None and not band[0] < band[1]:
        raise WavelabError(
            f"the band from {band[0]:g} to {band[1]:g} is none",
            remedy="Give the lower frequency first.",
        )
    check_mode_files(arguments.picture, arguments.shapes)
    options = BatchOptions(order=arguments.order, element_size=arguments.element_size)
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    with progress() as tell:
        found = find_resonances(
            scene,
            arguments.modes,
            band,
            backend=arguments.backend,
            device=arguments.device,
            tell=tell,
        )
    write_mode_files(found, arguments.picture, arguments.shapes, arguments.size)
    if arguments.json:
        print_json(scene, found.summary())
        return 0
    scale = scale_of(scene)
    scaled = Written(scale, "{:.6g}".format)
    print(found.table(scale).expandtabs(14))
    if found.left_out:
        low, high = (scaled.frequency(f) for f in found.band)
        print(f"{found.left_out} more were found between {low} and {high}: ask for more modes")
    if found.sharper is not None:
        at, quality = found.sharper
        print(f"one that is left out has the Q {quality:.5g}, at {scaled.frequency(at)}")
    if not found.refined:
        print(
            "a medium is dispersive and a formula: numbers from the records, not from the operator"
        )
    wrote(arguments.picture, arguments.shapes)
    return 0


COMMAND = Command("resonances", "find the modes of a scene", DESCRIPTION, _arguments, _execute)
