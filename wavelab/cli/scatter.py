"""``wavelab scatter``: how much of each mode of each port comes out of each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import add_file, add_scene, positive, scene_named
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, wrote
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.output.files.tables import SUFFIXES
from wavelab.output.files.touchstone import suffix_of
from wavelab.scene.model.units import Scale, Written
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.studies.scattering import Scattering, ports_of, scatter

DESCRIPTION = """\
Find the scattering parameters of a scene.  Its ports are its monitors of modes, whose arrows lead
into the device.  Each mode of each port is sent in a run of its own, from a line behind the
monitor; sources and initial fields of the scene are left out.  A run ends when the wave has died
away, at until at the latest.

  wavelab scatter glass_bend
  wavelab scatter glass_bend --ports in out -o bend.csv --touchstone bend.s2p
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--ports", nargs="+", default=[], metavar="NAME", help="monitors of modes (default: all)"
    )
    parser.add_argument(
        "--until",
        type=positive,
        metavar="T",
        help="simulated time at which a run ends at the latest (default: as the scene says)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a row for each frequency and pair (.csv)"
    )
    add_file(parser, "--touchstone", "for circuit simulators (.s2p for two modes in all, ...)")
    add_study_options(parser)


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        until=arguments.until, order=arguments.order, element_size=arguments.element_size
    )
    scene = options.applied(scene_named(arguments.scene, arguments.settings))
    ports = ports_of(scene, arguments.ports)
    if arguments.output is not None:
        check_target(arguments.output, SUFFIXES)
    if arguments.touchstone is not None:
        most = sum(port.modes for port in ports)
        check_target(arguments.touchstone, tuple(suffix_of(n) for n in range(1, most + 1)))
    with progress() as tell:
        found = scatter(
            scene,
            [port.name for port in ports],
            backend=arguments.backend,
            device=arguments.device,
            tell=tell,
        )
    for notice in found.notices:
        note(notice)
    for path in (arguments.output, arguments.touchstone):
        if path is not None:
            found.write(path)
    if arguments.json:
        channels = [{"port": c.port, "mode": c.mode} for c in found.channels]
        print_json(
            scene,
            {
                "channels": channels,
                **{name: values.tolist() for name, values in found.columns().items()},
                "accounted": found.accounted.tolist(),
            },
        )
        return 0
    print(_table(found, scale_of(scene)).expandtabs(14))
    wrote(arguments.output, arguments.touchstone)
    return 0


def _table(found: Scattering, scale: Scale | None) -> str:
    lines, written = found.listed(), Written(scale, "{:g}".format)
    lines.append("\t".join(["frequency", *(f"|S{found.digits(*pair)}|^2" for pair in found.pairs)]))
    for frequency, s in zip(found.frequencies.tolist(), found.s, strict=True):
        cells = (f"{abs(s[pair]) ** 2:.6f}" for pair in found.pairs)
        lines.append("\t".join([written.frequency(frequency), *cells]))
    return "\n".join(lines)


COMMAND = Command("scatter", "find scattering parameters", DESCRIPTION, _arguments, _execute)
