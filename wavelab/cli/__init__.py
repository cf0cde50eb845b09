"""The ``wavelab`` command.

``wavelab [SCENE]`` opens the window; the subcommands run without Qt, OpenGL or a display.  What a
user can put right is printed as ``error: ...`` and ends with status 2; Ctrl-C ends with 130,
SIGTERM with 143 and SIGHUP with 129.
Status 1 says that a check failed (``verify``, ``bench --check``) or a run of a sweep, or that
whoever read the output has gone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import say
from wavelab.ctrl_c import Ended, hear_all
from wavelab.errors import WavelabError
from wavelab.ranks.started import started_together

if TYPE_CHECKING:
    from wavelab.simulation.steppers.rank_group import RankGroup

#: Modules of the commands, below this package.
_MODULES = {
    "run": "run",
    "sweep": "sweep",
    "import": "import_drawing",
    "mesh": "mesh",
    "partition": "partition",
    "devices": "devices",
    "verify": "verify",
    "converge": "converge",
    "compare": "compare",
    "resonances": "resonances",
    "bands": "bands",
    "scatter": "scatter",
    "reference": "reference",
    "bench": "benchmarks.bench",
    "scenes": "scenes",
    "media": "media",
    "doctor": "doctor",
}

#: Commands that begin with a mesh, as the window does, and what they are asked for instead of it.
_MESHING = frozenset({"run", "sweep", "mesh", "compare", "resonances", "bands", "scatter"})
_INSTEAD = frozenset({"-h", "--help", "--version", "--resume", "--parts", "--attach"})


class _Commands(Mapping[str, Command]):
    """By their names.  One is imported when it is asked for: most need little of the program."""

    def __getitem__(self, name: str) -> Command:
        command: Command = import_module(f"wavelab.cli.{_MODULES[name]}").COMMAND
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


COMMANDS: Mapping[str, Command] = _Commands()


def meshes(words: Sequence[str]) -> bool:
    """Whether what is asked for is likely to begin with a mesh, which another process makes: that
    one loads for as long as this, and can be started before."""
    first = next(iter(words), "")
    return (
        (first in _MESHING or first not in _MODULES)
        and _INSTEAD.isdisjoint(word.partition("=")[0] for word in words)
        and started_together()[0] == 1
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    open_closed_streams()
    n_ranks, rank = started_together()
    if n_ranks > 1:
        from wavelab.cli.shared.watched import watched

        return watched(partial(_run_on_ranks, words), rank)
    return _run(words)


def _run_on_ranks(words: list[str]) -> int:
    # Here, because only then it needs anything that the commands do not.
    from wavelab.cli.shared.ranks import on_ranks

    return on_ranks(partial(_run, words))


def _run(words: list[str], ranks: RankGroup | None = None) -> int:
    """Run a command, on many ranks if there are; says what was wrong and returns the status."""
    try:
        hear_all()
        # Dispatched by hand: argparse cannot have subcommands beside an optional scene.
        command = COMMANDS.get(words[0]) if words else None
        if ranks is not None and not (command and command.on_ranks):
            raise WavelabError(
                f"{f'wavelab {command.name}' if command else 'the window'} runs as one process",
                remedy="Start it without mpiexec. On many ranks: "
                + ", ".join(f"wavelab {c.name}" for c in COMMANDS.values() if c.on_ranks)
                + ".",
            )
        if command:
            status = command.main(words[1:], ranks)
        else:
            from wavelab.cli import window

            status = window.main(words, list(COMMANDS.values()))
        sys.stdout.flush()
        return status
    except WavelabError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt as end:
        ended = end if isinstance(end, Ended) else Ended()
        say(str(ended))
        return ended.status
    except BrokenPipeError:
        # The reader (head, less) has gone.
        _let_output_go()
        return 1
    except OSError as error:
        if error.filename is not None:  # a defect: files are named in errors of their own
            raise
        say(f"error: the output cannot be written: {error.strerror}")
        _let_output_go()
        return 2


def _let_output_go() -> None:
    """Without this Python complains once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_closed_streams() -> None:
    """Who closes standard output or error (``>&-``) wants to hear nothing; without this the next
    file that is opened would take its place."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            # Open for as long as the process lives.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
