"""The ``wavelab`` command.

``wavelab [SCENE]`` opens the window; the subcommands run without Qt, OpenGL or a display.  What a
user can put right is printed as ``error: ...`` and ends with status 2; Ctrl-C ends with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from wavelab.cli import bench, converge, devices, mesh, resonances, run, scenes, verify, window
from wavelab.cli.command import Command
from wavelab.errors import WavelabError

COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        run.COMMAND,
        mesh.COMMAND,
        devices.COMMAND,
        verify.COMMAND,
        converge.COMMAND,
        resonances.COMMAND,
        bench.COMMAND,
        scenes.COMMAND,
    )
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        # Dispatched by hand: argparse cannot have subcommands beside an optional scene.
        if words and words[0] in COMMANDS:
            status = COMMANDS[words[0]].main(words[1:])
        else:
            status = window.main(words, list(COMMANDS.values()))
        sys.stdout.flush()
        return status
    except WavelabError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (head, less) has gone.  Without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
