"""What is asked of the solver thread."""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar


class Command(ABC):
    """What is asked of the solver thread (see ``wavelab.simulation.solver.commands``)."""

    #: Whether it makes those of its kind pointless that were not obeyed yet, such as a load.
    supersedes: ClassVar[bool] = False
    #: What profiles call it, unless that is the name of its class.
    called: ClassVar[str] = ""

    @abstractmethod
    def apply(self, runner: Any) -> None:
        """Do it to a :class:`wavelab.simulation.solver.runner.Runner`, in the solver thread."""

    def after(self, earlier: Any) -> Command:
        """The same in place of an earlier one, too, which it makes pointless."""
        return self


def without_superseded(commands: Iterable[Command]) -> list[Command]:
    """The commands without those that a later one of their kind makes pointless."""
    kept: list[Command] = []
    for command in commands:
        if command.supersedes:
            for earlier in (c for c in kept if type(c) is type(command)):
                command = command.after(earlier)
            kept = [c for c in kept if type(c) is not type(command)]
        kept.append(command)
    return kept


def waiting_commands(commands: queue.SimpleQueue[Command], seconds: float) -> list[Command]:
    """All that a queue has, but for those :func:`without_superseded` leaves out; waits so long for
    the first."""
    found: list[Command] = []
    try:
        found.append(commands.get(timeout=seconds) if seconds else commands.get_nowait())
        while True:
            found.append(commands.get_nowait())
    except queue.Empty:
        return without_superseded(found)
