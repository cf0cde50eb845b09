"""What every test shares: patience on slow machines, and no trace in the user's own directories."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as wavelab.__main__ does, before NumPy

import pytest
from hypothesis import HealthCheck, settings

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


@pytest.fixture
def a_child_for_each_mesh(monkeypatch):
    """As a program has it: for tests of meshing, and where nothing may outlive a test."""
    monkeypatch.setattr(job, "nothing_kept", meshing_child.nothing_kept)
