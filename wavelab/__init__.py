"""wavelab: watch waves run, live, in any shape you draw: light, sound, water, membranes, solids.

The names below are what a program needs (docs/api.md); each is imported when it is first used.
"""

from importlib import import_module
from typing import Any

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
    if name == "__version__":
        found: Any = _version()
    elif name in _PLACES:
        found = getattr(import_module(_PLACES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def _version() -> str:
    # Every process of the program imports this package, and few ask for its version.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("wavelab")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
