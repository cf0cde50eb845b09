"""``wavelab [SCENE]``: the window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from wavelab import __version__
from wavelab.cli.shared.arguments import (
    add_key,
    add_profile,
    add_scene,
    add_solver_options,
    whole,
)
from wavelab.cli.shared.command import Command, Parser
from wavelab.cli.shared.output import note
from wavelab.errors import WavelabError
from wavelab.paths import LANGUAGES
from wavelab.scene.shelf import scene_path
from wavelab.simulation.past.memory import USUAL_MIB, most_mib
from wavelab.timeline import written_timeline

DESCRIPTION = """\
Watch waves run, live, in any shape you draw: light, sound, water, membranes, solids.

Without a command the window opens on SCENE, or on the default scene.
"""


def parser(commands: Sequence[Command]) -> Parser:
    width = max(len(command.name) for command in commands)
    listing = "\n".join(f"  wavelab {c.name:{width}}  {c.summary}" for c in commands)
    made = Parser(
        "wavelab",
        DESCRIPTION,
        f"commands that need no display:\n{listing}\n\neach has its own --help",
    )
    made.add_argument("--version", action="version", version=f"wavelab {__version__}")
    add_scene(made, nargs="?")
    add_solver_options(made)
    add_profile(made)
    made.add_argument(
        "--attach",
        metavar="HOST:PORT",
        help="look at a run that goes on elsewhere (wavelab run --watch)",
    )
    add_key(made)
    made.add_argument(
        "--tune",
        action=argparse.BooleanOptionalAction,
        help="look for faster kernels behind the running wave, once for each kind of run "
        "(default: as the menu Run says, which does unless it was told otherwise)",
    )
    made.add_argument(
        "--language",
        choices=("en", *sorted(path.stem for path in LANGUAGES.glob("*.po"))),
        help="of the window (default: as the menu View says, which is that of the system unless "
        "it was told otherwise); commands speak English",
    )
    made.add_argument(
        "--history",
        type=whole(0, most_mib()),
        metavar="MIB",
        help="memory in MiB to go back in the past of the wave; 0 keeps nothing (default: as the "
        f"menu Run says, {USUAL_MIB} unless it was told otherwise)",
    )
    return made


def main(words: Sequence[str], commands: Sequence[Command]) -> int:
    try:
        arguments, surplus = parser(commands).parse_known_args(words)
    except SystemExit:  # argparse has printed the help or the version
        return 0
    names = [command.name for command in commands]
    path: Path | None = None
    if arguments.scene is not None:
        # Before the surplus is complained of: with a command misspelled, all the rest is surplus.
        path = scene_path(arguments.scene, or_command=names)
    if surplus:
        parser(commands).error(f"unrecognized arguments: {' '.join(surplus)}")
    if arguments.key is not None and arguments.attach is None:
        raise WavelabError(
            "a key is for a run that is looked at", remedy="Name it: --attach HOST:PORT."
        )
    if arguments.attach is not None and arguments.scene is not None:
        raise WavelabError(
            "a run that is looked at has a scene of its own", remedy="Leave the scene out."
        )
    _require_display()
    # Here and nowhere else: headless commands must run where Qt cannot even be imported.
    from wavelab.app.base.settings import LaunchOptions
    from wavelab.app.shell.main import run_window

    options = LaunchOptions(**{f.name: getattr(arguments, f.name) for f in fields(LaunchOptions)})
    far = None
    if arguments.attach is not None:
        from wavelab.simulation.watching.far import FarRun
        from wavelab.simulation.watching.key_file import key_in

        # Before there is a window: nothing could be shown in it.
        far = FarRun(arguments.attach, key_in(arguments.key, make=False))
    with written_timeline(arguments.profile, note) as timeline:
        return run_window(path, options, timeline, far)


def _require_display() -> None:
    """Qt ends the process where it finds no display, so that is asked first.

    Raises
    ------
    WavelabError : Linux without a screen, and Qt was not told of a way to do without.
    """
    ways = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform.startswith("linux") and not any(os.environ.get(way) for way in ways):
        raise WavelabError(
            "there is no display to open a window on",
            remedy="Without one use: wavelab run (see: wavelab run --help).",
        )
