"""``wavelab bands``: the band structure of a crystal, of which a scene is one cell."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavelab.cli.shared.arguments import (
    add_element_size,
    add_file,
    add_scene,
    add_settings,
    order,
    scene_named,
    whole,
)
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import wrote
from wavelab.cli.shared.study import print_json, progress
from wavelab.scene.model.units import Written
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.studies.bands.band_files import check_band_files, write_band_files
from wavelab.simulation.studies.bands.band_search import MOST_BANDS, MOST_POINTS, find_bands

DESCRIPTION = """\
Find the frequencies of the Bloch waves of a crystal along a path through its Brillouin zone, and
the gaps between its bands.  The scene is one cell, whose opposite edges are glued together by
periodic walls; phases of these, sources and initial fields are left out.

  wavelab bands crystal_square
  wavelab bands crystal_triangular --path "G M K G" --points 20 --bands 8 --plot bands.png
  wavelab bands my_cell.toml --path "0,0 0.5,0.25" -o bands.csv --modes modes.png
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--path",
        metavar="POINTS",
        help='points of the Brillouin zone, as "G X M G", or in parts of the reciprocal vectors, '
        '"0,0 0.5,0.25" (default: the usual path of the lattice)',
    )
    parser.add_argument(
        "--points",
        type=whole(1, MOST_POINTS),
        default=12,
        metavar="N",
        help="steps of each leg of the path (default: 12)",
    )
    parser.add_argument(
        "--bands",
        type=whole(1, MOST_BANDS),
        default=6,
        metavar="N",
        help=f"how many, the lowest first, up to {MOST_BANDS} (default: 6)",
    )
    parser.add_argument("-o", dest="table", metavar="FILE", type=Path, help="table (.csv)")
    add_file(parser, "--plot", "the bands over the path (.png)")
    add_file(parser, "--modes", "shapes of the bands at the corners of the path (.png)")
    add_settings(parser)
    parser.add_argument("--order", type=order, metavar="N", help="N instead of the scene's own")
    add_element_size(parser, " instead of the scene's own")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _execute(arguments: argparse.Namespace) -> int:
    check_band_files(arguments.table, arguments.plot, arguments.modes)
    options = BatchOptions(order=arguments.order, element_size=arguments.element_size)
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    with progress() as tell:
        found = find_bands(scene, arguments.path, arguments.points, arguments.bands, tell=tell)
    write_band_files(found, arguments.table, arguments.plot, arguments.modes)
    if arguments.json:
        print_json(scene, found.summary())
        return 0
    written = Written(scale_of(scene), "{:.6g}".format)
    print(found.table(written.scale).expandtabs(12 if written.scale is None else 14))
    for gap in found.gaps:
        low, high = map(written.frequency, (gap.low, gap.high))
        print(f"gap of {100 * gap.width:.3g} % above band {gap.below}: {low} to {high}")
    if not found.gaps:
        print("no gap between these bands on this path")
    wrote(arguments.table, arguments.plot, arguments.modes)
    return 0


COMMAND = Command(
    "bands", "find the band structure of a crystal", DESCRIPTION, _arguments, _execute
)
