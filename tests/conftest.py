"""What every test shares: patience on slow machines, and no trace in the user's own directories."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wavelab.__main__ does, before NumPy

import pytest
from hypothesis import HealthCheck, settings

from tests.products import ALL
from wavelab import paths
from wavelab.meshing import job, meshing_child
from wavelab.meshing.meshing_child import KeptChild

# How long an example takes, or how long it takes to make one up, says nothing about whether it is
# right.  The same tree gets the same
# examples, so that a red run is about the change; `make hunt` looks for new ones.
ANY_SPEED = {"deadline": None, "suppress_health_check": (HealthCheck.too_slow,)}
settings.register_profile("wavelab", **ANY_SPEED, derandomize=True)
settings.register_profile("hunt", **ANY_SPEED, derandomize=False, print_blob=True)
settings.load_profile("wavelab")

#: The files that take longest, nearly in that order (``--durations=0`` tells of their tests).
LONGEST = (
    "test_scenes.py", "test_every_kind.py", "cli/test_ranks.py", "test_classics.py",
    "app/test_scripted_user.py", "cli/test_command_line.py",
    "opencl/persistent/test_persistent_steps.py",
    "simulation/studies/modes/test_resonances.py", "opencl/extensions/test_media.py",
    "test_notebooks.py", "cli/test_sweep.py", "app/window/test_small_screens.py",
    "opencl/test_stepper.py", "physics/materials/test_solids.py", "opencl/test_graded_elastic.py",
    "test_waves_of_all_kinds.py", "simulation/headless/checkpoints/test_checkpoints.py",
    "simulation/headless/test_decay.py",
    "simulation/headless/checkpoints/test_checkpoints_on_ranks.py",
    "simulation/core/test_cut_steps.py", "app/shell/test_closing.py", "opencl/test_elastic.py",
    "simulation/verification/test_default_step.py", "benchmark/test_command.py",
    "opencl/test_right_hand_side.py", "test_lessons.py", "app/studies/test_bands.py",
    "physics/time/test_ader.py", "app/shell/test_scenes_go.py", "app/shell/test_first_steps.py",
    "app/canvas/test_picture.py", "app/controllers/test_items.py",
    "simulation/steppers/test_stable_step.py", "simulation/verification/test_ports.py",
    "simulation/verification/test_glued_sources.py", "simulation/steppers/test_partitioned.py",
    "physics/pml/test_pml_layers.py", "opencl/halo/test_halo_stepper.py",
    "app/studies/test_studies.py", "app/files/test_drawings.py",
)  # fmt: skip


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many tests wait, for children, timers and threads."""
    if asked := os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return int(asked)
    affinity = getattr(os, "sched_getaffinity", None)
    return 1 + (len(affinity(0)) if affinity else os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files begin, so that at the end no process is alone with one of them."""
    place = {f"tests/{name}": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the garbage collector need not go through them each time
    that a test asks for it, which took longer than most tests that do."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def private_directories(tmp_path_factory):
    """Autosaved scenes and settings of the tests go to a directory of their own.

    So does what wavelab itself caches, but not compiled kernels, which are worth keeping from one
    run to the next.
    """
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setitem(os.environ, variable, str(tmp_path_factory.mktemp(variable.lower())))
        cache = tmp_path_factory.mktemp("cache")
        patch.setattr(paths, "cache_directory", lambda: cache)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_mesher():
    """One child makes all meshes that nobody keeps a child for: a new one for each takes longer to
    start than most meshes to be made (0.16 s of processor time)."""
    kept = KeptChild()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "nothing_kept", lambda: kept)
        yield
    kept.close()


@pytest.fixture(scope="module")
def not_optimised() -> Iterator[None]:
    """Kernels are compiled without optimisation, which takes half of the time that they take.

    For modules that ask what many kinds of them compute.  Those that scenes are computed with are
    optimised in tests of these, as in a program, and all of them in ``make hunt``.
    """
    if ALL:
        yield
        return
    from wavelab.opencl.device import program

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "_OPTIONS", (*program._OPTIONS, "-cl-opt-disable"))
        program.forget_programs()
        yield
    program.forget_programs()


@pytest.fixture
def a_child_for_each_mesh(monkeypatch):
    """As a program has it: for tests of meshing, and where nothing may outlive a test."""
    monkeypatch.setattr(job, "nothing_kept", meshing_child.nothing_kept)
