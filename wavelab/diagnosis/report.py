"""Everything together, as a dictionary that JSON can hold."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavelab import __version__
from wavelab.diagnosis.asked import ask
from wavelab.diagnosis.error_log import last_errors
from wavelab.diagnosis.machine import folders, limits, packages, system
from wavelab.diagnosis.private import scrubbed

#: Print what there is, each in its own process.
DEVICES = "wavelab.simulation.steppers.device_facts"
SCREEN = "wavelab.app.canvas.screen_facts"
_WAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def report(cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """What there is to know; takes some seconds, and never raises.

    Parameters
    ----------
    cancelled : whether nobody wants to know any more.
    """

    def asked(module: str, question: str = "") -> dict[str, Any]:
        return ask(module, question, cancelled=cancelled)

    places = _part(_places)
    return scrubbed(
        {
            "wavelab": __version__,
            "installed": str(Path(__file__).resolve().parents[2]),
            **_part(system),
            "packages": _part(packages),
            "opencl": _part(lambda: _opencl(asked)),
            "window": _part(lambda: _window(asked)),
            "limits": _part(limits),
            "folders": _part(lambda: folders(places)) if "problem" not in places else places,
            "last_errors": last_errors(places["state"]) if "state" in places else [],
        }
    )


def _part(look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A part of the report; what fails there costs no other."""
    try:
        return look()
    except Exception as error:
        return {"problem": f"{type(error).__name__}: {error}"}


def _opencl(ask: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    found = ask(DEVICES)
    for device in found.get("devices", ()):
        if device["usable"]:
            device["self_test"] = ask(DEVICES, device["address"])
    return found


def _window(ask: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    if sys.platform.startswith("linux") and not any(os.environ.get(way) for way in _WAYS):
        return {"problem": f"there is no display: none of {', '.join(_WAYS)} is set"}
    return ask(SCREEN)


def _places() -> dict[str, Path]:
    # It may be missing, and wavelab.paths needs it, too.
    from platformdirs import user_cache_path, user_data_path

    return {
        "state": user_data_path("wavelab", appauthor=False),
        "cache": user_cache_path("wavelab", appauthor=False),
        "temporary": Path(tempfile.gettempdir()),
    }
