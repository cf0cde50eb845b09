"""``wavelab media``: media by name, and poles for tables of measured n and k."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from wavelab.cli.shared.arguments import add_file, fraction, positive, whole
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import wrote
from wavelab.errors import WavelabError
from wavelab.output.line_plot import Curve, write_line_plot
from wavelab.physics.materials.table_fit import fitted
from wavelab.scene.media.library import entries, light_medium, named_entry, relative_medium
from wavelab.scene.media.permittivity import permittivity
from wavelab.scene.media.tables import IndexTable, read_index_table
from wavelab.scene.model.medium import Medium, Number
from wavelab.scene.model.scene import Material
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_writer import medium_text

DESCRIPTION = """\
List media by name with the source of their numbers, print one as lines of a scene file, or find
poles for a table of measured wavelengths, n and k (CSV).

  wavelab media                                      # all of them
  wavelab media gold --length 1                      # where a unit of length is 1 micrometre
  wavelab media helium --physics sound --reference air
  wavelab media --fit gold.csv --length 0.5 --poles 4 --plot fit.png

The lines belong below [background], or into a [[materials]] table.
"""

_LIGHT = ("light", "te")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="a medium of the library")
    parser.add_argument(
        "--physics", choices=tuple(SYSTEMS), default="light", help="of what waves (default: light)"
    )
    parser.add_argument(
        "--length",
        type=positive,
        default=1.0,
        metavar="L",
        help="unit of length of the scene in micrometres, or in the unit of the table's wavelengths"
        " (default: 1)",
    )
    parser.add_argument(
        "--reference", metavar="NAME", help="medium whose density and speed are 1 (default: first)"
    )
    add_file(parser, "--fit", "a table of wavelength, n and k (.csv)")
    parser.add_argument(
        "--poles", type=whole(1, 12), default=6, metavar="N", help="at most (default: 6)"
    )
    parser.add_argument(
        "--tolerance",
        type=fraction,
        default=0.01,
        metavar="T",
        help="root mean square error that is good enough, in parts of epsilon (default: 0.01)",
    )
    add_file(parser, "--plot", "n and k over the wavelength, of the table and of the fit (.png)")
    parser.add_argument("--json", action="store_true", help="print as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    if arguments.fit is not None:
        return _fit(arguments)
    if arguments.plot is not None:
        raise WavelabError("there is nothing to plot", remedy="Name a table: --fit TABLE.csv")
    if arguments.name is None:
        return _list(arguments)
    entry = named_entry(arguments.physics, arguments.name)
    medium: Medium
    if arguments.physics in _LIGHT:
        medium = light_medium(arguments.physics, entry, arguments.length)
        about = f"a unit of length is {arguments.length:g} micrometres" * entry.needs_length
    else:
        first = arguments.reference or next(iter(entries(arguments.physics)))
        reference = named_entry(arguments.physics, first)
        medium = relative_medium(arguments.physics, entry, reference)
        about = f"density and speed of {reference.name} are 1"
    if arguments.json:
        print(json.dumps({"name": entry.name, "source": entry.source, "medium": asdict(medium)}))  # type: ignore[call-overload]
        return 0
    print(f"# {entry.name}: {entry.source}{'; ' * bool(about)}{about}")
    print(medium_text(medium))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    rows = [
        {"physics": physics, "name": entry.name, "source": entry.source}
        for physics in SYSTEMS
        if physics != "te"
        for entry in entries(physics).values()
    ]
    if arguments.json:
        print(json.dumps(rows))
        return 0
    width = max(len(row["name"]) for row in rows)
    physics = ""
    for row in rows:
        if row["physics"] != physics:
            print(f"{chr(10) * bool(physics)}{SYSTEMS[row['physics']].label}")
            physics = row["physics"]
        print(f"  {row['name']:{width}}  {row['source']}")
    return 0


def _fit(arguments: argparse.Namespace) -> int:
    if arguments.physics not in _LIGHT:
        raise WavelabError("n and k are those of light", remedy="Leave --physics out.")
    table = read_index_table(Path(arguments.fit))
    medium, fit = fitted(table, arguments.length, arguments.poles, arguments.tolerance)
    if arguments.plot is not None:
        _plot(arguments.plot, table, medium, arguments.length)
    if arguments.json:
        print(json.dumps({"error": fit.error, "medium": asdict(medium)}))
    else:
        low, high = table.wavelength[0], table.wavelength[-1]
        print(
            f"# {Path(arguments.fit).name}: off by {fit.error:.2g} of epsilon (root mean square) "
            f"at wavelengths from {low:g} to {high:g}; a unit of length is {arguments.length:g} of "
            "these"
        )
        if fit.error > arguments.tolerance:
            print(f"# more than {arguments.tolerance:g}: allow more --poles, or cut the table")
        print(medium_text(medium))
        wrote(arguments.plot)
    return 0


def _plot(path: Path, table: IndexTable, medium: Material, length: float) -> None:
    epsilon = permittivity(_number(medium.epsilon), medium.poles, length / table.wavelength)
    root = np.sqrt(epsilon)
    curves = [
        Curve("n", table.n), Curve("k", table.k),
        Curve("n, fit", root.real), Curve("k, fit", -root.imag),
    ]  # fmt: skip
    write_line_plot(path, table.wavelength, curves, "wavelength", "n and k")


def _number(value: Number) -> float:
    assert isinstance(value, float)
    return value


COMMAND = Command(
    "media", "media by name, and poles for tables of n and k", DESCRIPTION, _arguments, _execute
)
