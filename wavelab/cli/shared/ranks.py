"""A command that ``mpiexec`` has started several times."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence

from wavelab.cli.shared.output import note, say
from wavelab.ctrl_c import ENDING
from wavelab.errors import WavelabError
from wavelab.ranks.started import joined, started_together
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.server import Server

#: By which PoCL is told how many cores it may use, in newer and in older versions.
_POCL_CORES = ("POCL_CPU_MAX_CU_COUNT", "POCL_MAX_PTHREAD_COUNT")


def who_is_who(processes: Sequence[tuple[str, int]]) -> str:
    """The ranks by machines, and the process of each.

    Parameters
    ----------
    processes : machine and number of the process of each rank.
    """
    machines: dict[str, list[str]] = {}
    for number, (machine, process) in enumerate(processes):
        machines.setdefault(machine, []).append(f"{number} is process {process}")
    return "; ".join(f"{', '.join(its)} on {machine}" for machine, its in machines.items())


def on_ranks(command: Callable[[RankGroup], int]) -> int:
    """Run a command on all ranks; the exit status of this one.

    The first rank does what the command says, and says all that is said.  The others do what it
    asks them for, and hear no signals: it ends the run, and them.

    Parameters
    ----------
    command : of all ranks; gives the exit status.
    """
    try:
        rank = joined()
    except WavelabError as error:
        if started_together()[1] == 0:
            say(f"error: {error}")
        return 2
    for variable in _POCL_CORES:
        os.environ.setdefault(variable, str(rank.cores))
    server, status = Server(rank, rank.local_rank), 0
    if rank.rank > 0:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
        server.serve()
    else:
        # Where a process is killed, launchers tell its number and its machine.
        note(f"{rank.size} ranks: {who_is_who(rank.processes)}")
        group = RankGroup(rank, server)
        try:
            status = command(group)
        except Exception:  # a defect of the program
            traceback.print_exc()
            status = 1
        group.end()
    sys.stdout.flush()
    rank.leave()
    return status
