"""Values on the command line: what is accepted, and what to say of the rest."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from wavelab.cli.shared.output import note
from wavelab.meshing.geometry_files import open_scene
from wavelab.numerics.elements.reference_element import MAX_ORDER
from wavelab.scene.editing.settings import Setting, with_settings
from wavelab.scene.model.ending import DECAYED, UNTIL_DECAYED
from wavelab.scene.model.scene import STEPPERS, Scene
from wavelab.scene.shelf import scene_path
from wavelab.scene.view.view_rules import ELEVATIONS
from wavelab.simulation.steppers.steppers import BACKENDS

#: Pixels on a side that the pixel sampler is asked for at most.
MAX_PIXELS = 16_384
#: Most of anything at a time, in child processes, that can be asked for.
MOST_JOBS = 256
#: Elements that a benchmark is asked for at most; beyond that 32-bit indices end.
MAX_ELEMENTS = 20_000_000


def positive(text: str) -> float:
    """A finite number greater than 0."""
    value = _number(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text} is not a positive finite number")
    return value


def ending(text: str) -> float | str:
    """A time, or "decayed"."""
    return text if text == UNTIL_DECAYED else positive(text)


def fraction(text: str) -> float:
    """A number from 0 to 1."""
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number between two bounds, these included."""

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def add_jobs(parser: argparse.ArgumentParser, what: str, usual: int, how_many: str) -> None:
    """--jobs: how many of something are done at a time, in child processes."""
    parser.add_argument(
        "--jobs",
        type=whole(1, MOST_JOBS),
        default=usual,
        metavar="N",
        help=f"{what} at a time (default: {how_many})",
    )


def element_count(text: str) -> int:
    """A number of elements."""
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or not 2 <= int(digits) <= MAX_ELEMENTS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number from 2 to {MAX_ELEMENTS:,}"
        )
    return int(digits)


def order(text: str) -> int:
    """A polynomial order."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if not 1 <= value <= MAX_ORDER:
        raise argparse.ArgumentTypeError(f"{value} is not an order from 1 to {MAX_ORDER}")
    return value


def angles(text: str) -> tuple[float, float]:
    """AZIMUTH,ELEVATION in degrees."""
    low, high = ELEVATIONS
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not like -30,40") from None
    if not (abs(azimuth) <= 360 and low <= elevation <= high):
        raise argparse.ArgumentTypeError(
            f"{text}: the azimuth is from -360 to 360, the elevation from {low:g} to {high:g}"
        )
    return azimuth, elevation


def orders(text: str) -> tuple[int, ...]:
    """Orders like "3", "1-4" or "1,3,5"."""
    chosen: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low = order(first)
        high = order(last) if dash else low
        if high < low:
            raise argparse.ArgumentTypeError(f"{part!r} runs backwards; write {high}-{low}")
        chosen.extend(range(low, high + 1))
    return tuple(dict.fromkeys(chosen))


def size(text: str) -> tuple[int, int]:
    """WIDTHxHEIGHT in pixels."""
    match = re.fullmatch(r"(\d{1,6})\s*[xX]\s*(\d{1,6})", text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 1280x720")
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MAX_PIXELS and 1 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(f"{text}: a side has 1 to {MAX_PIXELS} pixels")
    return width, height


def scene_named(text: str, settings: Iterable[Setting] = ()) -> Scene:
    """The scene in a file or drawing, or the shipped one of that name; what is left out of a
    drawing is said on stderr.

    Parameters
    ----------
    settings : of ``--set``, which replace values of the scene.

    Raises
    ------
    SceneError, GeometryError : there is none, or it cannot be used, or not with these settings.
    """
    return with_settings(open_scene(scene_path(text), note), settings)


def setting(text: str) -> Setting:
    """NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is not like d=0.4 or materials.rod.epsilon=4")
    return name.strip(), value.strip()


def add_settings(parser: argparse._ActionsContainer) -> None:
    """``--set``, as often as there are values to replace."""
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="another value for a parameter of the scene, or for something else in its file: "
        "solver.order=5, materials.rod.epsilon=4, sources.1.position='0.2, 0.5'; can be repeated",
    )


def add_scene(parser: argparse.ArgumentParser, **how: object) -> None:
    parser.add_argument(
        "scene",
        metavar="SCENE",
        help="a scene file (.toml), a drawing (.svg), or the name of a shipped scene "
        "(see: wavelab scenes)",
        **how,  # type: ignore[arg-type]
    )


def add_ending(parser: argparse.ArgumentParser) -> None:
    """``--until`` and ``--decayed``, which say when a run ends."""
    parser.add_argument(
        "--until",
        type=ending,
        metavar="T",
        help=f"simulated time to run to, or {UNTIL_DECAYED}: until the wave has died away "
        "(default: as the scene says)",
    )
    parser.add_argument(
        "--decayed",
        type=positive,
        nargs="?",
        const=DECAYED,
        metavar="PART",
        help="end before, once the sources are silent and the energy has fallen to this part of "
        f"its largest (without: {DECAYED:g})",
    )


def add_solver_options(parser: argparse.ArgumentParser) -> None:
    """Options that say how to discretize and where to compute; all default to the scene's."""
    add_settings(parser)
    group = parser.add_argument_group("solver (default: as the scene says)")
    group.add_argument(
        "--order",
        type=order,
        metavar="N",
        help=f"polynomial order of the elements, 1 to {MAX_ORDER}",
    )
    add_element_size(group, ", in the scene's unit")
    group.add_argument(
        "--precision",
        choices=("single", "double"),
        help="of the OpenCL stepper's arithmetic; NumPy always computes in double precision",
    )
    group.add_argument(
        "--stepper",
        choices=STEPPERS,
        help="Runge-Kutta scheme, or local: small elements take small steps; auto takes the "
        "cheapest whose error stays below that of the elements",
    )
    group.add_argument(
        "--variant",
        "--design",
        metavar="NAME",
        help="of the OpenCL kernels: aosoa, which is fast, or per_node, which is plain",
    )
    add_device_options(parser)


def add_element_size(parser: argparse._ActionsContainer, unless_given: str) -> None:
    parser.add_argument(
        "--h",
        type=positive,
        metavar="H",
        dest="element_size",
        help=f"target edge length of the elements{unless_given}",
    )


def add_profile(parser: argparse._ActionsContainer) -> None:
    add_file(
        parser,
        "--profile",
        "what took how long: kernels, read-back, meshing, drawing, encoding "
        "(.json, opens in ui.perfetto.dev and chrome://tracing)",
    )


def add_file(parser: argparse._ActionsContainer, option: str, what: str) -> None:
    """An option that names a file to be written or read."""
    parser.add_argument(option, type=Path, metavar="FILE", help=what)


def add_key(parser: argparse._ActionsContainer) -> None:
    add_file(
        parser,
        "--key",
        "what a run that is watched and a window that looks at it both have to know (default: one "
        "that is made for this user)",
    )


def add_device_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where to compute")
    group.add_argument(
        "--backend",
        choices=BACKENDS,
        default="auto",
        help="auto (default): OpenCL if it works, else NumPy",
    )
    add_device(group)


def add_device(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--device",
        metavar="D",
        help="number or part of the name of an OpenCL device (see: wavelab devices); numbers of "
        "several, as 0,1, let them share the mesh",
    )
