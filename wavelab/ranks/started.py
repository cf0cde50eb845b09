"""Whether this process is one of several that ``mpiexec`` has started together."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wavelab.errors import WavelabError

if TYPE_CHECKING:  # not loaded in a process that is alone
    from wavelab.ranks.mpi import MPIRank

#: Variables by which launchers say how many processes there are, and which one this is: MPICH and
#: others with its process manager, Open MPI, and Slurm's ``srun`` with PMIx.
_LAUNCHERS = (
    ("PMI_SIZE", "PMI_RANK"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("SLURM_NTASKS", "PMIX_RANK"),
)


def started_together(environment: Mapping[str, str] = os.environ) -> tuple[int, int]:
    """How many processes there are, and which one this is: 1 and 0 for one that is alone."""
    for size, rank in _LAUNCHERS:
        if environment.get(size, "").isdecimal() and environment.get(rank, "").isdecimal():
            return int(environment[size]), int(environment[rank])
    return 1, 0


def joined() -> MPIRank:
    """This process as one rank of all that were started with it.

    Raises
    ------
    WavelabError : there is no MPI for Python, or it is not that of the launcher.
    """
    size, _ = started_together()
    try:
        with warnings.catch_warnings():
            # Of an environment that is not its own; said below, with a remedy.
            warnings.simplefilter("ignore", RuntimeWarning)
            from wavelab.ranks.mpi import MPIRank, library
    except (ImportError, RuntimeError) as error:  # the latter without an MPI library
        raise WavelabError(
            f"{size} processes were started together, but MPI cannot be loaded: {error}",
            remedy="Install MPI for Python (pip install 'wavelab[mpi]', or 'wavelab[mpich]' where "
            "the system has no MPI), or start one process.",
        ) from error
    rank = MPIRank()
    if rank.size != size:
        raise WavelabError(
            f"{size} processes were started together, but MPI tells each of {rank.size}",
            remedy=f"Start them with the mpiexec of the library that Python uses: {library()}.",
        )
    return rank
