"""Who has started this process, by what launchers tell it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wavelab.errors import WavelabError
from wavelab.ranks import started
from wavelab.ranks.started import joined, started_together

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def small() -> str:
    """A scene that is never run."""
    return "cavity_1_1"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (1, 0)),
        ({"PMI_SIZE": "4", "PMI_RANK": "2"}, (4, 2)),
        ({"OMPI_COMM_WORLD_SIZE": "8", "OMPI_COMM_WORLD_RANK": "0"}, (8, 0)),
        ({"SLURM_NTASKS": "16", "PMIX_RANK": "15"}, (16, 15)),
        # A batch job without a launcher is one process, however many tasks it may start.
        ({"SLURM_NTASKS": "16"}, (1, 0)),
        ({"PMI_SIZE": "many", "PMI_RANK": "2"}, (1, 0)),
    ],
)
def test_launchers_say_how_many_and_which(environment, expected):
    assert started_together(environment) == expected


def test_another_mpi_than_that_of_the_launcher_is_told(small):
    """MPICH, to which Open MPI's launcher says nothing: it takes itself to be alone."""
    mpi = pytest.importorskip("mpi4py", reason="mpi4py is not installed (the extra mpi)")
    words = [sys.executable, "-m", "wavelab", "run", small]
    told = {"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "0", "PYTHONPATH": str(ROOT)}
    assert mpi is not None
    done = subprocess.run(words, env=os.environ | told, capture_output=True, text=True)
    assert done.returncode == 2
    assert "3 processes were started together, but MPI" in done.stderr
    told["OMPI_COMM_WORLD_RANK"] = "1"
    done = subprocess.run(words, env=os.environ | told, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "")  # the first one has said it


def test_without_mpi_for_python_the_remedy_names_it(monkeypatch):
    monkeypatch.setattr(started, "started_together", lambda: (2, 0))
    for name in ("mpi4py", "mpi4py.MPI", "wavelab.ranks.mpi"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(WavelabError, match="2 processes") as caught:
        joined()
    assert "wavelab[mpi]" in caught.value.remedy
