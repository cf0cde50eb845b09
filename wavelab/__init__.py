"""wavelab: watch waves run, live, in any shape you draw: light, sound, water, membranes, solids.

The names below are what a program needs (docs/api.md); each is imported when it is first used.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

try:
    __version__ = version("wavelab")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"

#: Where each name is.  ``__init__.pyi`` says the same to type checkers.
_PLACES = {
    "Scene": "wavelab.api.scene",
    "Simulation": "wavelab.api.simulation",
    "waveform": "wavelab.api.waveforms",
    "medium": "wavelab.api.media",
    "resonances": "wavelab.api.studies",
    "bands": "wavelab.api.studies",
    "converge": "wavelab.api.studies",
    "reference": "wavelab.api.studies",
    "scatter": "wavelab.api.studies",
    "sweep": "wavelab.api.sweeps",
    "plot": "wavelab.api.pictures",
    "figure": "wavelab.api.pictures",
    "shipped_scenes": "wavelab.scene.shelf",
    "Field": "wavelab.api.results",
    "Measured": "wavelab.api.results",
    "Picture": "wavelab.api.pictures",
    "Figure": "wavelab.api.pictures",
    "Movie": "wavelab.api.pictures",
    "SweepResult": "wavelab.api.sweeps",
    "Notice": "wavelab.api.telling",
    "WavelabError": "wavelab.errors",
}

__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
