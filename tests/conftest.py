"""What every test shares: patience on slow machines, and no trace in the user's own directories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from wavelab import paths

# How long an example takes says nothing about whether it is right.
settings.register_profile("wavelab", deadline=None)
settings.load_profile("wavelab")


def pytest_collection_modifyitems(config, items):
    """Among several processes files stay whole, for what their tests share, and only one process
    opens windows, which would take the keyboard from each other."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        file = item.path.relative_to(Path(__file__).parent)
        group = "windows" if file.parts[0] == "app" else str(file)
        item.add_marker(pytest.mark.xdist_group(group))


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
