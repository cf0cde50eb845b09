"""``wavelab converge``: how wrong a scene is, measured on finer meshes and at higher orders."""

from __future__ import annotations

import argparse
import json
import sys

from tqdm import tqdm

from wavelab.cli.arguments import add_device_options, add_scene, order, positive, scene_path
from wavelab.cli.command import Command
from wavelab.scene.toml_io import load_scene
from wavelab.simulation.batch import BatchOptions
from wavelab.simulation.convergence import study

DESCRIPTION = """\
Run a scene on elements of h, h/sqrt 2 and h/2 and at the orders N, N+1 and N+2, and say how far the
scene's own setting is off: against its exact solution if it states one, else against a run that is
finer in both.  Errors are relative, in the energy norm.

  wavelab converge double_slit --until 1
  wavelab converge my_scene.toml --json > convergence.json
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--until",
        type=positive,
        metavar="T",
        help="simulated time to compare at (default: as the scene says)",
    )
    parser.add_argument("--order", type=order, metavar="N", help="N instead of the scene's own")
    parser.add_argument(
        "--h",
        type=positive,
        metavar="H",
        dest="element_size",
        help="h instead of the scene's own",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        until=arguments.until, order=arguments.order, element_size=arguments.element_size
    )
    scene = options.applied(load_scene(scene_path(arguments.scene)))
    with tqdm(
        total=1.0, file=sys.stderr, disable=None, bar_format="{desc} {percentage:3.0f}%|{bar}|"
    ) as bar:

        def tell(part: float, text: str) -> None:
            bar.set_description_str(text, refresh=False)
            bar.update(part - bar.n)

        found = study(
            scene,
            scene.solver.until,
            backend=arguments.backend,
            device=arguments.device,
            tell=tell,
        )
    if arguments.json:
        name = str(scene.path) if scene.path is not None else scene.title
        print(json.dumps({"scene": name, **found.summary()}, allow_nan=False))
        return 0
    print(found.table().expandtabs(14))
    print(f"measured against: {found.reference}; the error falls as h^{found.rate:.1f}")
    print(found.sentence())
    return 0


COMMAND = Command("converge", "measure how wrong a scene is", DESCRIPTION, _arguments, _execute)
