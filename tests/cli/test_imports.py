"""A run without a window loads what it uses, and starts as fast as that allows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: What takes long to load, with what is asked for where it is used.
USED_BY = {
    "av": ("--image", "wave.png"),
    "cmap": ("--image", "wave.png"),
    "h5py": ("--snapshot", "wave.h5"),
}
#: What no run without a window uses.
UNUSED = (
    "PyQt5", "vispy", "pyqtgraph", "qtawesome", "wavelab.app", "wavelab.meshing.svg.document",
    "wavelab.meshing.formats", "wavelab.simulation.side_by_side", "wavelab.simulation.sweeps",
    "wavelab.simulation.studies", "wavelab.simulation.verification", "wavelab.benchmark",
)  # fmt: skip


def loaded_by(small: Path, *options: str) -> set[str]:
    """The modules of a process after a run."""
    code = "import sys; from wavelab.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(small), "--backend", "numpy", *options],
        cwd=small.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_a_run_loads_what_it_uses(small):
    loaded = loaded_by(small)
    assert "wavelab.physics.problem" in loaded
    assert not loaded & {*USED_BY, *UNUSED}


@pytest.mark.parametrize("options", sorted(set(USED_BY.values())))
def test_what_is_asked_for_loads_the_rest(small, options):
    loaded = loaded_by(small, *options)
    assert (small.parent / options[1]).exists()
    assert loaded & {*USED_BY, *UNUSED} == {m for m, used in USED_BY.items() if used == options}
