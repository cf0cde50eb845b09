"""``wavelab scatter``: how much of each mode of each port comes out of each other."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import add_file, add_scene, positive, scene_named
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, wrote
from wavelab.cli.shared.study import add_study_options, print_json, progress
from wavelab.output.tables import SUFFIXES, write_table
from wavelab.output.touchstone import suffix_of, write_touchstone
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
    columns = _columns(found)
    if arguments.output is not None:
        write_table(arguments.output, tuple(columns), tuple(columns.values()))
    if arguments.touchstone is not None:
        order = np.argsort(found.frequencies)
        remarks = [f"{i}: {c.port}, mode {c.mode}" for i, c in enumerate(found.channels, 1)]
        remarks.append("frequencies are c / length unit of the scene; phases exp(-i w t)")
        write_touchstone(arguments.touchstone, found.frequencies[order], found.s[order], remarks)
    if arguments.json:
        channels = [{"port": c.port, "mode": c.mode} for c in found.channels]
        print_json(
            scene,
            {
                "channels": channels,
                **{name: values.tolist() for name, values in columns.items()},
                "accounted": found.accounted.tolist(),
            },
        )
        return 0
    print(_table(found).expandtabs(14))
    wrote(arguments.output, arguments.touchstone)
    return 0


def _columns(found: Scattering) -> Mapping[str, NDArray]:
    """A row for each frequency, sending and receiving channel; both are counted from 1, as the
    channels are listed."""
    n = len(found.channels)
    values = found.s.transpose(0, 2, 1).ravel()  # of a channel that sends all that receive
    count = len(found.frequencies)
    with np.errstate(divide="ignore"):
        decibels = 20 * np.log10(np.maximum(np.abs(values), 1e-300))
    return {
        "frequency": np.repeat(found.frequencies, n * n),
        "to": np.tile(np.arange(1, n + 1), count * n),
        "from": np.tile(np.repeat(np.arange(1, n + 1), n), count),
        "real": values.real,
        "imag": values.imag,
        "abs": np.abs(values),
        "dB": decibels,
        "phase_deg": np.degrees(np.angle(values)),
    }


def _table(found: Scattering) -> str:
    lines = [f"{i}: {c.port}, mode {c.mode}" for i, c in enumerate(found.channels, 1)]
    pairs = [(j, i) for i in range(len(found.channels)) for j in range(len(found.channels))]
    lines.append("\t".join(["frequency", *(f"|S{_digits(j, i)}|^2" for j, i in pairs)]))
    for frequency, s in zip(found.frequencies, found.s, strict=True):
        cells = (f"{abs(s[j, i]) ** 2:.6f}" for j, i in pairs)
        lines.append("\t".join([f"{frequency:g}", *cells]))
    return "\n".join(lines)


def _digits(row: int, column: int) -> str:
    together = f"{row + 1}{column + 1}"
    return together if len(together) == 2 else f"({row + 1},{column + 1})"


COMMAND = Command("scatter", "find scattering parameters", DESCRIPTION, _arguments, _execute)
