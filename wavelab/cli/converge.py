"""``wavelab converge``: how wrong a scene is, measured on finer meshes and at higher orders."""

from __future__ import annotations

import argparse

from wavelab.cli.shared.arguments import add_scene, positive, scene_named
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.studies.convergence import study

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
    add_study_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        until=arguments.until, order=arguments.order, element_size=arguments.element_size
    )
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    with progress() as tell:
        found = study(
            scene,
            scene.solver.until,
            backend=arguments.backend,
            device=arguments.device,
            tell=tell,
        )
    if arguments.json:
        print_json(scene, found.summary())
        return 0
    print(found.table(scale_of(scene)).expandtabs(14))
    print(f"measured against: {found.reference}; the error falls as h^{found.rate:.1f}")
    print(found.sentence(scale_of(scene)))
    return 0


COMMAND = Command("converge", "measure how wrong a scene is", DESCRIPTION, _arguments, _execute)
