"""``wavelab import``: a scene from the layers of a drawing."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import positive
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, wrote
from wavelab.errors import WavelabError
from wavelab.meshing.drawings import SUFFIXES
from wavelab.meshing.drawings.devices import Wishes
from wavelab.meshing.drawings.importing import import_drawing, read_layers
from wavelab.meshing.drawings.reading import read_document
from wavelab.reading import named_path
from wavelab.scene.model.units import LENGTHS
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import save_scene

DESCRIPTION = f"""\
Make a scene of a drawing ({", ".join(SUFFIXES)}) by what its layers or colours are to be. Without
--layer they are listed.

  wavelab import chip.gds
  wavelab import chip.gds --layer 1/0=material,index=3.48 -o chip.toml
  wavelab import chip.gds --layer 2/0=material,medium=Silicon --box -5 -3 5 3 -o chip.toml
  wavelab import room.dxf --layer walls=domain --layer pillars=obstacle,wall=absorbing -o room.toml
  wavelab import lens.svg --layer "#0000ff=material,epsilon=2.25" -o lens.toml

A layer becomes "domain", "obstacle", "material" or "nothing". Behind a comma there may be the wall
of the first two (wall=open), and numbers of a material (epsilon=12, index=3.48, sigma=0.1,
density=2) or the name of one of the library (medium=Silicon; wavelab media). Where materials
overlap, that of the layer named last holds. Layers of which nothing is said are left out.
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("drawing", metavar="DRAWING", help="a file: " + ", ".join(SUFFIXES))
    parser.add_argument(
        "--layer",
        action="append",
        default=[],
        metavar="NAME=ROLE",
        help="what a layer, or a colour, becomes; once for each",
    )
    parser.add_argument(
        "--physics", choices=tuple(SYSTEMS), default="light", help="what the waves are"
    )
    parser.add_argument(
        "--box",
        type=float,
        nargs=4,
        metavar=("X0", "Y0", "X1", "Y1"),
        help="part of the drawing that is the domain, with open walls (default: all of it)",
    )
    parser.add_argument(
        "--margin",
        type=float,
        metavar="M",
        help="between the domain and what is in it, where no layer is the domain (default: a tenth "
        "of its size)",
    )
    parser.add_argument(
        "--scale", type=positive, default=1.0, help="coordinates are multiplied by it (default: 1)"
    )
    parser.add_argument(
        "--unit",
        choices=tuple(LENGTHS),
        default="",
        help="what a unit of length is then (default: as the drawing says)",
    )
    parser.add_argument(
        "--h", dest="element_size", type=positive, metavar="SIZE", help="element size of the scene"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="scene to write (.toml)")


def _execute(arguments: argparse.Namespace) -> int:
    path = named_path(arguments.drawing)
    if path.suffix.lower() not in SUFFIXES:
        raise WavelabError(
            "is no drawing by its name", where=str(path), remedy="It ends in " + ", ".join(SUFFIXES)
        )
    if not arguments.layer:
        if arguments.output:
            raise WavelabError(
                "nothing is said of any layer", remedy="Name one: --layer 1/0=material,epsilon=12."
            )
        _list(path)
        return 0
    if arguments.output is None:
        raise WavelabError("there is no file to write", remedy="Name it: -o scene.toml.")
    target = check_target(arguments.output, (".toml",))
    said = []
    for text in arguments.layer:
        # Names may have an equals sign in them, and so may the numbers behind the first comma.
        head, comma, rest = text.partition(",")
        name, equals, becomes = head.rpartition("=")
        if not equals:
            raise WavelabError(
                f'"{text}" names no role', remedy="Write NAME=ROLE: 1/0=material,epsilon=12."
            )
        said.append((name.strip(), f"{becomes}{comma}{rest}"))
    wishes = Wishes(
        tuple(arguments.box) if arguments.box else None,
        arguments.margin,
        arguments.scale,
        arguments.unit,
        arguments.element_size,
    )
    scene = import_drawing(path, said, wishes, physics=arguments.physics, notify=note)
    save_scene(scene, target)
    print(f"{len(scene.materials)} materials, {len(scene.holes)} obstacles")
    wrote(target)
    return 0


def _list(path: Path) -> None:
    document = read_document(path)
    layers, notes = read_layers(document, path)
    for text in notes:
        note(text)
    unit = document.unit_name
    shown = unit.replace("u", "\u00b5")
    rows = [("layer", "colour", "shapes", f"area / {shown}\u00b2" if unit else "area")]
    rows += [
        (
            layer.name,
            layer.colour,
            f"{len(layer.areas):,}",
            f"{layer.area * document.unit**2:.4g}",
        )
        for layer in layers
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for name, colour, count, area in rows:
        print(
            f"{name:{widths[0]}}  {colour:{widths[1]}}  {count:>{widths[2]}}  {area:>{widths[3]}}"
        )


COMMAND = Command(
    "import", "make a scene of the layers of a drawing", DESCRIPTION, _arguments, _execute
)
